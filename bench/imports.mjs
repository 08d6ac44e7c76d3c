// Payees imported per second, from upload to the last row, against inserting the same rows bare into the same tables; how
// the time per row grows from 5,000 to 50,000 rows; and whether an app that is killed in an import loses or doubles any.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Miniflare } from "miniflare";
import { newStateDir, removeStateDir, startCopy } from "../scripts/lib/copy.mjs";
import { row } from "./lib.mjs";
import { signIn, startApp } from "./local-app.mjs";

const SIZES = (process.argv[2] ?? "5000,50000").split(",").map(Number);
const KILLED_AT = [0.1, 0.3, 0.5, 0.7, 0.9];
const ROWS_IN_CRASH = 5_000;
const DATABASE_ID = "00000000-0000-0000-0000-000000000001";
const PLATFORM = "00000000-0000-7000-8000-000000000000";
const TIMEOUT_MS = 1_800_000;
const ROWS_PER_STATEMENT = 500;

/** Suppliers with accounts and names of their own, as an accounting system exports them. */
function aTable(size, mark) {
  const lines = ["Supplier,Account name,BSB,Account number,ABN,Email"];
  for (let i = 0; i < size; i++) {
    const name = `Bench ${mark}${i.toString(36)} Supplies ${(i * 7919).toString(36)}`;
    lines.push(
      `${name},${name} Pty Ltd,062-000,${mark * 1_000_000 + 10_000_000 + i},,accounts@${name.replaceAll(" ", "").toLowerCase()}.example`,
    );
  }
  return lines.join("\r\n");
}

const headersOf = (app) => ({ Cookie: app.cookie, "Content-Type": "text/csv" });

async function upload(app, text) {
  const response = await fetch(`${app.origin}/api/imports/payees?name=bench.csv`, {
    method: "POST",
    headers: headersOf(app),
    body: text,
  });
  if (!response.ok) throw new Error(`the upload answered ${response.status}: ${await response.text()}`);
  return (await response.json()).import.id;
}

async function progress(app, id) {
  const answer = await fetch(`${app.origin}/api/imports/${id}`, { headers: { Cookie: app.cookie } });
  return (await answer.json()).import;
}

