// Bank checks: the time from adding a payee to its bank's answer on the page, with a service that takes 300 ms; and
// 10,000 trusted payees that are due on the same day, with a budget for some of them: each is asked about once, and the
// budget is kept to the cent.
import { createServer, request } from "node:http";
import { freePort, newStateDir, removeStateDir } from "../scripts/lib/copy.mjs";
import { fill, payeeId, withDatabase } from "./fill.mjs";
import { median, row } from "./lib.mjs";
import { startApp } from "./local-app.mjs";

const SERVICE_MS = 300;
const TIMES = 10;
const PAYEES = Number(process.argv[2] ?? 10_000);
const COST_CENTS = 25;
/** Not a multiple of one check's price: the rest buys nothing. */
const BUDGET_CENTS = 500 * COST_CENTS + 10;
/** The first schedule queues the day's bank checks, the second runs them. */
const AGAIN = "7 * * * *";
const EACH_MINUTE = "* * * * *";
const MOST_RUNS = 400;

/** A service between the app and the simulator, which delays each answer and counts the questions. */
async function delayed(simulators) {
  const asked = new Map();
  const server = createServer((incoming, outgoing) => {
    const chunks = [];
    incoming.on("data", (chunk) => chunks.push(chunk));
    incoming.on("end", () => {
      const body = Buffer.concat(chunks);
      if (body.length > 0) {
        const { account_identifier: account } = JSON.parse(body.toString());
        asked.set(account.value, (asked.get(account.value) ?? 0) + 1);
      }
      const to = { method: incoming.method, headers: incoming.headers, agent: false };
      const passed = request(simulators + incoming.url, to, (answer) => {
        setTimeout(() => answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.headers)), delay.ms);
      });
      passed.end(body);
    });
  });
  const delay = { ms: SERVICE_MS };
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { asked, delay, origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

const ask = (app, address, form) =>
  fetch(app.origin + address, {
    method: form ? "POST" : "GET",
    redirect: "manual",
    headers: { Cookie: app.cookie, Accept: "text/html", Origin: app.origin, Connection: "close" },
    body: form && new URLSearchParams(form),
  });

/** Adds a payee as a browser without scripts does, and loads the page it leads to. @returns milliseconds */
async function addAndRead(app, number) {
  const name = `Kestrel Freight ${number} Pty Ltd`;
  const form = {
    ...{ name, accountName: name, bsb: "062-000", accountNumber: String(50_000_000 + number * 1_000) },
    submissionId: crypto.randomUUID(),
  };
  const begun = performance.now();
  const added = await ask(app, "/payees/verify", form);
  const location = added.headers.get("location") ?? "";
  if (added.status !== 303) throw new Error(`the payee was not added: ${added.status}`);
  const page = await (await ask(app, location)).text();
  const ms = performance.now() - begun;
  if (!page.includes("The bank holds this account under the name"))
    throw new Error(`the page does not say what the bank said: ${location}`);
  return ms;
}

/** Trusted payees that were paid lately and never checked with a bank, all added on the same day of the month. */
async function makeDue(stateDir) {
  await fill(stateDir, 0, PAYEES);
  await withDatabase(stateDir, async (db) => {
    const day = Math.floor(Date.now() / 86_400_000) % 28;
    const digits = [..."0123456789abcdef"];
    const ending = digits
      .flatMap((last, at) =>
        digits.map((before, from) => ({ ending: before + last, day: ((at + 1) * 16 + from + 1) % 28 })),
      )
      .find((each) => each.day === day).ending;
    const { organizationId } = await db
      .prepare("SELECT organizationId FROM payees WHERE id = ?")
      .bind(payeeId(1))
      .first();
    await db.batch([
      db.prepare("DELETE FROM payee_terms WHERE payeeId LIKE '01000000-%'"),
      db.prepare("DELETE FROM verifications WHERE id LIKE '02000000-%'"),
      db
        .prepare(`UPDATE payees SET id = '03' || substr(id, 3, 22) || substr(id, 27) || ?1, whitelisted = 1, whitelistedAt = 1,
          paymentCount = 5, lastPaymentDate = ?2 WHERE id LIKE '01000000-%'`)
        .bind(ending, Date.now() - 86_400_000),
      db
        .prepare(`INSERT INTO organization_policies (organizationId, updatedAt, bankBudgetCents) VALUES (?1, 1, ?2)
          ON CONFLICT DO UPDATE SET bankBudgetCents = excluded.bankBudgetCents`)
        .bind(organizationId, BUDGET_CENTS),
      // A card on file: the day's limit is above what the budget buys.
      db
        .prepare("UPDATE organizations SET firstPaidAt = 1, subscriptionStatus = 'active' WHERE id = ?")
        .bind(organizationId),
      db.prepare("DELETE FROM rate_counters WHERE key LIKE 'bank-budget:%' OR key LIKE 'instant-%'"),
    ]);
  });
}

const run = (app, cron) =>
  fetch(`${app.origin}/__scheduled?cron=${encodeURIComponent(cron)}`, { headers: { Connection: "close" } });

/** Runs the schedules until they ask nothing more. @returns how often the second ran */
async function askAgain(app) {
  await run(app, AGAIN);
  let runs = 0;
  for (let last = -1; runs < MOST_RUNS && service.asked.size > last; runs++) {
    last = service.asked.size;
    await run(app, EACH_MINUTE);
  }
  return runs;
}

const stateDir = newStateDir();
const ports = { port: await freePort(), simulatorsPort: await freePort() };
const service = await delayed(`http://127.0.0.1:${ports.simulatorsPort}`);
const env = { COP_BASE_URL: `${service.origin}/cop`, COP_COST_CENTS: String(COST_CENTS) };
const start = () => startApp(stateDir, env, ports);
let app = await start();
await addAndRead(app, 0);
const times = [];
for (let number = 1; number <= TIMES; number++) times.push(await addAndRead(app, number));
row(
  `payee added, its bank's answer read (service: ${SERVICE_MS} ms)`,
  `${Math.round(median(times))} ms`,
  `slowest of ${TIMES} ${Math.round(Math.max(...times))} ms; goal: one page load, below 2,000 ms`,
);
await app.stop();
await makeDue(stateDir);
service.asked.clear();
service.delay.ms = 0;
app = await start();
const runs = await askAgain(app);
await app.stop();
const [spent, answered] = await withDatabase(stateDir, async (db) => {
  const budget = "SELECT max(count) AS n FROM rate_counters WHERE key LIKE 'bank-budget:%'";
  // An answer that says nothing about the account costs nothing.
  const answers = "SELECT count(*) AS n FROM account_questions WHERE ended = 'answered' AND cause = 'asked_again'";
  return [(await db.prepare(budget).first()).n, (await db.prepare(answers).first()).n];
});
service.close();
removeStateDir(stateDir);
const dollars = (cents) => (cents / 100).toFixed(2);
const twice = [...service.asked.values()].filter((count) => count > 1).length;
row(
  `${PAYEES.toLocaleString("en-AU")} payees due on one day, a budget of $${dollars(BUDGET_CENTS)}`,
  `$${dollars(spent)} spent`,
  `${answered} answers at $${dollars(COST_CENTS)}, ${service.asked.size} payees asked, ${twice} of them twice; ${runs} runs of the schedule`,
);
if (twice > 0 || spent !== answered * COST_CENTS || spent > BUDGET_CENTS) process.exit(1);
process.exit(0);
