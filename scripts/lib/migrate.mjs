import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./console.mjs";

const DIRECTORY = path.join(ROOT, "db/migrations");

/** The table that `wrangler d1 migrations` also keeps, so that either tool can continue from the other. */
const BOOK = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;

/** A database with the 42 migrations that `0042_foundation.sql` replaced already has everything that file creates. */
const CARRY_OVER =
  "INSERT OR IGNORE INTO d1_migrations (name) SELECT '0042_foundation.sql' FROM d1_migrations WHERE name = '0041_payee_names.sql'";

/** The generator writes it after each statement, because triggers contain semicolons. */
const BREAKPOINT = "--> statement-breakpoint";

/**
 * Applies the migrations that a local database does not have yet, each in one batch with its entry in that table.
 * @param db a D1 binding, which accepts a file as one statement (each `prepare` of Miniflare is a call that blocks), or
 *   what `asMigrated` makes of a libSQL client, which accepts one statement at a time
 * @returns the names applied
 */
export async function applyMigrations(db) {
  await db.prepare(BOOK).run();
  await db.prepare(CARRY_OVER).run();
  const { results } = await db.prepare("SELECT name FROM d1_migrations").all();
  const known = new Set(results.map((row) => row.name));
  const missing = readdirSync(DIRECTORY)
    .filter((name) => name.endsWith(".sql") && !known.has(name))
    .sort();
  for (const name of missing) {
    const file = readFileSync(path.join(DIRECTORY, name), "utf8");
    const statements = db.isOneAtATime ? file.split(BREAKPOINT) : [file.replaceAll(BREAKPOINT, "")];
    await db.batch([
      ...statements.map((statement) => db.prepare(statement)),
      db.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name),
    ]);
  }
  return missing;
}

/**
 * Lets migrations be applied to a libSQL client as to D1: with the same table of migrations, each in one batch.
 * @param {import("@libsql/client").Client} client
 */
export function asMigrated(client) {
  const prepare = (sql, args = []) => ({
    sql,
    args,
    bind: (...values) => prepare(sql, values),
    run: () => client.execute({ sql, args }),
    all: async () => ({ results: (await client.execute({ sql, args })).rows }),
  });
  return {
    isOneAtATime: true,
    prepare: (sql) => prepare(sql),
    batch: (statements) =>
      client.batch(
        statements.map(({ sql, args }) => ({ sql, args })),
        "write",
      ),
  };
}
