// What the main acts cost on the platform, from the rows that D1 reads and writes for them; writes docs/cost-model.md.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ROOT } from "../scripts/lib/console.mjs";
import { newStateDir, removeStateDir } from "../scripts/lib/copy.mjs";
import { endLeases, fill, payeeId, verificationId, withDatabase } from "./fill.mjs";
import { median, row } from "./lib.mjs";
import { startApp } from "./local-app.mjs";
import { findWorkerd, processorTime } from "./processor-time.mjs";

/** US$ for a million, Cloudflare's paid plan beyond what it includes, November 2026. */
const PRICES = { rowsRead: 0.001, rowsWritten: 1, processorMs: 0.02, requests: 0.3 };
const PAYEES = 1_000;
const TIMES = 20;
const CHECKS = 5;
const ANSWER_MS = 30_000;
const ALERTS = 9;
/** Alerts and their emails are written after the answer; this long after it they are. */
const AFTER_MS = 2_000;

async function call(app, address, body) {
  const headers = { Cookie: app.cookie, "Content-Type": "application/json" };
  const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(app.origin + address, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${address} answered ${response.status}: ${text}`);
  return text.startsWith("{") ? JSON.parse(text) : text;
}

let serial = 0;
const addPayee = (app) => {
  serial += 1;
  return call(app, "/api/payees", {
    name: `Wattle Creek Electrical ${serial} Pty Ltd`,
    accountName: `Wattle Creek Electrical ${serial} Pty Ltd`,
    bsb: "062-000",
    accountNumber: String(400_000_000 + serial),
    email: `accounts@wattle-creek-${serial}.example`,
  });
};

async function checkAtBank(app) {
  const { verification } = await addPayee(app);
  const meterOfPayee = await readMeter(app);
  await call(app, `/api/verifications/${verification.id}/verify-basiq`, {});
  const told = await fetch(`${app.simulators}/basiq/complete`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ verificationId: verification.id, persona: "match" }),
  });
  if (!told.ok) throw new Error(`the bank's stand-in answered ${told.status}: ${await told.text()}`);
  for (const until = Date.now() + ANSWER_MS; Date.now() < until; await wait(250)) {
    if ((await call(app, `/api/verifications/${verification.id}`)).outcome) return meterOfPayee;
  }
  throw new Error("the bank check did not end");
}

const pay = (app) =>
  call(app, "/api/payments", {
    payeeId: payeeId(500),
    amount: 12_500,
    reference: `C-${crypto.randomUUID().slice(0, 8)}`,
  });

const readMeter = (app) => call(app, "/__local/meter");

/** Rows, requests and processor time of one act, on average. */
async function measure(app, times, act) {
  await act(app);
  await readMeter(app);
  const before = processorTime(app.pid);
  for (let i = 0; i < times; i++) await act(app);
  const { rowsRead, rowsWritten } = await readMeter(app);
  const processorMs = (processorTime(app.pid) - before) / times;
  return { rowsRead: rowsRead / times, rowsWritten: rowsWritten / times, processorMs, requests: 1 };
}

/** Without the payee that each check begins with: the meter starts again once that is added. */
async function measureChecks(app) {
  const sum = { rowsRead: 0, rowsWritten: 0 };
  const before = processorTime(app.pid);
  for (let i = 0; i < CHECKS; i++) {
    await checkAtBank(app);
    await wait(2_000);
    const { rowsRead, rowsWritten } = await readMeter(app);
    sum.rowsRead += rowsRead / CHECKS;
    sum.rowsWritten += rowsWritten / CHECKS;
  }
  return { ...sum, processorMs: (processorTime(app.pid) - before) / CHECKS, requests: 12 };
}

const assign = (app, assigneeId) => call(app, `/api/verifications/${verificationId(500)}/assignment`, { assigneeId });
const comment = (app, text) => call(app, `/api/verifications/${verificationId(501)}/comments`, { text });

/** Rows and processor time of one act and of all that follows from it: the middle of several, because schedules run as well. */
async function measureWhole(app, act, afterMs) {
  const before = processorTime(app.pid);
  await act();
  await wait(afterMs);
  return { ...(await readMeter(app)), processorMs: processorTime(app.pid) - before };
}

/** What an alert adds to its cause: the act that tells another person, less the same act that tells nobody. */
async function measureAlert(app, { told, untold, requests, afterMs = AFTER_MS, times = ALERTS }) {
  const [withAlert, without] = [[], []];
  await untold();
  await told();
  await wait(afterMs);
  await readMeter(app);
  for (let i = 0; i < times; i++) {
    without.push(await measureWhole(app, untold, afterMs));
    withAlert.push(await measureWhole(app, told, afterMs));
  }
  const middle = (of, what) => median(of.map((each) => each[what]));
  const added = (what) => middle(withAlert, what) - middle(without, what);
  return {
    rowsRead: added("rowsRead"),
    rowsWritten: added("rowsWritten"),
    processorMs: added("processorMs"),
    requests,
  };
}

const findUser = (stateDir, email) =>
  withDatabase(
    stateDir,
    async (db) => (await db.prepare("SELECT id FROM users WHERE email = ?").bind(email).first()).id,
  );

const stateDir = newStateDir();
await (await startApp(stateDir)).stop();
await fill(stateDir, 0, PAYEES);
await endLeases(stateDir);
const [self, colleague] = [
  await findUser(stateDir, "alex@harbour.example"),
  await findUser(stateDir, "sam@harbour.example"),
];
const started = await startApp(stateDir, { D1_METER: "1" });
const app = { ...started, pid: findWorkerd(started.supervisor.pid) };
const figures = {
  "A payee added": await measure(app, TIMES, addPayee),
  "A bank check, from asking to its answer": await measureChecks(app),
  "A payment recorded": await measure(app, TIMES, pay),
  "An alert to one person, in the app": await measureAlert(app, {
    told: () => assign(app, colleague),
    untold: () => assign(app, self),
    requests: 0,
  }),
  "An alert to one person, in the app and by an email at once": await measureAlert(app, {
    told: () => comment(app, "@Sam, please look at this today"),
    untold: () => comment(app, "Please look at this, when free"),
    requests: 1,
    // An email waits for others of the same moment before it goes out.
    afterMs: 60_000,
    times: 5,
  }),
  "The list of payees shown": await measure(app, TIMES, () => call(app, "/payees")),
  "The dashboard shown": await measure(app, TIMES, () => call(app, "/dashboard")),
};
await app.stop();
removeStateDir(stateDir);

const costOf = (figure) => Object.entries(PRICES).reduce((sum, [what, price]) => sum + (figure[what] * price) / 1e6, 0);
const lines = Object.entries(figures).map(([name, figure]) => {
  const dollars = costOf(figure) * 1_000;
  const share = Math.round(((figure.rowsWritten * PRICES.rowsWritten) / 1e6 / costOf(figure)) * 100);
  row(name, `US$${dollars.toFixed(3)}`, `a thousand; ${Math.round(figure.rowsWritten)} rows written (${share} %)`);
  const cells = [name, figure.rowsRead, figure.rowsWritten, figure.processorMs].map((cell) =>
    typeof cell === "number" ? Math.round(cell) : cell,
  );
  return `| ${cells.join(" | ")} | ${dollars.toFixed(3)} | ${share} % |`;
});
writeFileSync(
  path.join(ROOT, "docs/cost-model.md"),
  `# What it costs to run

Written by \`node bench/cost.mjs\`; do not edit. Rows are what D1 counts, in an organisation of ${PAYEES} payees; processor time
is workerd's, measured here, with the database in the same process. Prices are Cloudflare's beyond what the paid plan
includes: US$${PRICES.rowsWritten} for a million rows written, ${PRICES.rowsRead} for a million read, ${PRICES.processorMs} for a million milliseconds, ${PRICES.requests} for a
million requests. The bank data provider's own charge is not in it. An alert is what it adds to its cause: the act that
tells another person, less the same act that tells nobody, with all that follows within ${AFTER_MS / 1_000} seconds, the middle of ${ALERTS}.

| Act | rows read | rows written | processor ms | US$ for 1,000 | of it rows written |
|---|---|---|---|---|---|
${lines.join("\n")}
`,
);
