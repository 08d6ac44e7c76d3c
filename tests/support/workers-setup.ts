import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { checkQueriesAfterEachFile } from "./query-watch";

const { DB, TEST_MIGRATIONS } = env as unknown as { DB: D1Database; TEST_MIGRATIONS: D1Migration[] };

/** This runs before every file; the files share one process and one database. */
const shared = globalThis as { schemaIsThere?: boolean };
if (!shared.schemaIsThere) await applyD1Migrations(DB, TEST_MIGRATIONS);
shared.schemaIsThere = true;

checkQueriesAfterEachFile(DB);
