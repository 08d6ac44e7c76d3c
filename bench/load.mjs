// 100 requests a second at the whole app, with its consumers and schedules running, then more than it can carry.
//
//   npm run bench load                   ten minutes on D1
//   npm run bench load 120               two minutes
//   npm run bench load 120 libsql        on a libSQL server, started for it
//   npm run bench load 60 libsql 50      50 a second
import { once } from "node:events";
import { readFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { newStateDir, removeStateDir } from "../scripts/lib/copy.mjs";
import { row } from "./lib.mjs";
import { startApp } from "./local-app.mjs";
import { findWorkerd, processorTime } from "./processor-time.mjs";

const [seconds = "600", driver = "d1", rate = "100"] = process.argv.slice(2);
const SECONDS = Number(seconds);
const RATE = Number(rate);
const PAYEES = 200;
/** Beyond capacity: this many requests a second, and this many at once. */
const FLOOD = { rate: 1_000, seconds: 20, atOnce: 400 };
const CALM_MS = 300;
const CALM_IN_A_ROW = 20;
const DRAINED_MS = 600_000;
/** An average says little about a request that is made less often than this in a minute. */
const MOST_SELDOM = 50;
const STATUS_TOKEN = "a-token-for-the-bench-of-load-0123456789";

const agent = new http.Agent({ keepAlive: true, maxSockets: FLOOD.atOnce, timeout: 3_000 });

let sentAgain = 0;

async function send(app, { method = "GET", address, body }, isAgain = false) {
  const headers = { Cookie: app.cookie, ...(body ? { "Content-Type": "application/json" } : {}) };
  const request = http.request(app.origin + address, { method, headers, agent: isAgain ? false : agent });
  // Node's own `reusedSocket` is false for a request that waited until another one's connection was free.
  let isReused = false;
  request.once("socket", (socket) => {
    isReused = !socket.connecting;
  });
  request.end(body && JSON.stringify(body));
  try {
    const [response] = await once(request, "response");
    const answer = await text(response);
    return { status: response.statusCode, retryAfter: response.headers["retry-after"], answer };
  } catch (error) {
    // The runtime closes a connection that it has not read for five seconds, though a request may wait in it. As Chromium
    // and Firefox do, also for a form, the request is sent again on a new one.
    if (isReused && error.code === "ECONNRESET" && !isAgain) {
      sentAgain += 1;
      return send(app, { method, address, body }, true);
    }
    return { status: 0, answer: String(error) };
  }
}

let serial = 0;
const newPayee = () => {
  serial += 1;
  const name = `Load Supplies ${serial} Pty Ltd`;
  const accountNumber = String(300_000_000 + serial * 7919);
  const body = { name, accountName: name, bsb: "062-000", accountNumber, email: `load-${serial}@wattle.example` };
  return { method: "POST", address: "/api/payees", body };
};
const payment = (payeeId) => ({
  method: "POST",
  address: "/api/payments",
  body: { payeeId, amount: 10_000 + serial, reference: `L-${crypto.randomUUID().slice(0, 8)}` },
});

/** Of a hundred requests: the pages that people open, the calls of programs, and what changes something. */
function pick(payees) {
  const number = Math.floor(Math.random() * 100);
  const payee = payees[Math.floor(Math.random() * payees.length)];
  if (number < 20) return { address: "/dashboard" };
  if (number < 40) return { address: "/payees" };
  if (number < 55) return { address: "/payments" };
  if (number < 65) return { address: "/verifications/pending" };
  if (number < 75) return { address: "/api/payments" };
  if (number < 82) return { address: `/payees/${payee}` };
  return number < 96 ? payment(payee) : newPayee();
}

/**
 * Sends requests at a steady rate, however long responses take. @returns the milliseconds and status of each response
 */
async function press(app, payees, { rate, seconds, atOnce = Number.POSITIVE_INFINITY, each = () => {} }) {
  const began = performance.now();
  const answers = [];
  const open = new Set();
  let left = 0;
  for (let number = 0; number < rate * seconds; number++) {
    const due = began + (number * 1_000) / rate;
    if (due > performance.now()) await wait(due - performance.now());
    if (open.size >= atOnce) {
      left += 1;
      continue;
    }
    const sentAt = performance.now();
    const what = pick(payees);
    const asked = send(app, what).then(({ status, retryAfter, answer }) => {
      answers.push({
        what: `${what.method ?? "GET"} ${what.address.replace(/[0-9a-f-]{36}/, ":id")}`,
        status,
        retryAfter,
        ms: performance.now() - sentAt,
        answer: status >= 500 || status === 0 ? answer : "",
      });
      open.delete(asked);
    });
    open.add(asked);
    if (number % (rate * 5) === 0) each();
  }
  await Promise.all(open);
  return { answers, left };
}

function groupBy(rows, keyOf) {
  const groups = new Map();
  for (const each of rows) {
    if (!groups.has(keyOf(each))) groups.set(keyOf(each), []);
    groups.get(keyOf(each)).push(each);
  }
  return groups;
}

const at = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
const megabytes = (pid) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024);

