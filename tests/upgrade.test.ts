import { readdirSync, readFileSync } from "node:fs";
import { schemaSupport } from "@db/database";
import { readMigrationState } from "@db/migration-state";
import releases from "@db/releases.json";
import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { checkHealth } from "~/modules/core/operations/watch.server";
import type { Services } from "~/services-and-actor";
import { openTestLibsql } from "./support/libsql";

/**
 * While an upgrade spreads, the release before runs on the new schema: whatever it reads and writes must still be there. What is
 * dropped, renamed or rebuilt comes at least one release after its last use.
 */

const FOLDER = "db/migrations";
const [previous] = releases;
if (!previous) throw new Error("there is no release");

type Tables = Readonly<Record<string, { columns: Readonly<Record<string, unknown>>; indexes: object }>>;
const snapshotOf = (migration: string): Tables =>
  JSON.parse(readFileSync(`${FOLDER}/meta/${migration.slice(0, 4)}_snapshot.json`, "utf8")).tables;

/** The tables and columns that the previous release uses. */
const used = snapshotOf(previous.migration);

const NAME = '["`]?(\\w+)["`]?';
const found = (sql: string, pattern: string) => [...sql.matchAll(new RegExp(pattern.replaceAll("NAME", NAME), "gi"))];

/** Names of triggers and indexes that are recreated after being dropped. */
const isMadeAgain = (sql: string, kind: string, name: string) =>
  new RegExp(`create\\s+(unique\\s+)?${kind}\\s+["\`]?${name}["\`]?`, "i").test(sql);

/** A generated column that the same file makes anew: nothing is kept in it, and it has its name again. */
const isAddedAgain = (sql: string, table = "", column = "") =>
  new RegExp(
    `alter\\s+table\\s+["\`]?${table}["\`]?\\s+add\\s+(column\\s+)?["\`]?${column}["\`]?[^;]*generated\\s+always`,
    "i",
  ).test(sql);

/** Why the release before would not work, or would do less, on a schema with this migration; none: it works. */
function problemsOf(sql: string, tables: Tables): string[] {
  const isUsed = (table = "", column?: string) =>
    tables[table] !== undefined && (column === undefined || tables[table].columns[column] !== undefined);
  const problems: string[] = [];
  for (const [, table] of found(sql, "drop\\s+table\\s+(?:if\\s+exists\\s+)?NAME"))
    if (isUsed(table)) problems.push(`table ${table} is dropped`);
  for (const [, table, to] of found(sql, "alter\\s+table\\s+NAME\\s+rename\\s+to\\s+NAME"))
    if (isUsed(table)) problems.push(`table ${table} is renamed to ${to}`);
  for (const [, table, column] of found(sql, "alter\\s+table\\s+NAME\\s+rename\\s+(?:column\\s+)?(?!to\\b)NAME\\s+to"))
    if (isUsed(table, column)) problems.push(`${table}.${column} is renamed`);
  for (const [, table, column] of found(sql, "alter\\s+table\\s+NAME\\s+drop\\s+(?:column\\s+)?NAME"))
    if (isUsed(table, column) && !isAddedAgain(sql, table, column)) problems.push(`${table}.${column} is dropped`);
  for (const [all, table, column] of found(sql, "alter\\s+table\\s+NAME\\s+add\\s+(?:column\\s+)?NAME[^;]*"))
    if (isUsed(table) && /not\s+null/i.test(all) && !/default|generated/i.test(all))
      problems.push(`${table}.${column} has no default: the release before writes rows without it`);
  for (const [, name, table] of found(sql, "create\\s+unique\\s+index\\s+NAME\\s+on\\s+NAME"))
    if (isUsed(table)) problems.push(`${name} refuses rows of ${table} that the release before may write`);
  for (const [, name = ""] of found(sql, "drop\\s+trigger\\s+(?:if\\s+exists\\s+)?NAME"))
    if (!isMadeAgain(sql, "trigger", name)) problems.push(`trigger ${name} is dropped`);
  return problems;
}

const newer = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".sql") && name.replace(".sql", "") > previous.migration)
  .sort();
const textOf = (name: string) => readFileSync(`${FOLDER}/${name}`, "utf8");

test("there are migrations since the release before, and its list of tables is known", () => {
  expect(newer).toContain("0049_operations.sql");
  expect(Object.keys(used).length).toBeGreaterThan(50);
});

