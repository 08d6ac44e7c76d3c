import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { signIn } from "../../bench/local-app.mjs";

/** Journeys that continue while one build replaces another, and their results. */

const SIDE_BY_SIDE = 3;
const HEALED_WITHIN_MS = 120_000;
const AGAIN_AFTER_MS = 500;
const ANSWERED_WITHIN_MS = 900_000;

/** One request on a connection of its own. @returns status 0 if there was no response */
async function send(origin, { method, at, body, cookie, key, type = "application/json" }) {
  const headers = { "Content-Type": type, Cookie: cookie ?? "", Origin: origin, "Idempotency-Key": key };
  try {
    const request = http.request(origin + at, { method, headers, agent: false });
    request.end(body);
    const [response] = await once(request, "response");
    const cookie = response.headers["set-cookie"]?.map((each) => each.split(";")[0]).join("; ");
    return { status: response.statusCode, answer: await text(response), cookie };
  } catch (error) {
    return { status: 0, answer: String(error) };
  }
}

/** Repeats the request until the status is below 500, with the same key so that nothing is done twice. */
const ask = async (traffic, call) => (await askWhole(traffic, call)).answer;

async function askWhole(traffic, call) {
  const [key, since] = [randomUUID(), Date.now()];
  for (let tries = 0; ; tries++) {
    const { status, answer, cookie } = await send(traffic.origin, { ...call, key });
    traffic.answers[status] = (traffic.answers[status] ?? 0) + 1;
    if (status > 0 && status < 500) {
      if (tries > 0) traffic.healed += 1;
      if (status >= 300) throw new Error(`${call.method} ${call.at} answered ${status}: ${answer}`);
      return { answer, cookie };
    }
    if (Date.now() - since > HEALED_WITHIN_MS) throw new Error(`${call.at} did not recover: ${status} ${answer}`);
    await wait(AGAIN_AFTER_MS);
  }
}

const PAGES = ["/dashboard", "/payees", "/payments", "/verifications/pending"];

/**
 * Somebody signs in; a payee is added, asked through their bank, held, reviewed and paid, and is in a payment file and
 * an invoice if the build reads those; pages are opened in between.
 */
async function journey(traffic, number) {
  const body = JSON.stringify({ email: traffic.email, password: traffic.password });
  const { cookie } = await askWhole(traffic, { method: "POST", at: "/api/login", body });
  const look = (at) => ask(traffic, { method: "GET", at, cookie });
  const read = async (at) => JSON.parse(await look(at));
  const post = async (at, body, more = {}) =>
    JSON.parse(await ask(traffic, { method: "POST", at, body: JSON.stringify(body), cookie, ...more }));
  await look(PAGES[number % PAGES.length]);
  const name = `Crossing ${number} Supplies`;
  const [bsb, accountNumber, email] = [
    "062-000",
    String(70_000_000 + number * 7_919),
    `crossing-${number}@wattle.example`,
  ];
  const { payee, verification } = await post("/api/payees", { name, accountName: name, bsb, accountNumber, email });
  await post(`/api/verifications/${verification.id}/verify-basiq`, {});
  const early = { payeeId: payee.id, amount: 20_000 + number, reference: `EARLY-${number}` };
  const { payment: held } = await post("/api/payments", early);
  await fromBank(traffic, verification.id);
  await until(
    async () => (await read(`/api/verifications/${verification.id}`)).verifiedAccountName !== null,
    `the bank's answer ${number}`,
  );
  await post(`/api/verifications/${verification.id}/review`, {
    approved: true,
    reason: "The bank confirms the account",
  });
  if (held.status === "held")
    await post(`/api/payments/${held.id}/decision`, { decision: "approve", reason: "Invoice and order agree" });
  await post("/api/payments", { payeeId: payee.id, amount: 30_000 + number, reference: `LATER-${number}` });
  const table = `Account name,BSB,Account number,Amount,Reference\n${name},${bsb},${accountNumber},42.${10 + (number % 90)},FILE-${number}`;
  await post(`/api/payment-files?name=crossing-${number}.csv`, undefined, { body: table, type: "text/csv" });
  if (traffic.readsInvoices) {
    const document = anInvoice({ number, name, bsb: bsb.replace("-", ""), accountNumber });
    const { invoice } = await post("/api/invoices", undefined, { body: document, type: "application/xml" });
    await until(async () => {
      const { status, read: facts, payee: found } = (await read(`/api/invoices/${invoice.id}`)).invoice;
      if (status === "reading") return false;
      if (facts?.accounts[0]?.certain !== true || found?.id !== payee.id)
        throw new Error(`invoice ${number} was read as ${JSON.stringify({ status, facts, found })}`);
      return true;
    }, `invoice ${number}`);
    traffic.invoices += 1;
  }
  traffic.done.push(number);
}

