import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newStateDir, type Ports, removeStateDir } from "../../scripts/lib/copy.mjs";
import { aDirectEntryFile } from "../support/aba-files";
import { type Answer, type ApiClient, apiClient, until } from "../support/api-client";
import { confirmAddressByCall } from "../support/journey";
import { startLocalApp } from "../support/local-app";

/**
 * A script that knows only addresses: registers, adds payees, lets the bank answer, reviews, pays, and counts effects;
 * in the middle of it the app is killed and started again on the same data.
 */

const stateDir = newStateDir();
let app: Awaited<ReturnType<typeof startLocalApp>>;
let client: ApiClient;
/** As `npm start` starts it, passwords included: other copies of tests hash them cheaply. */
const start = (ports?: Ports) => startLocalApp(stateDir, ports, { APP_ENV: "local" });

beforeAll(async () => {
  app = await start();
  client = apiClient(app.origin);
  const tag = randomUUID().slice(0, 8);
  const email = `pat@${tag}.example`;
  const registered = await client.post("/api/register", {
    email,
    firstName: "Pat",
    password: "Correct-horse-9",
    newOrganization: { name: `Organisation ${tag}` },
  });
  expect(registered).toMatchObject({ status: 201, body: { firstName: "Pat", role: "admin", status: "active" } });
  await confirmAddressByCall(client, app, email);
});

afterAll(async () => {
  await app.stop();
  removeStateDir(stateDir);
});

/** An approval without a bank check requires a reason. */
const APPROVAL = { approved: true, addToGlobalWhitelist: false, reason: "Called them on the number in the contract" };

let serial = 0;
/** No two domains are alike: payments to a payee at a look-alike domain are held. */
const inboxOf = (number: number) => `accounts@${`${number}x`.repeat(4)}supplier.example`;
async function addPayee(name = "Coastline Timber Pty Ltd") {
  serial += 1;
  const answer = await client.post("/api/payees", {
    name,
    accountName: name,
    bsb: "062-000",
    accountNumber: String(11_000_000 + serial),
    email: inboxOf(serial),
  });
  expect(answer.status).toBe(201);
  return { payeeId: answer.body.payee.id as string, verificationId: answer.body.verification.id as string };
}

const verification = async (id: string) => (await client.get(`/api/verifications/${id}`)).body;

async function mailsTo(address: string): Promise<{ id: string; subject: string; links: string[] }[]> {
  const messages = (await (await fetch(`${app.simulators}/mail/messages`)).json()) as {
    to: string;
    id: string;
    subject: string;
    links: string[];
  }[];
  return messages.filter((message) => message.to.includes(address));
}

async function completeAtBank(verificationId: string, persona: string) {
  const response = await fetch(`${app.simulators}/basiq/complete`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ verificationId, persona }),
  });
  expect(response.status, await response.clone().text()).toBe(200);
}

const sweep = () => fetch(`${app.origin}/__scheduled?cron=${encodeURIComponent("* * * * *")}`);

async function outcomeOf(verificationId: string) {
  return until(
    async () => {
      await sweep();
      return verification(verificationId);
    },
    (value) => value.outcome !== null,
    "the bank's answer",
  );
}

test("a payee confirms by the link in their mail, once, and the link says so afterwards", async () => {
  const { verificationId } = await addPayee();
  await client.post(`/api/verifications/${verificationId}/verify-basiq`);
  const address = inboxOf(serial);
  const [mail] = await until(
    () => mailsTo(address),
    (mails) => mails.length > 0,
    "the payee's mail",
  );
  const link = new URL(mail?.links.find((href) => href.includes("/verify/")) ?? "");
  const shown = await fetch(`${app.origin}/api${link.pathname}${link.search}`);
  expect(await shown.json()).toMatchObject({ payee: { bsb: "062000" } });
  const [vid, pid] = [link.searchParams.get("vid"), link.searchParams.get("pid")];
  const confirm = () => apiClient(app.origin).post(`/api${link.pathname}`, { vid, pid, response: "confirm" });
  expect((await confirm()).status).toBe(200);
  const again = await confirm();
  expect(again.status).toBe(409);
  expect(again.body.message).toContain("already been verified");
  expect(await verification(verificationId)).toMatchObject({ verifiedByPayee: true });
  expect(await mailsTo(address)).toHaveLength(1);
});

test("approval whitelists, and of five reviewers at once exactly one decides", async () => {
  const { payeeId, verificationId } = await addPayee();
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, n) =>
      client.post(
        `/api/verifications/${verificationId}/review`,
        n % 2 === 0 ? APPROVAL : { approved: false, reason: "Manual rejection" },
      ),
    ),
  );
  const after = await verification(verificationId);
  expect(["verified", "rejected"]).toContain(after.status);
  expect(answers.every((answer) => [200, 409].includes(answer.status))).toBe(true);
  expect(answers.some((answer) => answer.status === 200)).toBe(true);
  const payee = await client.get(`/api/payees/${payeeId}`);
  expect(payee.body.payee.whitelisted).toBe(after.status === "verified");
});

