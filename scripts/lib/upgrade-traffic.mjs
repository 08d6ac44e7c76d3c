import { randomUUID } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
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
    return { status: response.statusCode, answer: await text(response) };
  } catch (error) {
    return { status: 0, answer: String(error) };
  }
}

/** Repeats the request until the status is below 500, with the same key so that nothing is done twice. */
async function ask(traffic, call) {
  const [key, since] = [randomUUID(), Date.now()];
  for (let tries = 0; ; tries++) {
    const { status, answer } = await send(traffic.origin, { ...call, key });
    traffic.answers[status] = (traffic.answers[status] ?? 0) + 1;
    if (status > 0 && status < 500) {
      if (tries > 0) traffic.healed += 1;
      if (status >= 300) throw new Error(`${call.method} ${call.at} answered ${status}: ${answer}`);
      return answer;
    }
    if (Date.now() - since > HEALED_WITHIN_MS) throw new Error(`${call.at} was not healed: ${status} ${answer}`);
    await wait(AGAIN_AFTER_MS);
  }
}

const PAGES = ["/dashboard", "/payees", "/payments", "/verifications/pending"];

/**
 * A payee is added, asked through their bank, held, reviewed and paid, and is in a payment file; pages are opened in
 * between.
 * @returns the references that were to be recorded, once each
 */
async function journey(traffic, number) {
  const look = (at) => ask(traffic, { method: "GET", at, cookie: traffic.cookie });
  const read = async (at) => JSON.parse(await look(at));
  const post = async (at, body, more = {}) =>
    JSON.parse(await ask(traffic, { method: "POST", at, body: JSON.stringify(body), cookie: traffic.cookie, ...more }));
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
  traffic.done.push(number);
}

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
  const traffic = { ...copy, answers: {}, healed: 0, done: [], cookie: await signIn(copy), isOver: false };
  let next = 1;
  const working = Array.from({ length: SIDE_BY_SIDE }, async () => {
    while (!traffic.isOver) await journey(traffic, next++);
  });
  // Whoever awaits the promise sees the failure.
  for (const each of working) each.catch(() => {});
  return {
    /** Goes on until this many more journeys are done. */
    more: async (count) => {
      const goal = traffic.done.length + count;
      await Promise.race([until(() => traffic.done.length >= goal, "journeys"), ...working]);
    },
    /** Stops the journeys, and fails if something was lost or done twice. */
    end: async () => {
      traffic.isOver = true;
      await Promise.all(working);
      const recorded = await listReferences(traffic);
      for (const number of traffic.done)
        for (const reference of [`EARLY-${number}`, `LATER-${number}`])
          if (recorded.filter((each) => each === reference).length !== 1)
            throw new Error(`${reference} is there ${recorded.filter((each) => each === reference).length} times`);
      const emails = await countEmails(traffic);
      return { journeys: traffic.done.length, answers: traffic.answers, healed: traffic.healed, emails };
    },
  };
}

async function listReferences(traffic) {
  const found = [];
  for (let cursor = ""; cursor !== null; ) {
    const at = `/api/payments${cursor && `?cursor=${encodeURIComponent(cursor)}`}`;
    const page = JSON.parse(await ask(traffic, { method: "GET", at, cookie: traffic.cookie }));
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