test.each(newer)("the release before works on a schema with %s", (name) => {
  expect(problemsOf(textOf(name), used)).toEqual([]);
});

test.each([
  ['DROP TABLE "outbox";', "table outbox is dropped"],
  ["ALTER TABLE `payees` RENAME TO `suppliers`;", "table payees is renamed to suppliers"],
  ['ALTER TABLE "payees" RENAME COLUMN "name" TO "title";', "payees.name is renamed"],
  ['ALTER TABLE "payees" DROP COLUMN "name";', "payees.name is dropped"],
  [
    'ALTER TABLE "payees" ADD "colour" text NOT NULL;',
    "payees.colour has no default: the release before writes rows without it",
  ],
  ['CREATE UNIQUE INDEX "one" ON "payees" ("name");', "one refuses rows of payees that the release before may write"],
  ['DROP TRIGGER "audit_logs_no_update";', "trigger audit_logs_no_update is dropped"],
  [
    "CREATE TABLE __new_payees (id text); INSERT INTO __new_payees SELECT id FROM payees; DROP TABLE payees; ALTER TABLE __new_payees RENAME TO payees;",
    "table payees is dropped",
  ],
])("it would be found: %s", (sql, problem) => {
  expect(problemsOf(sql, used)).toContain(problem);
});

test.each([
  'ALTER TABLE "payees" ADD "colour" text;',
  'ALTER TABLE "payees" ADD "count" integer DEFAULT 0 NOT NULL;',
  'CREATE TABLE "colours" ("id" text PRIMARY KEY NOT NULL) STRICT;\nCREATE UNIQUE INDEX "c" ON "colours" ("id");',
  'DROP TABLE "colours";',
  'DROP TRIGGER "t"; CREATE TRIGGER "t" BEFORE DELETE ON "payees" BEGIN SELECT 1; END;',
])("the release before works on: %s", (sql) => {
  expect(problemsOf(sql, used)).toEqual([]);
});

const changelog = readFileSync("CHANGELOG.md", "utf8");
const sections = new Map(
  changelog
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.split("\n", 1)[0]?.trim() ?? "", section]),
);
const unreleased = sections.get("Unreleased") ?? "";

test.each(newer)("the changelog says how long %s takes and how many rows it writes", (name) => {
  expect(unreleased).toMatch(new RegExp(`\`${name.replace(".sql", "")}\`: [\\d.,]+ s, [\\d,]+ rows written`));
});

test("each release says its commit, new variables, migrations, what to do, and how to go back", () => {
  for (const { version, commit } of releases) expect(sections.get(version)).toContain(commit);
  for (const heading of ["New variables", "Migrations", "What to do", "How to go back"])
    expect(unreleased).toContain(`### ${heading}`);
});

const db = await openTestLibsql();
afterAll(() => db.delete(schemaSupport));

test("a build serves the schema it was made for, an older one not, and a newer one until that says otherwise", async () => {
  const of = (needed: string) => readMigrationState(db, needed);
  const { applied = "" } = await of("0000");
  expect(applied).toMatch(/^\d{4}_/);
  expect(await of(applied)).toMatchObject({ isReady: true, isBuildTooOld: false });
  expect(await of("9999_later")).toMatchObject({ isReady: false, isBuildTooOld: false });
  expect(await of(previous.migration)).toMatchObject({ isReady: true });
  const health = () => checkHealth({ db, config: { version: "1", keys: {} } as Services["config"] });
  expect(await health()).toEqual({ ok: true, version: "1", migrations: applied });
  // The state if a build is uploaded before its migrations are applied, which is the wrong order.
  await db.run(
    sql`UPDATE __drizzle_migrations SET created_at = created_at + 1 WHERE created_at = (SELECT max(created_at) FROM __drizzle_migrations)`,
  );
  expect(await health()).toMatchObject({ ok: false, problem: "the database is older than this build" });
  await db.run(
    sql`UPDATE __drizzle_migrations SET created_at = created_at - 1 WHERE created_at = (SELECT max(created_at) FROM __drizzle_migrations)`,
  );
  await db.update(schemaSupport).set({ oldestMigration: "9998_contract" });
  expect(await health()).toMatchObject({ ok: false, problem: "the database is newer than this build" });
  expect(await of(applied)).toMatchObject({ isReady: false, isBuildTooOld: true });
  expect(await of("9998_contract")).toMatchObject({ isBuildTooOld: false });
});
