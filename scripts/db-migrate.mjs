// Applies the migrations that a libSQL database does not have yet.
//
//   npm run db:migrate -- --libsql URL        LIBSQL_AUTH_TOKEN of the shell signs in
import { parseArgs } from "node:util";
import { main, say } from "./lib/console.mjs";
import { openLibsql } from "./lib/database.mjs";
import { applyMigrations, asMigrated } from "./lib/migrate.mjs";

await main(async () => {
  const { values } = parseArgs({ options: { libsql: { type: "string" } } });
  if (!values.libsql)
    throw new Error("Usage: npm run db:migrate -- --libsql URL (D1: npx wrangler d1 migrations apply)");
  const client = openLibsql(values.libsql);
  const applied = await applyMigrations(asMigrated(client)).finally(() => client.close());
  say("migrate", applied.length === 0 ? "nothing to apply" : applied.join(", "));
});
