// npm run bench migrations: applies each migration since the release before to a database with 100,000 payees and
// 1,000,000 audit entries, and prints how long it takes and how many rows it writes. A file may take 5 seconds; a
// larger change is done by a job.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Miniflare } from "miniflare";
import { unstable_splitSqlQuery as splitSql } from "wrangler";
import { row } from "./lib.mjs";

const FOLDER = "db/migrations";
const PAYEES = 100_000;
const ENTRIES = 1_000_000;
const CHUNK = 50_000;
const LONGEST_MS = 5_000;

const [previous] = JSON.parse(readFileSync("db/releases.json", "utf8"));
const files = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".sql"))
  .sort();
const isNewer = (name) => name.replace(".sql", "") > previous.migration;
const statementsOf = (name) => splitSql(readFileSync(path.join(FOLDER, name), "utf8"));

const stateDir = mkdtempSync(path.join(tmpdir(), "payeeproof-migrations-"));
const miniflare = new Miniflare({
  modules: true,
  script: "export default {}",
  cf: false,
  defaultPersistRoot: stateDir,
  d1Databases: { DB: "00000000-0000-0000-0000-000000000001" },
});

/** Rows 1 to `count` of a table, in pieces. @param insert with the list `n(i)` of numbers in front */
async function fill(db, count, insert) {
  for (let first = 1; first <= count; first += CHUNK) {
    const last = Math.min(first + CHUNK - 1, count);
    await db
      .prepare(`WITH RECURSIVE n(i) AS (SELECT ${first} UNION ALL SELECT i + 1 FROM n WHERE i < ${last}) ${insert}`)
      .run();
  }
}

const ID = (mark) => `printf('0${mark}000000-0000-7000-8000-%012d', i)`;

async function fillAll(db) {
  await db.prepare("INSERT INTO organizations (id, name, createdAt, updatedAt) VALUES ('o', 'Bench', 1, 1)").run();
  await fill(
    db,
    PAYEES,
    `INSERT INTO payees (id, organizationId, name, accountName, bsb, accountNumber, hash, accountFingerprint, terms, createdAt, updatedAt)
    SELECT ${ID(1)}, 'o', 'Bench Supplies ' || i, 'Bench Supplies ' || i, '062000', printf('%09d', i), 'b:' || i, 'b:' || i, '[]', i, i FROM n`,
  );
  await fill(
    db,
    PAYEES,
    `INSERT INTO verifications (id, organizationId, payeeId, method, accountName, bsb, accountNumber, createdAt)
    SELECT ${ID(2)}, 'o', ${ID(1)}, 'manual', 'Bench Supplies ' || i, '062000', printf('%09d', i), i FROM n`,
  );
  await fill(
    db,
    ENTRIES,
    `INSERT INTO audit_logs (id, organizationId, action, entityType, entityId, requestId, createdAt)
    SELECT ${ID(3)}, 'o', 'payee.added', 'payee', ${ID(1)}, 'r', i FROM n`,
  );
  await fill(
    db,
    PAYEES,
    `INSERT INTO outbox (id, queue, kind, status, dueAt, createdAt, finishedAt)
    SELECT ${ID(4)}, 'jobs', 'email', iif(i % 100, 'done', 'failed'), i, i, i FROM n`,
  );
  await fill(
    db,
    PAYEES,
    `INSERT INTO payment_records (id, organizationId, payeeId, amount, status, accountName, bsb, accountNumber, reasons, createdAt, updatedAt)
    SELECT ${ID(5)}, 'o', ${ID(1)}, i, iif(i % 10, 'successful', 'held'), 'Bench Supplies ' || i, '062000', printf('%09d', i), '[]', i, i FROM n`,
  );
}

async function apply(db, name) {
  const began = performance.now();
  const results = await db.batch(statementsOf(name).map((statement) => db.prepare(statement)));
  const ms = performance.now() - began;
  return { ms, rows: results.reduce((sum, { meta }) => sum + (meta.rows_written ?? 0), 0) };
}

let isTooLong = false;
try {
  const db = await miniflare.getD1Database("DB");
  for (const name of files.filter((each) => !isNewer(each))) await apply(db, name);
  await fillAll(db);
  row("payees, verifications, jobs and payments, each", PAYEES.toLocaleString("en-AU"));
  row("audit entries", ENTRIES.toLocaleString("en-AU"));
  for (const name of files.filter(isNewer)) {
    const { ms, rows } = await apply(db, name);
    row(name, `${(ms / 1000).toFixed(2)} s`, `${rows.toLocaleString("en-AU")} rows written`);
    isTooLong ||= ms > LONGEST_MS;
  }
} finally {
  await miniflare.dispose();
  rmSync(stateDir, { recursive: true, force: true });
}
if (isTooLong) throw new Error(`a migration takes more than ${LONGEST_MS / 1000} s: let a job do it in pages`);
