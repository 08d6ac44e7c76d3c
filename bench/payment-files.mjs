// A payment file from upload to the last decision, against only parsing and inserting the same lines in the same run;
// how the time grows from 1,000 to 20,000 lines; how much memory it uses; and how soon an approver sees the summary.
import path from "node:path";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { newStateDir, removeStateDir } from "../scripts/lib/copy.mjs";
import { accountOf, DATABASE_ID, fill, withDatabase } from "./fill.mjs";
import { median, row } from "./lib.mjs";
import { call, startApp } from "./local-app.mjs";
import { peakMemory } from "./peak-memory.mjs";
import { findWorkerd, processorTime } from "./processor-time.mjs";

const PAYEES = 20_000;
/** The median counts, because the first runs of each size warm both up. */
const RUNS = { 200: 5, 1000: 5, 10000: 7, 20000: 3 };
const SIZES = Object.keys(RUNS).map(Number);
/** One line in this many pays an account that belongs to no payee. */
const ONE_UNKNOWN_IN = 20;
const UNKNOWN_ACCOUNTS = 10_000_000;
const TIMEOUT_MS = 300_000;

let made = 0;

/** A pay run to trusted payees, as a table. Each table has references of its own. */
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

const isLinux = process.platform === "linux";
const processorTimeBelow = (pid) => (isLinux ? processorTime(findWorkerd(pid)) : 0);

/**
 * @returns milliseconds until every line is decided, how many of them on the processor, and until the summary is shown
 */
async function check(app, table) {
  const before = processorTimeBelow(app.supervisor.pid);
  const started = performance.now();
  let { file } = JSON.parse(await call(app, "/api/payment-files?name=bench.csv", table));
  while (file.status === "checking") {
    if (performance.now() - started > TIMEOUT_MS) throw new Error("the file was not checked in time");
    await new Promise((resolve) => setTimeout(resolve, 50));
    ({ file } = JSON.parse(await call(app, `/api/payment-files/${file.id}`)));
  }
  const checked = performance.now() - started;
  const processor = processorTimeBelow(app.supervisor.pid) - before;
  const page = await call(app, `/payments/files/${file.id}`);
  if (!page.includes("</main>")) throw new Error("the summary was not drawn");
  return { checked, processor, shown: performance.now() - started };
}

/**
 * Only parses and inserts the same tables, in the same order, in the database that the app has used: the least that
 * storing them can cost.
 * @param manner "/" in bulk, "/singly" with one statement a line
 * @returns milliseconds for each table, and how many of them on the processor
 */
async function insertBare(stateDir, tables, manner) {
  const { outputFiles } = await build({
    entryPoints: ["bench/bare-lines.mjs"],
    bundle: true,
    format: "esm",
    external: ["stream"],
    write: false,
  });
  const miniflare = new Miniflare({
    modules: true,
    script: outputFiles[0].text,
    cf: false,
    compatibilityDate: "2026-04-01",
    defaultPersistRoot: path.join(stateDir, "v3"),
    d1Databases: { DB: DATABASE_ID },
  });
  const app = { origin: (await miniflare.ready).origin, cookie: "" };
  const took = [];
  for (const table of [aTable(50), ...tables]) {
    const before = processorTimeBelow(process.pid);
    const started = performance.now();
    await call(app, manner, table);
    took.push({ bare: performance.now() - started, bareProcessor: processorTimeBelow(process.pid) - before });
  }
  await miniflare.dispose();
  return took.slice(1);
}

const middleOf = (runs, names) =>
  Object.fromEntries(names.map((name) => [name, median(runs.map((each) => each[name]))]));

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
const tablesOf = new Map(SIZES.map((size) => [size, Array.from({ length: RUNS[size] }, () => aTable(size))]));
try {
  for (const [size, tables] of tablesOf) {
    const runs = [];
    for (const table of tables) runs.push(await check(app, table));
    const memory = isLinux ? peakMemory(app.supervisor.pid) : undefined;
    figures[size] = { ...middleOf(runs, ["checked", "processor", "shown"]), memory };
  }
  await app.stop();
  const all = [...tablesOf].flatMap(([size, tables]) => tables.map((table) => ({ size, table })));
  const tables = all.map(({ table }) => table);
  const [inBulk, singly] = [await insertBare(stateDir, tables, "/"), await insertBare(stateDir, tables, "/singly")];
  for (const size of SIZES) {
    const runsOf = (bare) => bare.filter((_, index) => all[index].size === size);
    Object.assign(figures[size], middleOf(runsOf(inBulk), ["bare", "bareProcessor"]));
    figures[size].singly = middleOf(runsOf(singly), ["bare"]).bare;
  }
} finally {
  await app.stop();
  removeStateDir(stateDir);
}
for (const size of SIZES) {
  const { checked, processor, bare, bareProcessor, singly, memory } = figures[size];
  const perSecond = (ms) => Math.round((size / ms) * 1000).toLocaleString("en-AU");
  row(
    `${size.toLocaleString("en-AU")} lines, checked`,
    `${Math.round(checked)} ms`,
    `${perSecond(checked)} lines/s; bare parse and insert in bulk ${perSecond(bare)} lines/s: ${(bare / checked).toFixed(2)} x; with a statement a line ${perSecond(singly)} lines/s: ${(singly / checked).toFixed(2)} x; peak ${memory ?? "?"} MiB`,
  );
  if (isLinux) {
    const ratio = (bareProcessor / processor).toFixed(2);
    row("  of it on the processor", `${processor} ms`, `bare ${bareProcessor} ms: ${ratio} x`);
  }
}
row("200 lines, from upload to the summary", `${Math.round(figures[200].shown)} ms`, "goal: below 2,000");
const growth = figures[20_000].checked / 20_000 / (figures[1_000].checked / 1_000);
row("time per line, 20,000 against 1,000", `${growth.toFixed(2)} x`, "1.00 is linear");
