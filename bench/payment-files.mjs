// A payment file from upload to the last decision, against parsing and inserting the same lines bare in the same run; how
// the time grows from 1,000 to 20,000 lines; what memory it takes; and how soon an approver sees the summary.
import { Miniflare } from "miniflare";
import Papa from "papaparse";
import { newStateDir, removeStateDir } from "../scripts/lib/copy.mjs";
import { accountOf, fill, withDatabase } from "./fill.mjs";
import { median, row } from "./lib.mjs";
import { call, startApp } from "./local-app.mjs";
import { peakMemory } from "./peak-memory.mjs";

const PAYEES = 20_000;
const RUNS = { 200: 3, 1000: 5, 10000: 3, 20000: 1 };
const SIZES = Object.keys(RUNS).map(Number);
/** One line in so many pays an account that is no payee's. */
const ONE_UNKNOWN_IN = 20;
const UNKNOWN_ACCOUNTS = 10_000_000;
const ROWS_PER_INSERT = 400;
const TIMEOUT_MS = 300_000;

let made = 0;

/** A pay run to trusted payees, as a table. No two tables share a reference. */
function aTable(size) {
  const mark = made++;
  const lines = ["Account name,BSB,Account number,Amount,Reference"];
  for (let i = 0; i < size; i++) {
    const isUnknown = i % ONE_UNKNOWN_IN === ONE_UNKNOWN_IN - 1;
    const account = isUnknown ? UNKNOWN_ACCOUNTS + i : accountOf(i);
    const name = `Bench Supplies ${String(i).padStart(6, "0")} Pty Ltd`;
    lines.push(`${name},062-000,${account},${(100 + (i % 900)).toFixed(2)},B${mark}-${i}`);
  }
  return lines.join("\n");
}

/** @returns milliseconds until every line is decided, and until the approver's summary has been drawn */
async function check(app, table) {
  const started = performance.now();
  let { file } = JSON.parse(await call(app, "/api/payment-files?name=bench.csv", table));
  while (file.status === "checking") {
    if (performance.now() - started > TIMEOUT_MS) throw new Error("the file was not checked in time");
    await new Promise((resolve) => setTimeout(resolve, 50));
    ({ file } = JSON.parse(await call(app, `/api/payment-files/${file.id}`)));
  }
  const checked = performance.now() - started;
  const page = await call(app, `/payments/files/${file.id}`);
  if (!page.includes("</main>")) throw new Error("the summary was not drawn");
  return { checked, shown: performance.now() - started };
}

/** The least that taking the lines in can cost: parse the table, insert its rows, on a disk as the app does. */
async function insertBare(table) {
  const folder = newStateDir();
  const miniflare = new Miniflare({
    modules: true,
    script: "export default {}",
    cf: false,
    defaultPersistRoot: folder,
    d1Databases: { DB: "bare" },
  });
  const db = await miniflare.getD1Database("DB");
  await db.prepare("CREATE TABLE lines (name TEXT, bsb TEXT, account TEXT, amount TEXT, reference TEXT) STRICT").run();
  const started = performance.now();
  const rows = Papa.parse(table).data.slice(1);
  const insert = db.prepare(
    "INSERT INTO lines SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?)",
  );
  const statements = [];
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
    statements.push(insert.bind(JSON.stringify(rows.slice(at, at + ROWS_PER_INSERT))));
  }
  await db.batch(statements);
  const took = performance.now() - started;
  await miniflare.dispose();
  removeStateDir(folder);
  return took;
}

const stateDir = newStateDir();
await (await startApp(stateDir)).stop();
await fill(stateDir, 0, PAYEES);
await withDatabase(stateDir, async (db) => {
  await db.prepare("UPDATE payees SET whitelisted = 1 WHERE name LIKE 'Bench %'").run();
  await db
    .prepare("UPDATE verifications SET status = 'verified', completedAt = ? WHERE accountName LIKE 'Bench %'")
    .bind(Date.now())
    .run();
});
const app = await startApp(stateDir);
await check(app, aTable(50));
const figures = {};
try {
  for (const size of SIZES) {
    const tables = Array.from({ length: RUNS[size] }, () => aTable(size));
    const runs = [];
    for (const table of tables) runs.push(await check(app, table));
    const memory = process.platform === "linux" ? peakMemory(app.supervisor.pid) : undefined;
    const bare = [];
    for (const table of tables) bare.push(await insertBare(table));
    const middle = (name) => median(runs.map((each) => each[name]));
    figures[size] = { checked: middle("checked"), shown: middle("shown"), bare: median(bare), memory };
  }
} finally {
  await app.stop();
  removeStateDir(stateDir);
}
for (const size of SIZES) {
  const { checked, bare, memory } = figures[size];
  const perSecond = (ms) => Math.round((size / ms) * 1000).toLocaleString("en-AU");
  row(
    `${size.toLocaleString("en-AU")} lines, checked`,
    `${Math.round(checked)} ms`,
    `${perSecond(checked)} lines/s; bare parse and insert ${perSecond(bare)} lines/s: ${(bare / checked).toFixed(2)} x; peak ${memory ?? "?"} MiB`,
  );
}
row("200 lines, from upload to the summary", `${Math.round(figures[200].shown)} ms`, "goal: below 2,000");
const growth = figures[20_000].checked / 20_000 / (figures[1_000].checked / 1_000);
row("time per line, 20,000 against 1,000", `${growth.toFixed(2)} x`, "1.00 is linear");
