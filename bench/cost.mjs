// What the main actions, an idle month, and a month of 1, 100 and 1,000 organisations cost on the platform, computed
// from the use of D1, the queues and the notes outside the database; writes docs/cost-model.md.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ROOT } from "../scripts/lib/console.mjs";
import { newStateDir, removeStateDir } from "../scripts/lib/copy.mjs";
import { endLeases, fill, payeeId, verificationId, withDatabase } from "./fill.mjs";
import { median, row } from "./lib.mjs";
import { startApp } from "./local-app.mjs";
import { findWorkerd, processorTime } from "./processor-time.mjs";

/**
 * Cloudflare's paid plan: US$ for a million beyond what the plan includes a month, in millions. A queue message costs
 * three operations at 0.4 (write, read and delete).
 */
const PRICES = {
  rowsRead: { dollars: 0.001, included: 25_000, words: "rows read" },
  rowsWritten: { dollars: 1, included: 50, words: "rows written" },
  processorMs: { dollars: 0.02, included: 30, words: "milliseconds of the processor" },
  requests: { dollars: 0.3, included: 10, words: "requests" },
  messages: { dollars: 1.2, included: 1 / 3, words: "messages of queues" },
  notesRead: { dollars: 0.5, included: 10, words: "reads of notes (KV)" },
  notesWritten: { dollars: 5, included: 1, words: "writes of notes (KV)" },
  notesListed: { dollars: 5, included: 1, words: "lists of notes (KV)" },
};
/**
 * Where the prices are published (in the sources of Cloudflare's pages, cloudflare/cloudflare-docs), and when they were
 * read.
 */
const SOURCES = {
  read: "27 November 2026",
  pages: ["workers/platform/pricing", "d1/platform/pricing", "queues/platform/pricing", "kv/platform/pricing"],
};
const MOVED = Object.keys(PRICES);
const PLAN = 5;
/** US$ for a gigabyte in D1 for a month, and how many the plan includes. */
const STORAGE = { dollars: 0.75, included: 5 };
const GIGABYTE = 1e9;
const DAYS = 30;
/** It runs twice in each minute. */
const EVERY_MINUTE = "* * * * *";
/** What the schedules of wrangler.toml run a month. */
const RUNS = {
  [EVERY_MINUTE]: DAYS * 24 * 60 * 2,
  "*/5 * * * *": DAYS * 24 * 12,
  "7 * * * *": DAYS * 24,
  "23 16 * * *": DAYS,
};
/**
 * A month of an organisation that checks fifty payments on each of 21 days. This is our assumption; no real
 * organisation was measured.
 */
const A_MONTH = {
  "A payee added": 100,
  "A bank check, from asking to its answer": 60,
  "A payment recorded": 1_050,
  "An alert to one person, in the app": 400,
  "An alert to one person, in the app and by an email at once": 150,
  "The list of payees shown": 600,
  "The dashboard shown": 600,
};
const ORGANIZATIONS = [1, 100, 1_000];
const KEPT_MONTHS = 12;
const PAYEES = 1_000;
const TIMES = 20;
const CHECKS = 5;
const ANSWER_MS = 30_000;
const ALERTS = 9;
/** Alerts and their emails are written after the response; after this long they are complete. */
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

/**
 * What each of several actions used, on average. The database grows by pages, so its growth only shows over many
 * actions.
 */
function each(meter, processorMs, { times, requests }) {
  const moved = MOVED.map((what) => [what, (meter[what] ?? 0) / times]);
  return { ...Object.fromEntries(moved), bytes: (meter.bytes - meter.before) / times, processorMs, requests };
}

/** What was used since the last reading, and the size of the database at that reading. */
const readMeter = async (app) => {
  const meter = await call(app, "/__local/meter");
  const before = app.bytes ?? meter.bytes;
  app.bytes = meter.bytes;
  return { ...meter, before };
};

/** Rows, messages, notes, requests and processor time of one action, on average. */
async function measure(app, times, act) {
  await act(app);
  await readMeter(app);
  const before = processorTime(app.pid);
  for (let i = 0; i < times; i++) await act(app);
  return each(await readMeter(app), (processorTime(app.pid) - before) / times, { times, requests: 1 });
}

/** Not counted: the payee that each check needs first. The meter starts again once the payee is added. */
async function measureChecks(app) {
  const sum = { before: 0, bytes: 0 };
  const before = processorTime(app.pid);
  for (let i = 0; i < CHECKS; i++) {
    await checkAtBank(app);
    await wait(2_000);
    for (const [what, moved] of Object.entries(await readMeter(app)))
      if (typeof moved === "number") sum[what] = (sum[what] ?? 0) + moved;
  }
  return each(sum, (processorTime(app.pid) - before) / CHECKS, { times: CHECKS, requests: 12 });
}

