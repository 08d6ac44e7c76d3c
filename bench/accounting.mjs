// Reading suppliers from the simulated Xero: the number of calls compared with the number of pages, rows per second
// against plain inserts of the same rows, memory; and how long it takes from a change in Xero until the supplier's
// payment is held.
import { setTimeout as wait } from "node:timers/promises";
import { newStateDir, removeStateDir } from "../scripts/lib/copy.mjs";
import { insertRows, readPayeesAsOther } from "./bare-rows.mjs";
import { withDatabase } from "./fill.mjs";
import { median, row } from "./lib.mjs";
import { startApp } from "./local-app.mjs";
import { peakMemory } from "./peak-memory.mjs";

const SUPPLIERS = 10_000;
/** The size of a page that the adapter requests. */
const PER_PAGE = 200;
const CHANGES = 5;
const PLATFORM = "00000000-0000-7000-8000-000000000000";
const TIMEOUT_MS = 300_000;
/** Xero allows 60 calls a minute, so each measurement after the large sync starts in a minute without calls. */
const LIMIT_MS = 61_000;

/** The account numbers that the simulator gives to the suppliers it makes. */
const accountOfSupplier = (nth) => ((nth * 7_368_787) % 90_000_000) + 10_000_000;

async function ask(app, method, address, json) {
  const headers = { Cookie: app.cookie, ...(json && { "Content-Type": "application/json" }) };
  const body = json && JSON.stringify(json);
  const response = await fetch(app.origin + address, { method, headers, body });
  if (!response.ok) throw new Error(`${address} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

const inXero = (app, path, fields) =>
  fetch(`${app.simulators}/xero${path}`, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });

const cookieOf = (response) => response.headers.getSetCookie().map((line) => line.split(";")[0]);

/** A person allows access to the first organisation and returns to the app. */
async function connect(app) {
  const page = await fetch(`${app.origin}/integrations/xero/connect`, { headers: { Cookie: app.cookie } });
  const [, href] = /href="([^"]*\/authorize\?[^"]*)"/.exec(await page.text()) ?? [];
  const address = href.replaceAll("&amp;", "&");
  const consent = await (await fetch(address)).text();
  const [, tenantId] = /name="tenantId" value="([^"]+)"/.exec(consent) ?? [];
  const form = new URLSearchParams({ tenantId, answer: "allow" });
  const back = await fetch(address, { method: "POST", body: form, redirect: "manual" });
  const cookie = [app.cookie, ...cookieOf(page)].join("; ");
  await fetch(back.headers.get("location"), { headers: { Cookie: cookie }, redirect: "manual" });
}

async function until(what, isDone) {
  for (const end = performance.now() + TIMEOUT_MS; performance.now() < end; await wait(50)) {
    const found = await isDone();
    if (found) return found;
  }
  throw new Error(`${what} in ${TIMEOUT_MS} ms`);
}

async function callsToXero(app) {
  const entries = await (await fetch(`${app.simulators}/ledger.json?party=xero`)).json();
  return entries.filter(({ path }) => path.includes("api.xro")).length;
}

async function measureSync(app) {
  await inXero(app, "/many", {});
  const started = performance.now();
  await connect(app);
  await until("the sync did not end", async () => {
    const { integration } = await ask(app, "GET", "/api/integrations/xero");
    return integration.lastSyncAt !== null && !integration.isReading;
  });
  return { ms: performance.now() - started, calls: await callsToXero(app) };
}

/** From the moment a person saves another account in Xero until an authorised payment to the supplier is held. */
async function measureHold(app, nth) {
  const name = `Supplier ${String(nth).padStart(5, "0")} Pty Ltd`;
  const { payees } = await ask(app, "GET", `/api/payees?q=${accountOfSupplier(nth)}`);
  const payee = payees.find((each) => each.name === name)?.id;
  if (!payee) throw new Error(`${name} is not a payee: ${JSON.stringify(payees).slice(0, 300)}`);
  const contacts = await (await fetch(`${app.simulators}/xero`)).text();
  const [, contactId] = new RegExp(`/xero/contacts/([^"]+)">${name}`).exec(contacts) ?? [];
  await ask(app, "POST", `/api/payees/${payee}/whitelist`, { reason: "Paid for years" });
  const input = { payeeId: payee, amount: 12_500, reference: `Hold ${nth}` };
  const { payment } = await ask(app, "POST", "/api/payments", input);
  if (payment.status !== "authorised") throw new Error(`the payment is ${payment.status}`);
  const started = performance.now();
  await inXero(app, `/contacts/${contactId}`, { bankAccount: `063-001 9988${String(nth).padStart(4, "0")}` });
  await until("the payment was not held", async () => {
    const found = await ask(app, "GET", `/api/payments/${payment.id}`);
    return found.payment.status === "held";
  });
  return performance.now() - started;
}

const stateDir = newStateDir();
const app = await startApp(stateDir);
const { ms, calls } = await measureSync(app);
const memory = process.platform === "linux" ? peakMemory(app.supervisor.pid) : undefined;
await wait(LIMIT_MS);
const holds = [];
for (let nth = 1; nth <= CHANGES; nth++) holds.push(await measureHold(app, nth));
await app.stop();
const bare = await withDatabase(stateDir, async (db) =>
  insertRows(db, await readPayeesAsOther(db, "Supplier % Pty Ltd", PLATFORM)),
);
removeStateDir(stateDir);

const perSecond = (spent) => Math.round((SUPPLIERS / spent) * 1_000).toLocaleString("en-AU");
const pages = Math.ceil((SUPPLIERS + 4) / PER_PAGE);
row(
  `${SUPPLIERS.toLocaleString("en-AU")} suppliers read from Xero`,
  `${perSecond(ms)} rows/s`,
  `bare insert ${perSecond(bare)} rows/s: ${(bare / ms).toFixed(2)} x; peak ${memory ?? "?"} MiB`,
);
row("calls for it", calls, `${pages} pages of suppliers, one of bills, one of payments`);
row(
  "from a change in Xero to a held payment, median",
  `${Math.round(median(holds))} ms`,
  `slowest of ${CHANGES}: ${Math.round(Math.max(...holds))} ms; goal 5,000 ms`,
);
if (calls > pages + 2 || Math.max(...holds) > 5_000) process.exitCode = 1;