/** Rows that a request read or wrote, on average, in the first minute and in the last, by kind of request. */
function rowsByRoute({ stateDir }) {
  const said = readFileSync(path.join(stateDir, "app.log"), "utf8")
    .split("\n")
    .filter((line) => line.includes('"event":"request"'))
    .map((line) => JSON.parse(line.slice(line.indexOf("{"))))
    .filter(({ status }) => status < 300);
  const rowsOf = (lines) => {
    const by = new Map();
    for (const { method, route, rows } of lines) {
      const { count, sum } = by.get(`${method} ${route}`) ?? { count: 0, sum: 0 };
      by.set(`${method} ${route}`, { count: count + 1, sum: sum + rows });
    }
    return by;
  };
  const minute = Math.min(said.length, RATE * 60);
  const [first, last] = [rowsOf(said.slice(0, minute)), rowsOf(said.slice(-minute))];
  for (const [route, { count, sum }] of last) {
    const before = first.get(route);
    if (count < MOST_SELDOM || !before) continue;
    row(`  rows, ${route}`, `${Math.round(before.sum / before.count)}, ${Math.round(sum / count)}`);
  }
}

async function status(app) {
  const response = await fetch(`${app.origin}/healthz/status`, {
    headers: { Authorization: `Bearer ${STATUS_TOKEN}` },
  });
  return response.json();
}

/** Seconds until no job is due any more. */
async function drained(app) {
  const began = performance.now();
  while (performance.now() - began < DRAINED_MS) {
    const { outbox } = await status(app);
    if (outbox.oldestDueSeconds === 0) return (performance.now() - began) / 1_000;
    await wait(1_000);
  }
  throw new Error(`jobs are due ${DRAINED_MS / 1_000} s after the end: ${JSON.stringify((await status(app)).outbox)}`);
}

const stateDir = newStateDir();
const started = await startApp(stateDir, {
  STATUS_TOKENS: STATUS_TOKEN,
  ...(driver === "libsql" ? { DB_DRIVER: "libsql" } : {}),
});
const app = { ...started, pid: findWorkerd(started.supervisor.pid) };
try {
  const payees = [];
  for (let made = 0; made < PAYEES; made++) payees.push(JSON.parse((await send(app, newPayee())).answer).payee.id);
  const memory = [];
  const workedBefore = processorTime(app.pid);
  const { answers } = await press(app, payees, {
    rate: RATE,
    seconds: SECONDS,
    each: () => memory.push(megabytes(app.pid)),
  });
  const worked = processorTime(app.pid) - workedBefore;
  const times = answers.map(({ ms }) => ms);
  const isRefusal = ({ status, retryAfter }) => status === 503 && retryAfter !== undefined;
  const failed = answers.filter((one) => (one.status >= 500 || one.status === 0) && !isRefusal(one));
  const half = Math.floor(memory.length / 2);
  row(`${RATE} requests a second on ${driver}, seconds`, SECONDS, `${answers.length.toLocaleString("en-AU")} answered`);
  row("answers of 500 and more, or none", failed.length, "goal: 0");
  row("  besides, 503 with Retry-After", answers.filter(isRefusal).length, "goal: 0");
  row("  besides, sent again on a new connection", sentAgain);
  row(
    "processor milliseconds of workerd, a request",
    (worked / answers.length).toFixed(1),
    "the database and its schedules in it",
  );
  row(
    "milliseconds: half, 99 of 100, the longest",
    [0.5, 0.99, 1].map((share) => Math.round(at(times, share))).join(", "),
    "goal: 99 of 100 within 300",
  );
  for (const [what, its] of groupBy(answers, ({ what }) => what))
    row(
      `  ${what}`,
      [0.5, 0.99, 1]
        .map((share) =>
          Math.round(
            at(
              its.map(({ ms }) => ms),
              share,
            ),
          ),
        )
        .join(", "),
    );
  row(
    "memory of workerd, MB: after a minute, half way, end",
    [memory[Math.min(12, half)], memory[half], memory.at(-1)].join(", "),
    "goal: level",
  );
  row("rows read or written for one request, in the first minute and in the last", "", "goal: the same");
  rowsByRoute(app);
  row("seconds until no job was due", (await drained(app)).toFixed(0), "goal: 60 at most");
  for (const one of failed.slice(0, 3)) row(`  ${one.status}`, "", one.answer.slice(0, 120));

  const sentAgainBefore = sentAgain;
  const flood = await press(app, payees, FLOOD);
  const count = (isOne) => flood.answers.filter(isOne).length;
  row(
    `${FLOOD.rate} a second for ${FLOOD.seconds} s, ${FLOOD.atOnce} at once: answered`,
    flood.answers.length,
    `${flood.left} were not sent`,
  );
  const isLost = (one) => (one.status >= 500 && !isRefusal(one)) || one.status === 0;
  row("  of these 503 with Retry-After", count(isRefusal));
  row("  sent again on a new connection", sentAgain - sentAgainBefore);
  const takenIn = flood.answers.filter((one) => !isRefusal(one) && !isLost(one)).map(({ ms }) => ms);
  row(
    "  milliseconds of those that were taken in: half, 99 of 100",
    [0.5, 0.99].map((share) => Math.round(at(takenIn, share))).join(", "),
  );
  row("  500 and more without, or no answer", count(isLost), "goal: 0");
  for (const one of flood.answers.filter(isLost).slice(0, 3)) row(`  ${one.status}`, "", one.answer.slice(0, 120));
  const floodEnded = performance.now();
  for (let calm = 0; calm < CALM_IN_A_ROW; ) {
    const sentAt = performance.now();
    const { status } = await send(app, pick(payees));
    calm = status > 0 && status < 500 && performance.now() - sentAt < CALM_MS ? calm + 1 : 0;
  }
  row(
    "seconds until it answers as before",
    ((performance.now() - floodEnded) / 1_000).toFixed(0),
    `${CALM_IN_A_ROW} in a row within ${CALM_MS} ms`,
  );
  row("seconds until no job was due", (await drained(app)).toFixed(0));
} finally {
  await app.stop();
  agent.destroy();
  removeStateDir(stateDir);
}
