// Processor time of the Worker and requests per second for each page, against a trivial page of the same build and the same visitor, with 1,000
// payees waiting. `node bench/pages.mjs CHECKOUT` asks another checkout the same requests in turn with this one;
// `node bench/pages.mjs CHECKOUT /payees /` asks for those pages alone.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../scripts/lib/console.mjs";
import { newStateDir, removeStateDir } from "../scripts/lib/copy.mjs";
import { payeeId, verificationId } from "./fill.mjs";
import { median, row } from "./lib.mjs";
import { signIn } from "./local-app.mjs";
import { findWorkerd, processorTime } from "./processor-time.mjs";

const ROUNDS = 5;
const REQUESTS = 40;
const WARM_UP = 80;
const CONNECTIONS = 4;
const PAYEES = 1_000;
const PAYMENTS = 60;
const MS_PER_SECOND = 1_000;

const signedIn = ({ cookie }) => ({ Cookie: cookie });
const payment = ({ cookie }) => ({
  method: "POST",
  headers: { Cookie: cookie, "Content-Type": "application/json" },
  body: JSON.stringify({ payeeId: payeeId(500), amount: 12_500, reference: `B-${crypto.randomUUID().slice(0, 8)}` }),
});
const page = (address, against) => ({ name: address, address, against, init: (app) => ({ headers: signedIn(app) }) });
const publicPage = (address, against) => ({ name: address, address, against, init: () => ({}) });

const TRIVIAL = "/logout";
const PUBLIC_TRIVIAL = "/auth/forgot";
const ASKED = [
  page(TRIVIAL),
  page("/dashboard", TRIVIAL),
  page("/payees", TRIVIAL),
  page("/verifications/pending", TRIVIAL),
  page("/payments", TRIVIAL),
  page(`/verifications/${verificationId(500)}`, TRIVIAL),
  { name: "POST /api/payments", address: "/api/payments", against: TRIVIAL, init: payment },
  publicPage(PUBLIC_TRIVIAL),
  publicPage("/", PUBLIC_TRIVIAL),
  publicPage("/healthz", PUBLIC_TRIVIAL),
];

async function start(root) {
  const stateDir = newStateDir();
  // Each copy starts and fills itself with its own scripts: the two may have different tables.
  const { startCopy } = await import(pathToFileURL(path.join(root, "scripts/lib/copy.mjs")).href);
  const { fill } = await import(pathToFileURL(path.join(root, "bench/fill.mjs")).href);
  await (await startCopy(stateDir)).stop();
  await fill(stateDir, 0, PAYEES);
  const copy = await startCopy(stateDir);
  const app = { ...copy, root, stateDir, cookie: await signIn(copy), pid: findWorkerd(copy.supervisor.pid) };
  for (let made = 0; made < PAYMENTS; made++)
    await ask(
      app,
      ASKED.find(({ name }) => name === "POST /api/payments"),
    );
  return app;
}

async function ask(app, { name, address, init }) {
  // Repeats the request if the connection was idle for so long that the server closed it.
  const response = await fetch(app.origin + address, init(app)).catch(() => fetch(app.origin + address, init(app)));
  if (!response.ok) throw new Error(`${name} answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

async function askMany(app, what, times) {
  let left = times;
  const one = async () => {
    while (left-- > 0) await ask(app, what);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
}

/** Milliseconds of processor time for one request, and how many requests were answered in a second. */
async function measure(app, what) {
  const [before, begun] = [processorTime(app.pid), performance.now()];
  await askMany(app, what, REQUESTS);
  const ms = (processorTime(app.pid) - before) / REQUESTS;
  return { ms, perSecond: (REQUESTS * MS_PER_SECOND) / (performance.now() - begun) };
}

const [other, ...chosen] = process.argv.slice(2);
const wanted = ASKED.filter(({ name, against }) => {
  if (chosen.length === 0 || chosen.includes(name)) return true;
  return !against && ASKED.some((each) => each.against === name && chosen.includes(each.name));
});
const apps = [];
for (const root of [ROOT, ...(other ? [path.resolve(other)] : [])]) apps.push(await start(root));
const figures = apps.map(() => new Map());
for (const what of wanted) {
  for (const app of apps) await askMany(app, what, WARM_UP);
  const taken = apps.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, app] of apps.entries()) taken[index].push(await measure(app, what));
  }
  for (const [index, values] of taken.entries()) {
    const of = (figure) => median(values.map((each) => each[figure]));
    figures[index].set(what.name, { ms: of("ms"), perSecond: of("perSecond") });
  }
}
for (const app of apps) {
  await app.stop();
  removeStateDir(app.stateDir);
}

const [mine, theirs] = figures;
for (const { name, against } of wanted) {
  const { ms, perSecond } = mine.get(name);
  const others = [
    ...(against ? [[against, mine.get(against)]] : []),
    ...(theirs ? [["the other checkout", theirs.get(name)]] : []),
  ];
  const beside = (figure) =>
    others.map(([other, has]) => `${(mine.get(name)[figure] / has[figure]).toFixed(2)} x ${other}`).join("; ");
  row(`${name}, processor time`, `${ms.toFixed(2)} ms`, beside("ms"));
  row(`${name}, requests per second`, perSecond.toFixed(0), beside("perSecond"));
}
