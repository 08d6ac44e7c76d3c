import { createHmac } from "node:crypto";
import { readEnv } from "@workers/env";
import { expect, test } from "vitest";
import { readXeroEvents } from "~/adapters/accounting/xero-webhook";
import { verifyBasiqWebhook } from "~/adapters/bank-data/basiq-webhook";
import { readMailWebhook } from "~/adapters/mail/mail-webhook";
import { readSmsReport } from "~/adapters/sms/sms-webhook";
import { readCookie, sessionCookie } from "~/http/cookies.server";
import type { Services } from "~/services-and-actor";
import { compose } from "../workers/compose";
import { aClock } from "./support/clock";
import { aLog } from "./support/services-log";
import { TEST_ENV } from "./support/test-env";

/**
 * Each secret is changed in two deployments, during which builds with both lists answer. What one makes the other
 * accepts, and both agree with a party before and after its own change.
 */

const clock = aClock();
const bindings = { DB: {}, NOTES: {}, READER: {}, BANK_CHECKS: {}, JOBS: {}, DEAD_LETTERS: {} };

function deployed(
  variables: Record<string, string>,
  fetch: (request: Request) => Promise<Response> = refuse,
): Services {
  const env = readEnv({ ...TEST_ENV, ...bindings, ...variables });
  return compose(env, { clock, log: aLog(), fetch });
}
const refuse = async () => new Response(null, { status: 500 });

/** Lists of one deployment after the other, and which answer at the same time. */
const listsOf = (before: string, after: string) => [before, `${before},${after}`, `${after},${before}`, after];
const TOGETHER = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
  [1, 2],
  [2, 1],
  [2, 2],
] as const;

test.each(TOGETHER)("COOKIE_SECRETS: a session of deployment %i is one of deployment %i", async (from, to) => {
  const lists = listsOf("a".repeat(40), "b".repeat(40));
  const cookieAt = (at: number) => {
    const { appOrigin, cookieSecrets } = deployed({ COOKIE_SECRETS: lists[at] ?? "" }).config;
    return sessionCookie(appOrigin, cookieSecrets);
  };
  const set = await cookieAt(from).serialize("token");
  const request = new Request("http://app.test/", { headers: { Cookie: set.split(";")[0] ?? "" } });
  expect(await readCookie<string>(cookieAt(to), request)).toBe("token");
});

const KEYS = listsOf(TEST_ENV.ENCRYPTION_KEYS, "e2:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8");

test.each(TOGETHER)("ENCRYPTION_KEYS: what deployment %i seals, deployment %i opens", async (from, to) => {
  const at = (index: number) => deployed({ ENCRYPTION_KEYS: KEYS[index] ?? "" }).secrets;
  expect(await at(to).open(await at(from).seal("a secret", "here"), "here")).toBe("a secret");
});

test.each(TOGETHER)(
  "FINGERPRINT_KEYS: an account that deployment %i stored is found by deployment %i",
  async (from, to) => {
    const lists = listsOf(TEST_ENV.FINGERPRINT_KEYS, "f2:HxwdGxoZGBcWFRQTEhEQDw4NDAsKCQgHBgUEAwIBAAA");
    const at = (index: number) => deployed({ FINGERPRINT_KEYS: lists[index] ?? "" }).secrets;
    const stored = await at(from).fingerprint("062000 12345678");
    expect(await at(to).fingerprints("062000 12345678")).toContainEqual(stored);
  },
);

/** A party signs with the former secret until it is changed there, between the two deployments. */
const SIGNED = [
  [0, "before"],
  [1, "before"],
  [1, "after"],
  [2, "before"],
  [2, "after"],
  [3, "after"],
] as const;
const WHSEC = {
  before: "whsec_dGVzdC13ZWJob29rLXNlY3JldC0wMDAwMDAwMDA=",
  after: "whsec_dGVzdC13ZWJob29rLXNlY3JldC0xMTExMTExMTE=",
};

