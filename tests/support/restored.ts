import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { openD1 } from "@db/database";
import { guardD1 } from "@db/guarded-d1";
import type { Overrides } from "../../workers/compose";
import { watchQueries } from "./query-watch";
import { testServices } from "./services";

/** A database that is put back to an earlier moment: two databases of a test's own, the second a copy of the first. */

const { BEFORE_DB, AFTER_DB, TEST_MIGRATIONS } = env as unknown as {
  BEFORE_DB: D1Database;
  AFTER_DB: D1Database;
  TEST_MIGRATIONS: D1Migration[];
};

/** Deletes everything in a database. */
async function empty(db: D1Database): Promise<void> {
  for (let round = 0; round < 20; round++) {
    const { results } = await db
      .prepare(
        "SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'table') AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY type DESC",
      )
      .all<{ type: string; name: string }>();
    if (results.length === 0) return;
    // A table with references to it is deleted in a later round.
    for (const { type, name } of results)
      await db
        .prepare(`DROP ${type} "${name}"`)
        .run()
        .catch(() => {});
  }
  throw new Error("a table could not be dropped");
}

type Master = { type: string; name: string; sql: string };

/** Copies the first database to the second. */
async function copy(from: D1Database, to: D1Database): Promise<void> {
  await empty(to);
  const { results } = await from
    .prepare(
      "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
    )
    .all<Master>();
  const make = (type: string) => results.filter((each) => each.type === type);
  for (const table of make("table")) await to.prepare(table.sql).run();
  // Foreign keys need the unique indexes of the columns that they reference.
  for (const index of make("index")) await to.prepare(index.sql).run();
  const inserts: D1PreparedStatement[] = [to.prepare("PRAGMA defer_foreign_keys = on")];
  for (const { name } of make("table")) {
    const columns = (
      await from.prepare(`SELECT name FROM pragma_table_xinfo('${name}') WHERE hidden = 0`).all<{ name: string }>()
    ).results;
    const list = columns.map((column) => `"${column.name}"`).join(", ");
    const rows = (await from.prepare(`SELECT ${list} FROM "${name}"`).all<Record<string, unknown>>()).results;
    const places = columns.map(() => "?").join(", ");
    for (const row of rows) {
      const values = columns.map((column) => row[column.name]);
      inserts.push(to.prepare(`INSERT INTO "${name}" (${list}) VALUES (${places})`).bind(...values));
    }
  }
  await to.batch(inserts);
  for (const trigger of make("trigger")) await to.prepare(trigger.sql).run();
}

/** Services on the live database and, after `restore`, on the copy. */
export async function aRestorableApp(overrides: Overrides = {}) {
  await empty(BEFORE_DB);
  await applyD1Migrations(BEFORE_DB, TEST_MIGRATIONS);
  const on = (binding: D1Database) => openD1(guardD1(watchQueries(binding), { timeoutMs: 5_000 }));
  const before = testServices({ ...overrides, db: on(BEFORE_DB) });
  return {
    before,
    /** The test's own connection to either database, whose statements are exempt from the query checks. */
    lookBefore: openD1(BEFORE_DB),
    lookAfter: openD1(AFTER_DB),
    /** Marks the database's present state as the one to restore. */
    takeCopy: () => copy(BEFORE_DB, AFTER_DB),
    /** The app goes on with the copy: same clock, same notes. */
    restored: () => testServices({ ...overrides, clock: before.clock, notes: before.notes, db: on(AFTER_DB) }),
  };
}
