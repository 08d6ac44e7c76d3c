// Payees imported per second, from upload to the last row, against plain inserts of the same rows into the same tables;
// how the time per row grows from 5,000 to 50,000 rows; and whether an app that is killed in an import loses or doubles
// any.
import { newStateDir, removeStateDir, startCopy } from "../scripts/lib/copy.mjs";
import { insertRows, readPayeesAsOther } from "./bare-rows.mjs";
import { killAll } from "./crash.mjs";
import { accountOf, withDatabase } from "./fill.mjs";
import { row } from "./lib.mjs";
import { call, signIn, startApp } from "./local-app.mjs";
import { peakMemory } from "./peak-memory.mjs";

const SIZES = (process.argv[2] ?? "5000,50000").split(",").map(Number);
/** True: consecutive account numbers, as in a made-up file. False: scattered ones, as in a real file. */
const IS_CONSECUTIVE = process.argv[3] === "consecutive";
/** Shares of an import that are done when the app is killed. */
const KILLED_AT = [0.1, 0.3, 0.5, 0.7, 0.9];
/** The schedule that sends what still waits to the queues again. */
const SWEEP = "* * * * *";
/** Enough that not all of it is done while the app starts again. */
const ROWS_IN_CRASH = 20_000;
const PLATFORM = "00000000-0000-7000-8000-000000000000";
const TIMEOUT_MS = 600_000;

const numberOf = (n) => (IS_CONSECUTIVE ? 100_000_000 + n : accountOf(n));

/** Suppliers with accounts and names of their own, as an accounting system exports them. */
function aTable(size, mark) {
  const lines = ["Supplier,Account name,BSB,Account number,ABN,Email"];
  for (let i = 0; i < size; i++) {
    const name = `Bench ${mark}${i.toString(36)} Supplies ${(i * 7919).toString(36)}`;
    lines.push(
      `${name},${name} Pty Ltd,062-000,${numberOf(mark * 1_000_000 + i)},,accounts@${name.replaceAll(" ", "").toLowerCase()}.example`,
    );
  }
  return lines.join("\r\n");
}

const upload = async (app, text) => JSON.parse(await call(app, "/api/imports/payees?name=bench.csv", text)).import.id;

const progress = async (app, id) => JSON.parse(await call(app, `/api/imports/${id}`)).import;

/** Waits until an import has ended, or until a given number of its rows are done. */
async function untilDone(app, id, rows = Number.POSITIVE_INFINITY) {
  const until = performance.now() + TIMEOUT_MS;
  for (;;) {
    const found = await progress(app, id);
    if (found.status === "finished" || found.done >= rows) return found;
    if (performance.now() > until) throw new Error(`the import was not done in time: ${JSON.stringify(found)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Inserts the rows that an import made, under other ids and another organisation, in as few statements as possible. */
const insertBare = (stateDir, mark) =>
  withDatabase(stateDir, async (db) => insertRows(db, await readPayeesAsOther(db, `Bench ${mark}%`, PLATFORM)));

const perSecond = (size, ms) => Math.round((size / ms) * 1000).toLocaleString("en-AU");

async function measure(figures) {
  for (const [at, size] of SIZES.entries()) {
    const mark = at + 1;
    const stateDir = newStateDir();
    const app = await startApp(stateDir);
    const warm = await upload(app, aTable(50, 9));
    await untilDone(app, warm);
    const started = performance.now();
    const found = await untilDone(app, await upload(app, aTable(size, mark)));
    const imported = performance.now() - started;
    if (found.added !== size) throw new Error(`${found.added} of ${size} rows were added`);
    const memory = process.platform === "linux" ? peakMemory(app.supervisor.pid) : undefined;
    await app.stop();
    const bare = await insertBare(stateDir, mark);
    removeStateDir(stateDir);
    figures[size] = { imported };
    row(
      `${size.toLocaleString("en-AU")} rows imported`,
      `${perSecond(size, imported)} rows/s`,
      `bare insert ${perSecond(size, bare)} rows/s: ${(bare / imported).toFixed(2)} x; peak ${memory ?? "?"} MiB`,
    );
  }
}

/** Kills the copy and restarts it on the data it left. */
async function killAndRestart(app, stateDir) {
  await killAll(app);
  const done = await withDatabase(stateDir, async (db) => {
    // No time here to wait for the lease of the killed consumer to run out.
    await db
      .prepare("UPDATE outbox SET leaseUntil = 0, dueAt = 0 WHERE status = 'pending' AND leaseId IS NOT NULL")
      .run();
    return db.prepare("SELECT count(*) AS n FROM payee_import_rows").first("n");
  });
  const copy = await startCopy(stateDir, { ports: app.ports });
  return { app: { ...copy, cookie: await signIn(copy) }, done };
}

/** Kills the app at five points of one import; each time the import continues after a restart. */
async function crash() {
  const stateDir = newStateDir();
  let app = await startApp(stateDir);
  const id = await upload(app, aTable(ROWS_IN_CRASH, 5));
  for (const part of KILLED_AT) {
    await untilDone(app, id, part * ROWS_IN_CRASH);
    const restarted = await killAndRestart(app, stateDir);
    app = restarted.app;
    console.log(`  killed at ${restarted.done} of ${ROWS_IN_CRASH} rows`);
    await fetch(`${app.origin}/__scheduled?cron=${encodeURIComponent(SWEEP)}`);
  }
  const found = await untilDone(app, id);
  await app.stop();
  const [kept, opened, results] = await withDatabase(stateDir, (db) =>
    Promise.all(
      [
        "SELECT count(*) AS n FROM payees WHERE name LIKE 'Bench 5%'",
        "SELECT count(*) AS n FROM verifications WHERE payeeId IN (SELECT id FROM payees WHERE name LIKE 'Bench 5%')",
        `SELECT count(*) AS n FROM payee_import_rows WHERE importId = '${id}'`,
      ].map((text) => db.prepare(text).first("n")),
    ),
  );
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
const [first, last] = [SIZES[0], SIZES.at(-1)];
const growth = figures[last].imported / last / (figures[first].imported / first);
row(
  `time per row, ${last.toLocaleString("en-AU")} against ${first.toLocaleString("en-AU")}`,
  `${growth.toFixed(2)} x`,
  "1.00 is linear",
);
await crash();
