import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as schema from "@db/database";
import { asDb, type Db } from "@db/database";
import { type Client, createClient } from "@libsql/client";
import { drizzle } from "drizzle-orm/libsql";
import { migrate } from "drizzle-orm/libsql/migrator";

/** A fresh libSQL database in a temporary file, without a table. */
function openUnmigrated(): Client {
  const folder = mkdtempSync(path.join(tmpdir(), "payeeproof-libsql-"));
  return createClient({ url: `file:${path.join(folder, "test.db")}` });
}

/** The same with every migration applied. */
export async function openTestLibsql(): Promise<Db> {
  const db = drizzle(openUnmigrated(), { schema });
  await migrate(db, { migrationsFolder: "db/migrations" });
  return asDb(db);
}