const FIVE_MINUTES_MS = 300_000;
/** Four minutes in which no other schedule runs, with eight runs of the one that runs twice a minute. */
const QUIET = { after: 15_000, ms: 240_000, runs: 8 };

/** The app's own runs of the every-minute schedule, including what they sometimes ask of the queues. */
async function measureEveryMinute(app) {
  await wait(FIVE_MINUTES_MS - (Date.now() % FIVE_MINUTES_MS) + QUIET.after);
  await readMeter(app);
  const before = processorTime(app.pid);
  await wait(QUIET.ms);
  return each(await readMeter(app), (processorTime(app.pid) - before) / QUIET.runs, { times: QUIET.runs, requests: 1 });
}

/**
 * One run of a schedule that finds nothing to do: the median of several, because the app's own schedules run at the
 * same time.
 */
async function measureIdle(app, cron) {
  const runs = [];
  for (let i = 0; i < 5; i++) {
    await readMeter(app);
    const before = processorTime(app.pid);
    await call(app, `/__local/scheduled?cron=${encodeURIComponent(cron)}`);
    runs.push(each(await readMeter(app), processorTime(app.pid) - before, { times: 1, requests: 1 }));
  }
  return Object.fromEntries(Object.keys(runs[0]).map((what) => [what, median(runs.map((run) => run[what]))]));
}

const assign = (app, assigneeId) => call(app, `/api/verifications/${verificationId(500)}/assignment`, { assigneeId });
const comment = (app, text) => call(app, `/api/verifications/${verificationId(501)}/comments`, { text });

/** One action and everything that follows from it: the median of several, because schedules also run. */
async function measureWhole(app, act, afterMs) {
  const before = processorTime(app.pid);
  await act();
  await wait(afterMs);
  return each(await readMeter(app), processorTime(app.pid) - before, { times: 1, requests: 0 });
}

/** The cost of an alert: an action that alerts another person, minus the same action without an alert. */
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
  const middle = (of, what) => median(of.map((one) => one[what]));
  // Processor time may differ by chance, even below zero.
  const more = (what) => Math.max(0, middle(withAlert, what) - middle(without, what));
  const added = Object.keys(withAlert[0]).map((what) => [what, more(what)]);
  return { ...Object.fromEntries(added), requests };
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
    // An email waits a little before it is sent, so that others can join it.
    afterMs: 60_000,
    times: 3,
  }),
  "The list of payees shown": await measure(app, TIMES, () => call(app, "/payees")),
  "The dashboard shown": await measure(app, TIMES, () => call(app, "/dashboard")),
};
const idle = { [EVERY_MINUTE]: await measureEveryMinute(app) };
for (const cron of Object.keys(RUNS)) idle[cron] ??= await measureIdle(app, cron);
await app.stop();
removeStateDir(stateDir);

const costOf = (figure) => MOVED.reduce((sum, what) => sum + (figure[what] * PRICES[what].dollars) / 1e6, 0);
const sumOf = (parts) =>
  Object.fromEntries(
    [...MOVED, "bytes"].map((what) => [what, parts.reduce((sum, [figure, times]) => sum + figure[what] * times, 0)]),
  );
const idleMonth = sumOf(Object.entries(RUNS).map(([cron, runs]) => [idle[cron], runs]));
const month = sumOf(Object.entries(A_MONTH).map(([name, times]) => [figures[name], times]));

/** What a month costs beyond what the plan includes, part by part, after a year of such months. */
function billOf(organizations) {
  const parts = MOVED.map((what) => {
    const moved = (idleMonth[what] + organizations * month[what]) / 1e6;
    return { words: PRICES[what].words, dollars: Math.max(0, moved - PRICES[what].included) * PRICES[what].dollars };
  });
  const gigabytes = (organizations * KEPT_MONTHS * month.bytes) / GIGABYTE;
  parts.push({ words: "storage", dollars: Math.max(0, gigabytes - STORAGE.included) * STORAGE.dollars });
  const dollars = parts.reduce((sum, part) => sum + part.dollars, PLAN);
  const most = parts.filter((part) => part.dollars >= 1).sort((a, b) => b.dollars - a.dollars);
  return { organizations, gigabytes, dollars, most: most.map((part) => `${part.words} ${part.dollars.toFixed(0)}`) };
}