async function untilDone(app, id, done) {
  const until = performance.now() + TIMEOUT_MS;
  for (;;) {
    const found = await progress(app, id);
    if (found.status === "finished" || found.done >= done) return found;
    if (performance.now() > until) throw new Error(`the import was not done in time: ${JSON.stringify(found)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function openDatabase(stateDir) {
  const miniflare = new Miniflare({
    modules: true,
    script: "export default {}",
    cf: false,
    defaultPersistRoot: path.join(stateDir, "v3"),
    d1Databases: { DB: DATABASE_ID },
  });
  return { miniflare, db: await miniflare.getD1Database("DB") };
}

/** The rows that an import left, under other ids and another organisation, inserted by as few statements as they fit. */
async function insertBare(stateDir, mark) {
  const { miniflare, db } = await openDatabase(stateDir);
  const like = `Bench ${mark}%`;
  const other = (id) => `f${id.slice(1)}`;
  const read = async (text) => (await db.prepare(text).bind(like).all()).results;
  const payees = await read("SELECT * FROM payees WHERE name LIKE ?1");
  const mine = "IN (SELECT id FROM payees WHERE name LIKE ?1)";
  const verifications = await read(`SELECT * FROM verifications WHERE payeeId ${mine}`);
  const terms = await read(`SELECT * FROM payee_terms WHERE payeeId ${mine}`);
  const tables = {
    payees: payees.map((each) => ({ ...each, id: other(each.id), organizationId: PLATFORM })),
    verifications: verifications.map((each) => ({
      ...each,
      id: other(each.id),
      payeeId: other(each.payeeId),
      organizationId: PLATFORM,
    })),
    payee_terms: terms.map((each) => ({ ...each, payeeId: other(each.payeeId), organizationId: PLATFORM })),
  };
  const started = performance.now();
  for (const [table, rows] of Object.entries(tables)) {
    const columns = Object.keys(rows[0]);
    const insert = db.prepare(
      `INSERT INTO ${table} (${columns.map((name) => `"${name}"`).join()})
        SELECT ${columns.map((name) => `value ->> '${name}'`).join()} FROM json_each(?)`,
    );
    for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
      await insert.bind(JSON.stringify(rows.slice(at, at + ROWS_PER_STATEMENT))).run();
    }
  }
  const took = performance.now() - started;
  await miniflare.dispose();
  return took;
}

/** Every process below one, deepest first. */
function descendants(pid) {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        return [{ pid: Number(name), parent: Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) }];
      } catch {
        return [];
      }
    });
  const below = (of) => parents.filter(({ parent }) => parent === of).flatMap((each) => [...below(each.pid), each.pid]);
  return below(pid);
}

async function measure(figures) {
  for (const [at, size] of SIZES.entries()) {
    const mark = at + 1;
    const stateDir = newStateDir();
    const app = await startApp(stateDir);
    const warm = await upload(app, aTable(50, 9));
    await untilDone(app, warm, Number.POSITIVE_INFINITY);
    const started = performance.now();
    const found = await untilDone(app, await upload(app, aTable(size, mark)), Number.POSITIVE_INFINITY);
    const imported = performance.now() - started;
    if (found.added !== size) throw new Error(`${found.added} of ${size} rows were added`);
    await app.stop();
    figures[size] = { imported, bare: await insertBare(stateDir, mark) };
    removeStateDir(stateDir);
  }
}

async function crash() {
  const stateDir = newStateDir();
  let app = await startApp(stateDir);
  const id = await upload(app, aTable(ROWS_IN_CRASH, 5));
  for (const share of KILLED_AT) {
    const { done } = await untilDone(app, id, share * ROWS_IN_CRASH);
    for (const pid of [...descendants(app.supervisor.pid), app.supervisor.pid]) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended with its parent.
      }
    }
    await app.ended;
    console.log(`  killed at ${done} of ${ROWS_IN_CRASH} rows`);
    const copy = await startCopy(stateDir, { ports: app.ports });
    app = { ...copy, cookie: await signIn(copy) };
  }
  const found = await untilDone(app, id, Number.POSITIVE_INFINITY);
  await app.stop();
  const { miniflare, db } = await openDatabase(stateDir);
  const count = async (text) => (await db.prepare(text).first()).n;
  const kept = await count("SELECT count(*) AS n FROM payees WHERE name LIKE 'Bench 5%'");
  const results = await count(`SELECT count(*) AS n FROM payee_import_rows WHERE importId = '${id}'`);
  const opened = await count(
    "SELECT count(*) AS n FROM verifications WHERE payeeId IN (SELECT id FROM payees WHERE name LIKE 'Bench 5%')",
  );
  await miniflare.dispose();
  removeStateDir(stateDir);
  row(
    `${ROWS_IN_CRASH.toLocaleString("en-AU")} rows, killed at five points`,
    `${kept} payees`,
    `${opened} verifications, ${results} results, counted ${found.added} added`,
  );
  if ([kept, opened, results, found.added].some((each) => each !== ROWS_IN_CRASH)) process.exitCode = 1;
}

const figures = {};
await measure(figures);
const perSecond = (size, ms) => Math.round((size / ms) * 1000).toLocaleString("en-AU");
for (const size of SIZES) {
  const { imported, bare } = figures[size];
  row(
    `${size.toLocaleString("en-AU")} rows imported`,
    `${perSecond(size, imported)} rows/s`,
    `bare insert ${perSecond(size, bare)} rows/s: ${(bare / imported).toFixed(2)} x`,
  );
}
const [first, last] = [SIZES[0], SIZES.at(-1)];
const growth = figures[last].imported / last / (figures[first].imported / first);
row(
  `time per row, ${last.toLocaleString("en-AU")} against ${first.toLocaleString("en-AU")}`,
  `${growth.toFixed(2)} x`,
  "1.00 is linear",
);
await crash();