/** An electronic invoice (Peppol) of the payee, with their account. */
const anInvoice = ({ number, name, bsb, accountNumber }) => {
  const UBL = "urn:oasis:names:specification:ubl:schema:xsd";
  return `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="${UBL}:Invoice-2" xmlns:cac="${UBL}:CommonAggregateComponents-2" xmlns:cbc="${UBL}:CommonBasicComponents-2">
<cbc:ID>CROSS-${number}</cbc:ID><cbc:IssueDate>2026-11-20</cbc:IssueDate><cbc:DocumentCurrencyCode>AUD</cbc:DocumentCurrencyCode>
<cac:AccountingSupplierParty><cac:Party><cac:PartyName><cbc:Name>${name}</cbc:Name></cac:PartyName></cac:Party></cac:AccountingSupplierParty>
<cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode><cac:PayeeFinancialAccount><cbc:ID>${accountNumber}</cbc:ID>
<cbc:Name>${name}</cbc:Name><cac:FinancialInstitutionBranch><cbc:ID>${bsb}</cbc:ID></cac:FinancialInstitutionBranch></cac:PayeeFinancialAccount></cac:PaymentMeans>
<cac:LegalMonetaryTotal><cbc:PayableAmount currencyID="AUD">${20 + number}.00</cbc:PayableAmount></cac:LegalMonetaryTotal>
</Invoice>`;
};

/** The payee agrees at their bank, whose events reach the app as webhooks. */
async function fromBank({ simulators }, verificationId) {
  const body = JSON.stringify({ verificationId, persona: "close" });
  await until(async () => {
    const { status } = await send(simulators, { method: "POST", at: "/basiq/complete", body, key: randomUUID() });
    return status === 200;
  }, "the bank");
}

async function until(isSo, what) {
  const since = Date.now();
  while (!(await isSo())) {
    if (Date.now() - since > ANSWERED_WITHIN_MS) throw new Error(`waited in vain for ${what}`);
    await wait(AGAIN_AFTER_MS);
  }
}

/** @param copy its ports stay the same, whichever build serves them */
export async function startTraffic(copy) {
  const { DEMO_PASSWORD: password } = JSON.parse(readFileSync(path.join(copy.stateDir, "secrets.json"), "utf8"));
  const person = { email: "alex@harbour.example", password };
  const traffic = { ...copy, ...person, answers: {}, healed: 0, done: [], invoices: 0, isOver: false };
  let next = 1;
  const working = Array.from({ length: SIDE_BY_SIDE }, async () => {
    while (!traffic.isOver) await journey(traffic, next++);
  });
  // Whoever awaits the promise sees the failure.
  for (const each of working) each.catch(() => {});
  return {
    /** From now on the build is one that reads invoices. */
    readInvoices: () => {
      traffic.readsInvoices = true;
    },
    /** Goes on until this many more journeys are done. */
    more: async (count) => {
      const goal = traffic.done.length + count;
      await Promise.race([until(() => traffic.done.length >= goal, "journeys"), ...working]);
    },
    /** Stops the journeys, and fails if something was lost or done twice. */
    end: async () => {
      traffic.isOver = true;
      await Promise.all(working);
      const recorded = await listReferences(traffic, await signIn(traffic));
      for (const number of traffic.done)
        for (const reference of [`EARLY-${number}`, `LATER-${number}`])
          if (recorded.filter((each) => each === reference).length !== 1)
            throw new Error(`${reference} is there ${recorded.filter((each) => each === reference).length} times`);
      const emails = await countEmails(traffic);
      const { done, answers, healed, invoices } = traffic;
      return { journeys: done.length, answers, healed, invoices, emails };
    },
  };
}

async function listReferences(traffic, cookie) {
  const found = [];
  for (let cursor = ""; cursor !== null; ) {
    const at = `/api/payments${cursor && `?cursor=${encodeURIComponent(cursor)}`}`;
    const page = JSON.parse(await ask(traffic, { method: "GET", at, cookie }));
    found.push(...page.payments.map(({ reference }) => reference));
    cursor = page.nextCursor;
  }
  return found;
}

/** Each payee was asked in one email. */
async function countEmails({ simulators, done }) {
  const { answer } = await send(simulators, { method: "GET", at: "/mail/messages", key: "" });
  const mails = JSON.parse(answer);
  for (const number of done) {
    const own = mails.filter(({ to }) => to.includes(`crossing-${number}@`));
    if (own.length !== 1) throw new Error(`${own.length} emails went to the payee of journey ${number}`);
  }
  return mails.length;
}