/** Standard Webhooks: "id.timestamp.body" under the decoded secret. */
function standardHeaders(secret: string, rawBody: string): Headers {
  const timestamp = String(Math.floor(clock.now() / 1000));
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signature = createHmac("sha256", key).update(`m1.${timestamp}.${rawBody}`).digest("base64");
  const names = ["webhook", "svix"].flatMap((name) => [
    [`${name}-id`, "m1"],
    [`${name}-timestamp`, timestamp],
    [`${name}-signature`, `v1,${signature}`],
  ]) as [string, string][];
  return new Headers(names);
}

test.each(SIGNED)("BASIQ_WEBHOOK_SECRET: deployment %i takes what is signed as %s the change", async (at, when) => {
  const { config } = deployed({ BASIQ_WEBHOOK_SECRET: listsOf(WHSEC.before, WHSEC.after)[at] ?? "" });
  const rawBody = JSON.stringify({
    eventTypeId: "user.created",
    eventId: "e1",
    links: { eventEntity: "https://x.example/u1" },
  });
  const headers = standardHeaders(WHSEC[when], rawBody);
  const read = verifyBasiqWebhook({ secret: config.basiqWebhookSecrets, headers, rawBody, nowMs: clock.now() });
  await expect(read).resolves.toBeDefined();
});

test.each(SIGNED)("MAIL_WEBHOOK_SECRETS: deployment %i takes what is signed as %s the change", async (at, when) => {
  const { config } = deployed({ MAIL_WEBHOOK_SECRETS: listsOf(WHSEC.before, WHSEC.after)[at] ?? "" });
  const rawBody = JSON.stringify({
    type: "email.delivered",
    created_at: new Date(clock.now()).toISOString(),
    data: { email_id: "1", to: ["a@b.example"] },
  });
  const headers = standardHeaders(WHSEC[when], rawBody);
  const read = readMailWebhook({ secrets: config.mailWebhookSecrets, headers, rawBody, nowMs: clock.now() });
  await expect(read).resolves.toMatchObject({ outcome: "delivered" });
});

test.each(SIGNED)("XERO_WEBHOOK_KEYS: deployment %i takes what is signed as %s the change", async (at, when) => {
  const { config } = deployed({ XERO_WEBHOOK_KEYS: listsOf("key-before", "key-after")[at] ?? "" });
  const rawBody = JSON.stringify({ events: [], firstEventSequence: 0, lastEventSequence: 0 });
  const signature = createHmac("sha256", `key-${when}`).update(rawBody).digest("base64");
  expect(await readXeroEvents(config.xeroWebhookKeys, { rawBody, signature })).toEqual([]);
});

test.each(SIGNED)("STRIPE_WEBHOOK_SECRETS: deployment %i takes what is signed as %s the change", async (at, when) => {
  const { cards } = deployed({ STRIPE_WEBHOOK_SECRETS: listsOf("whsec_before", "whsec_after")[at] ?? "" });
  const rawBody = JSON.stringify({
    id: "evt_1",
    object: "event",
    type: "customer.subscription.updated",
    created: Math.floor(clock.now() / 1000),
    data: { object: { id: "sub_1", object: "subscription", customer: "cus_1" } },
  });
  const timestamp = Math.floor(clock.now() / 1000);
  const v1 = createHmac("sha256", `whsec_${when}`).update(`${timestamp}.${rawBody}`).digest("hex");
  await expect(cards.readEvent({ rawBody, signature: `t=${timestamp},v1=${v1}` })).resolves.toBeDefined();
});

test.each(SIGNED)("SMS_AUTH_TOKEN: deployment %i takes a report signed as %s the change", async (at, when) => {
  const { config } = deployed({ SMS_AUTH_TOKEN: listsOf("token-before", "token-after")[at] ?? "" });
  const url = "http://app.test/webhooks/sms";
  const form = new URLSearchParams({ MessageSid: "SM1", MessageStatus: "delivered" });
  const said =
    url +
    [...form]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => name + value)
      .join("");
  const signature = createHmac("sha1", `token-${when}`).update(said).digest("base64");
  await expect(readSmsReport({ authTokens: config.smsAuthTokens, signature, url, form })).resolves.toBeDefined();
});

