// A bulk check through the API: two starts at once, and an app that is killed while payees are asked. Each payee must be
// asked once, and sent one message.
import { newStateDir, removeStateDir, startCopy } from "../scripts/lib/copy.mjs";
import { killAll } from "./crash.mjs";
import { withDatabase } from "./fill.mjs";
import { row } from "./lib.mjs";
import { signIn, startApp } from "./local-app.mjs";

const PAYEES = 40;
/** Payees that are asked when the app is killed. */
const KILLED_AT = [5, 15, 25, 35];
const SWEEP = "* * * * *";
const TIMEOUT_MS = 240_000;
const PAUSE_MS = 30;

async function ask(app, method, address, json) {
  const headers = { Cookie: app.cookie, "Content-Type": "application/json" };
  const response = await fetch(app.origin + address, { method, headers, body: json && JSON.stringify(json) });
  return { status: response.status, body: await response.json() };
}

const progress = async (app, id) => (await ask(app, "GET", `/api/bulk-checks/${id}`)).body.bulkCheck;

async function until(app, id, isThere) {
  const end = performance.now() + TIMEOUT_MS;
  for (;;) {
    const found = await progress(app, id);
    if (isThere(found)) return found;
    if (performance.now() > end) throw new Error(`the bulk check was not done in time: ${JSON.stringify(found)}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** An organisation that has paid may send 300 messages a day: more than there are payees. */
const havePaid = (stateDir) =>
  withDatabase(stateDir, (db) =>
    db.prepare("UPDATE organizations SET firstPaidAt = 1, subscriptionStatus = 'active' WHERE id <> ''").run(),
  );

async function addPayees(app) {
  for (let i = 0; i < PAYEES; i++) {
    const name = `Bench ${i} of Wattle Creek`;
    const account = { bsb: "062-000", accountNumber: String(70_000_000 + i * 7_919) };
    const { status } = await ask(app, "POST", "/api/payees", {
      ...{ name, accountName: name, ...account },
      email: `accounts@bench${i}.example`,
    });
    if (status !== 201) throw new Error(`a payee was not added: ${status}`);
  }
}

async function killAndRestart(app, stateDir) {
  await killAll(app);
  await withDatabase(stateDir, (db) =>
    // No time here to wait for the lease of the killed consumer to run out.
    db.prepare("UPDATE outbox SET leaseUntil = 0, dueAt = 0 WHERE status = 'pending' AND leaseId IS NOT NULL").run(),
  );
  const copy = await startCopy(stateDir, { ports: app.ports });
  const restarted = { ...copy, cookie: await signIn(copy) };
  await fetch(`${restarted.origin}/__scheduled?cron=${encodeURIComponent(SWEEP)}`);
  return restarted;
}

const stateDir = newStateDir();
await (await startApp(stateDir)).stop();
await havePaid(stateDir);
let app = await startApp(stateDir);
await addPayees(app);
const { body } = await ask(app, "POST", "/api/bulk-checks", { q: "bench", verified: "never" });
const { id } = body.bulkCheck;
const ready = await until(app, id, ({ status }) => status === "ready");
const starts = await Promise.all([1, 2].map(() => ask(app, "POST", `/api/bulk-checks/${id}/start`, {})));
row(
  "two starts at once",
  starts
    .map(({ status }) => status)
    .sort()
    .join(" and "),
  `${ready.payeeCount} payees counted`,
);
if (starts.filter(({ status }) => status === 200).length !== 1) process.exitCode = 1;
for (const asked of KILLED_AT) {
  const found = await until(app, id, ({ askedCount, status }) => askedCount >= asked || status === "finished");
  app = await killAndRestart(app, stateDir);
  console.log(`  killed when ${found.askedCount} of ${PAYEES} were asked`);
}
const end = await until(app, id, ({ status }) => status === "finished");
const isSent = "SELECT count(*) AS n FROM outside_messages WHERE kind = 'payee_link'";
const sentUntil = performance.now() + TIMEOUT_MS;
const count = (text) => withDatabase(stateDir, (db) => db.prepare(text).first("n"));
let links = 0;
while (links < PAYEES && performance.now() < sentUntil) {
  await fetch(`${app.origin}/__scheduled?cron=${encodeURIComponent(SWEEP)}`);
  const page = await ask(app, "GET", `/api/bulk-checks/${id}`);
  links = page.body.asked.filter(({ linkSentAt }) => linkSentAt !== null).length;
  await new Promise((resolve) => setTimeout(resolve, 500));
}
const mailbox = await (await fetch(`${app.simulators}/mail`)).text();
await app.stop();
const checks = await count("SELECT count(*) AS n FROM bank_checks");
const places = await count("SELECT count(DISTINCT verificationId) AS n FROM bulk_check_payees");
const sent = await count(isSent);
removeStateDir(stateDir);
const mails = Array.from({ length: PAYEES }, (_, i) => mailbox.split(`accounts@bench${i}.example`).length - 1);
const twice = mails.filter((times) => times > 1).length;
const never = mails.filter((times) => times === 0).length;
row(
  `${PAYEES} payees asked, killed at ${KILLED_AT.length} points`,
  `${checks} checks of ${places} payees`,
  `counted ${end.askedCount}; ${sent} messages, ${never} payees without one, ${twice} with more than one`,
);
if ([checks, places, sent, end.askedCount].some((each) => each !== PAYEES) || never + twice > 0) process.exitCode = 1;