async function pay(payeeId: string, reference: string, amount = 125_00) {
  const answer = await client.post("/api/payments", { payeeId, amount, reference });
  expect(answer.status).toBe(201);
  return answer.body as { payment: { id: string }; decision: string; reasons: { rule: string }[] };
}

test("three successful payments promote a payee that nobody whitelisted, each counted once", async () => {
  const { payeeId } = await addPayee();
  for (const reference of ["P-1", "P-2", "P-3"]) {
    const { payment } = await pay(payeeId, reference);
    const approved = await client.post(`/api/payments/${payment.id}/decision`, {
      decision: "approve",
      reason: "Known supplier",
    });
    expect(approved.status).toBe(200);
    const outcomes = await Promise.all(
      Array.from({ length: 3 }, () => client.post(`/api/payments/${payment.id}/outcome`, { status: "successful" })),
    );
    expect(outcomes.some((answer) => answer.status === 200)).toBe(true);
  }
  const before = await client.get(`/api/payees/${payeeId}`);
  expect(before.body.payee).toMatchObject({ paymentCount: 3, whitelisted: false });
  const promote = () => fetch(`${app.origin}/__scheduled?cron=${encodeURIComponent("7 * * * *")}`);
  expect((await promote()).status).toBe(200);
  await promote();
  const after = await client.get(`/api/payees/${payeeId}`);
  expect(after.body.payee).toMatchObject({ paymentCount: 3, whitelisted: true, whitelistGlobal: false });
});

/** Starts a call, kills the app while it is on its way, starts the app again and makes the same call again. */
async function killedDuring(afterMs: number, call: (key: Record<string, string>) => Promise<Answer>): Promise<Answer> {
  const key = { "Idempotency-Key": randomUUID() };
  const first = call(key).catch(() => undefined);
  // Wherever the call is by then: not yet arrived, being written, or answered.
  await Promise.race([first, new Promise((resolve) => setTimeout(resolve, afterMs))]);
  await app.crash();
  app = await start(app.ports);
  await first;
  return call(key);
}

test("killed while it asks a bank and takes, clears and settles a pay run: nothing is lost and nothing is done twice", async () => {
  const { verificationId: asked } = await addPayee();
  const address = inboxOf(serial);
  const { payeeId, verificationId } = await addPayee("Red Gum Joinery Pty Ltd");
  await client.post(`/api/verifications/${verificationId}/review`, APPROVAL);
  const trusted = { title: "Red Gum Joinery Pty Ltd", accountNumber: String(11_000_000 + serial) };
  const stranger = { title: "Nobody Known Pty Ltd", accountNumber: "91234567" };
  const payments = Array.from({ length: 100 }, (_, at) => ({
    ...(at < 90 ? trusted : stranger),
    amount: 1_000,
    reference: `RUN-${at}`,
  }));
  const text = aDirectEntryFile(payments);
  await fetch(`${app.simulators}/faults`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ party: "basiq", fault: "500", times: 2 }),
  });
  expect((await client.post(`/api/verifications/${asked}/verify-basiq`)).status).toBe(202);
  const uploaded = await killedDuring(40, (key) => client.send("/api/payment-files?name=run.aba", text, key));
  await until(
    async () => {
      await sweep();
      return mailsTo(address);
    },
    (mails) => mails.length > 0,
    "the mail that the killed app had promised",
  );
  await completeAtBank(asked, "match");
  expect(await outcomeOf(asked)).toMatchObject({ outcome: "match", status: "pending" });
  expect(await mailsTo(address)).toHaveLength(1);

  expect([200, 201]).toContain(uploaded.status);
  expect(uploaded.body.file.totals).toMatchObject({ lines: 100, held: 10, authorised: 90 });
  const file = `/api/payment-files/${uploaded.body.file.id}`;
  const approve = { decision: "approve", reason: "Called them" };
  expect((await client.post(`${file}/lines/92/decision`, approve)).status).toBe(200);
  expect((await client.get(file)).body.file.totals).toMatchObject({ held: 9, authorised: 91 });
  const cleared = await killedDuring(60, (key) => client.post(`${file}/clear`, {}, key));
  expect(cleared).toMatchObject({ status: 200, body: { clearing: { lines: 91, totalCents: 91 * 1_000 } } });
  const { body: aba } = await client.get(`${file}/cleared.aba`);
  expect(aba.split("\r\n").filter((record: string) => record.startsWith("1"))).toHaveLength(91);
  await killedDuring(30, (key) => client.post(`${file}/outcomes`, { status: "successful" }, key));
  expect((await client.get(file)).body.file).toMatchObject({ totals: { cleared: 91, settled: 91 } });
  expect((await client.get(`/api/payees/${payeeId}`)).body.payee).toMatchObject({ paymentCount: 90 });
});

test("every step is in the audit trail, whose seals verify", async () => {
  // Work in the background may write to the trail between its sealing and the look at it.
  const { body } = await until(
    async () => {
      await fetch(`${app.origin}/__scheduled?cron=${encodeURIComponent("*/5 * * * *")}`);
      return client.get("/api/audit/verify");
    },
    ({ body }) => body.unsealed === 0,
    "a trail whose every entry is sealed",
  );
  expect(body).toMatchObject({ ok: true, unsealed: 0 });
  expect(body.checked).toBeGreaterThan(20);
});