type Call = (services: Services) => Promise<unknown> | undefined;
const MAIL = { to: "a@b.example", subject: "s", html: "h", text: "t" };

/** A call with each credential of ours. `spell`: how it appears in a request. */
const CREDENTIALS: readonly { name: string; prefix?: string; spell?: (credential: string) => string; call: Call }[] = [
  { name: "MAIL_API_KEY", call: ({ mail }) => mail.send(MAIL, "k") },
  { name: "BASIQ_API_KEY", call: ({ bankData }) => bankData.getProgress("u1") },
  {
    name: "COP_TOKEN",
    call: ({ instantBankData }) =>
      instantBankData?.lookUp({
        bsb: "062000",
        accountNumber: "12345678",
        accountName: "Ana",
        reference: "r1",
      } as never),
  },
  {
    name: "AZUPAY_API_KEY",
    call: ({ secondBankData }) =>
      secondBankData?.lookUp({
        lookUpId: "lookup-1",
        requesterId: "org-1",
        bsb: "062000",
        accountNumber: "12345678",
        accountName: "Ana",
        purpose: "VADR",
      }),
  },
  { name: "STRIPE_SECRET_KEY", prefix: "sk_", call: ({ cards }) => cards.findOrganizationOf("cus_1") },
  {
    name: "SMS_AUTH_TOKEN",
    spell: (token) => btoa(`${TEST_ENV.SMS_ACCOUNT_SID}:${token}`),
    call: ({ sms }) => sms.send({ to: "+61400000000", body: "x" }),
  },
  {
    name: "XERO_CLIENT_SECRET",
    spell: (secret) => btoa(`${TEST_ENV.XERO_CLIENT_ID}:${secret}`),
    call: ({ accounting }) => accounting.xero?.refresh("r"),
  },
  { name: "MYOB_CLIENT_SECRET", call: ({ accounting }) => accounting.myob?.refresh("r") },
  { name: "ABR_GUID", call: ({ businessRegister }) => businessRegister?.findByAbn("51824753556") },
];

/** A party that takes one credential; the register refuses with 200 and a sentence, token endpoints with 400. */
function aParty(accepted: string) {
  const answers: boolean[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const said = `${request.url} ${request.headers.get("authorization")} ${await request.clone().text()}`;
    const isAccepted = said.includes(accepted);
    answers.push(isAccepted);
    if (isAccepted) return Response.json({ access_token: "t", expires_in: 3600, Message: "No record found" });
    if (request.url.includes("/abr/"))
      return Response.json({ Message: "The GUID entered is not recognised as a Registered Party" });
    return Response.json({ error: "invalid_client" }, { status: 401 });
  };
  return { answers, fetch };
}

test.each(CREDENTIALS.flatMap((each) => SIGNED.map(([at, when]) => [each.name, at, when, each] as const)))(
  "%s: a call of deployment %i is answered by a party as it is %s the change",
  async (name, at, when, { prefix = "", spell = (text: string) => text, call }) => {
    const lists = listsOf(`${prefix}credential-before`, `${prefix}credential-after`);
    const party = aParty(spell(`${prefix}credential-${when}`));
    const services = deployed({ [name]: lists[at] ?? "" }, party.fetch);
    // What the party answers is not what its documentation says; that it answered is what counts.
    await call(services)?.catch(() => {});
    expect(party.answers).toContain(true);
  },
);

test.each(SIGNED)("LIBSQL_AUTH_TOKEN: deployment %i is let in by a server as it is %s the change", async (at, when) => {
  const party = aParty(`Bearer token-${when}`);
  const lists = listsOf("token-before", "token-after");
  const variables = { DB_DRIVER: "libsql", LIBSQL_URL: "http://libsql.example", LIBSQL_AUTH_TOKEN: lists[at] ?? "" };
  const { db } = deployed(variables, party.fetch);
  await Promise.resolve(db.run("SELECT 1" as never)).catch(() => {});
  expect(party.answers).toContain(true);
});