const shown = (number) =>
  (Math.abs(number) >= 10 ? Math.round(number) : Number(number.toFixed(1))).toLocaleString("en-AU");
const lines = Object.entries(figures).map(([name, figure]) => {
  const dollars = costOf(figure) * 1_000;
  const share = Math.round(((figure.rowsWritten * PRICES.rowsWritten.dollars) / 1e6 / costOf(figure)) * 100);
  row(name, `US$${dollars.toFixed(3)}`, `a thousand; ${shown(figure.rowsWritten)} rows written (${share} %)`);
  const counts = [figure.rowsRead, figure.rowsWritten, figure.messages, figure.notesWritten, figure.processorMs];
  return `| ${[name, ...counts.map(shown)].join(" | ")} | ${dollars.toFixed(3)} | ${share} % |`;
});
const idleLines = Object.entries(idle).map(([cron, run]) => {
  const counts = [run.rowsRead, run.rowsWritten, run.messages, run.notesRead, run.notesWritten, run.processorMs];
  return `| \`${cron}\` | ${[RUNS[cron], ...counts].map(shown).join(" | ")} |`;
});
row(
  "a month in which nobody does anything",
  `US$${costOf(idleMonth).toFixed(2)}`,
  "at the prices beyond what the plan includes",
);
const bills = ORGANIZATIONS.map(billOf);
for (const { organizations, dollars, gigabytes, most } of bills)
  row(
    `a month of ${organizations.toLocaleString("en-AU")} organisations, after a year`,
    `US$${dollars.toFixed(0)}`,
    `${gigabytes.toFixed(1)} GB; ${["plan 5", ...most].join(", ")}`,
  );
const billLines = bills.map(
  ({ organizations, dollars, gigabytes, most }) =>
    `| ${organizations.toLocaleString("en-AU")} | ${gigabytes.toFixed(1)} | ${dollars.toFixed(0)} | ${["the plan 5", ...most].join(", ")} |`,
);
const priceLines = Object.values(PRICES).map(
  ({ dollars, included, words }) => `${dollars} for a million ${words} beyond ${shown(included)} million`,
);
writeFileSync(
  path.join(ROOT, "docs/cost-model.md"),
  `# What it costs to run

Written by \`node bench/cost.mjs\`; do not edit. Rows are what D1 counts, in an organisation of ${PAYEES.toLocaleString("en-AU")} payees; processor time
is workerd's, measured here, with the database in the same process. Prices are Cloudflare's paid plan of US$${PLAN} a month:
US$${priceLines.join(", ")};
${STORAGE.dollars} for a gigabyte in D1 beyond ${STORAGE.included}. They are published at ${SOURCES.pages
    .map((page) => `[${page}](https://developers.cloudflare.com/${page}/)`)
    .join(
      ", ",
    )}, read on ${SOURCES.read}. Notes (KV) are kept for 35 days, a few hundred bytes for each action; by estimate that stays within the gigabyte that is included, up to 1,000 organisations. R2 is not used. Charges of providers (bank data, texts, email, cards) are not in it.

## Acts

Each beyond what the plan includes. An alert is what it adds to its cause: the act that tells another person, less the same act
that tells nobody, with all that follows within ${AFTER_MS / 1_000} seconds (60 with an email), the middle of several. Of the rows of a
payee added, about half are its own; the others are what follows by itself: the question to its bank and the answer, the alert about it,
and the look-up of an email domain that is new.

| Act | rows read | rows written | messages | notes written | processor ms | US$ for 1,000 | of it rows written |
|---|---|---|---|---|---|---|---|
${lines.join("\n")}

## A month in which nobody does anything

The schedules find nothing to do: US$${costOf(idleMonth).toFixed(2)} at the prices beyond the plan, which includes most of it.

| Schedule | runs | rows read | rows written | messages | notes read | notes written | processor ms |
|---|---|---|---|---|---|---|---|
${idleLines.join("\n")}

## The bill

A month of organisations that each do this, a year after they began: ${Object.entries(A_MONTH)
    .map(([name, times]) => `${times.toLocaleString("en-AU")} × ${name[0].toLowerCase()}${name.slice(1)}`)
    .join(
      "; ",
    )}. Nobody's month was measured; change \`A_MONTH\` for yours. Storage is what the database grew by in these acts,
${(month.bytes / 1e6).toFixed(1)} MB a month each. One D1 holds 10 GB (decisions/0020).

| Organisations | GB after a year | US$ a month | of it, US$ 1 and more |
|---|---|---|---|
${billLines.join("\n")}
`,
);
