// Lines of a payment file checked per second, from upload to the last decision, against parsing and inserting the same
// lines bare; and how the time grows from 1,000 to 20,000 lines.
import path from "node:path";
import { Miniflare } from "miniflare";
import Papa from "papaparse";
import { newStateDir, removeStateDir } from "../scripts/lib/copy.mjs";
import { row } from "./lib.mjs";
import { startApp } from "./local-app.mjs";

const SIZES = [200, 1_000, 10_000, 20_000];
const ROWS_PER_INSERT = 400;
const TIMEOUT_MS = 300_000;

/** A table of payments to accounts of its own, so that no two sizes share a line. */
function aTable(size, mark) {
  const lines = ["Account name,BSB,Account number,Amount,Reference"];
  for (let i = 0; i < size; i++) {
    lines.push(
      `Bench Supplies ${mark} ${i},062-000,${mark * 100_000 + 10_000_000 + i},${(100 + (i % 900)).toFixed(2)},B${mark}-${i}`,
    );
  }
  return lines.join("\n");
}

async function check(app, text) {
  const headers = { Cookie: app.cookie, "Content-Type": "text/csv" };
  const started = performance.now();
  const response = await fetch(`${app.origin}/api/payment-files?name=bench.csv`, {
    method: "POST",
    headers,
    body: text,
  });
  if (!response.ok) throw new Error(`the upload answered ${response.status}: ${await response.text()}`);
  let { file } = await response.json();
  while (file.status === "checking") {
    if (performance.now() - started > TIMEOUT_MS) throw new Error("the file was not checked in time");
    await new Promise((resolve) => setTimeout(resolve, 50));
    const answer = await fetch(`${app.origin}/api/payment-files/${file.id}`, { headers: { Cookie: app.cookie } });
    file = (await answer.json()).file;
  }
  return performance.now() - started;
}

/** The least that taking the lines in can cost: parse the table, insert its rows. */
async function insertBare(text) {
  const miniflare = new Miniflare({
    modules: true,
    script: "export default {}",
    cf: false,
    d1Databases: { DB: "bare" },
  });
  const db = await miniflare.getD1Database("DB");
  await db.prepare("CREATE TABLE lines (name TEXT, bsb TEXT, account TEXT, amount TEXT, reference TEXT) STRICT").run();
  const started = performance.now();
  const rows = Papa.parse(text).data.slice(1);
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
  return took;
}

const stateDir = newStateDir();
const app = await startApp(stateDir);
await check(app, aTable(50, 9));
const figures = {};
for (const [mark, size] of SIZES.entries()) {
  const text = aTable(size, mark + 1);
  figures[size] = { checked: await check(app, text), bare: await insertBare(text) };
}
await app.stop();
removeStateDir(path.resolve(stateDir));
for (const size of SIZES) {
  const { checked, bare } = figures[size];
  const perSecond = (ms) => Math.round((size / ms) * 1000).toLocaleString("en-AU");
  row(
    `${size.toLocaleString("en-AU")} lines, checked`,
    `${Math.round(checked)} ms`,
    `${perSecond(checked)} lines/s; bare parse and insert ${perSecond(bare)} lines/s: ${(bare / checked).toFixed(2)} x`,
  );
}
const growth = figures[20_000].checked / 20_000 / (figures[1_000].checked / 1_000);
row("time per line, 20,000 against 1,000", `${growth.toFixed(2)} x`, "1.00 is linear");
