import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { createBasiqBankData } from "~/adapters/bank-data/basiq";
import { verifyBasiqWebhook } from "~/adapters/bank-data/basiq-webhook";
import { compareWithBank } from "~/modules/verifying/bank-checks/compare-with-bank";
import { aClock } from "../support/clock";
import {
  BASE_URL,
  type Change,
  type Choice,
  CONNECTION,
  createDocumentedBasiq,
  DOCUMENTED,
  documented,
  example,
  USER,
  withoutEnvelope,
  withRequiredAlone,
} from "../support/documented-basiq";
import { type Json, pathsOf, withUnknownFields } from "../support/json-shapes";
import { createBench, jsonOf } from "../support/simulator-bench";
import { TEST_ENV } from "../support/test-env";

/** The adapter and the simulator against Basiq's published documents: tests/conformance/basiq/README.md. */

const NOW = Date.parse("2026-11-20T06:00:00Z");
const SUBMITTED = { accountName: "Wattle Joinery Pty Ltd", bsb: "062000", accountNumber: "12345678" };

const OPTIONS = {
  baseUrl: BASE_URL,
  consentUrl: "https://consent.basiq.io/home",
  apiKey: "a2V5",
  clock: aClock(NOW),
};

const AT_THE_END: Record<string, Choice> = {
  "POST /users": "person",
  "GET /users/{userId}/jobs": "done",
  "GET /users/{userId}/consents": "one stands, one was revoked",
  "GET /users/{userId}/connections": "one",
  "GET /users/{userId}/accounts": "open banking",
  "GET /users/{userId}/identities": "organisation",
  "GET /connectors": "two ways to one bank",
  "GET /events": "newest first",
  "GET /events/{eventId}": "consent revoked",
};

function adapter(chosen: Record<string, Choice> = {}, change?: Change) {
  const log: string[] = [];
  const provider = createDocumentedBasiq({ ...AT_THE_END, ...chosen }, { change });
  const bankData = createBasiqBankData({
    ...OPTIONS,
    fetch: provider.fetch,
    log: { warn: (event) => log.push(event) },
  });
  return { ...bankData, asked: provider.asked, log };
}

const VARIANTS: [string, Change | undefined][] = [
  ["as documented", undefined],
  ["with what is required alone", withRequiredAlone],
  ["with fields nobody has heard of", withUnknownFields],
  ["without anything around them", withoutEnvelope],
];

describe.each(VARIANTS)("answers %s", (_, change) => {
  test("a check is carried out to its result", async () => {
    const basiq = adapter({}, change);
    const { providerUserId } = await basiq.createUser({ email: "kim@wattle.example" }, "check-1");
    expect(providerUserId).toBe(USER);
    expect(await basiq.getProgress(providerUserId)).toMatchObject({ state: "succeeded" });
    const shared = await basiq.getSharedData(providerUserId);
    expect(shared.accounts).toMatchObject([
      {
        connectionId: CONNECTION,
        bsb: "062000",
        accountHolder: "WATTLE JOINERY PTY LTD",
        status: "available",
        institutionName: "Hooli Bank",
      },
    ]);
    expect(compareWithBank(SUBMITTED, shared, NOW)).toMatchObject({ outcome: "match" });
    await basiq.deleteUser(providerUserId);
    expect(basiq.log).toEqual([]);
  });

  test("a bank that gives no more than the number in one piece is enough", async () => {
    const basiq = adapter({ "GET /users/{userId}/accounts": "web" }, change);
    const shared = await basiq.getSharedData(USER);
    expect(compareWithBank(SUBMITTED, shared, NOW)).toMatchObject({ outcome: "match" });
  });

  test("jobs that run, fail and end are told apart", async () => {
    const progress = (name: string) => adapter({ "GET /users/{userId}/jobs": name }, change).getProgress(USER);
    expect(await progress("in progress")).toMatchObject({ state: "running" });
    expect(await progress("refused")).toMatchObject({ state: "failed", retryable: false });
    expect(await progress("done")).toMatchObject({ state: "succeeded" });
  });

  test("a payee who was at no bank has no jobs yet", async () => {
    const none = { body: { type: "list", size: 0, data: [], links: { self: `${BASE_URL}/users/${USER}/jobs` } } };
    expect(await adapter({ "GET /users/{userId}/jobs": none }, change).getProgress(USER)).toEqual({ state: "waiting" });
  });

  test.each(["in progress", "done"])("a consent that was taken back while the job is %s is no data", async (job) => {
    const withdrawn = { "GET /users/{userId}/jobs": job, "GET /users/{userId}/consents": "all revoked" };
    expect(await adapter(withdrawn, change).getProgress(USER)).toEqual({ state: "withdrawn", hasExpired: false });
  });

  test("a consent that ran out is no data either, and not the payee's doing", async () => {
    const { data } = example("GET /users/{userId}/consents", "all revoked") as { data: object[] };
    const body = { type: "list", data: data.map((consent) => ({ ...consent, status: "expired" })) };
    const chosen = { "GET /users/{userId}/consents": { body } };
    expect(await adapter(chosen, change).getProgress(USER)).toEqual({ state: "withdrawn", hasExpired: true });
  });

  test.each([
    ["consent revoked", "consent.revoked", "ev-consent"],
    ["consent expired", "consent.expired", "ev-expired"],
    ["connection updated", "connection.updated", "ev-connection"],
  ])("an event of a %s is %s", async (name, eventType, eventId) => {
    const event = await adapter({ "GET /events/{eventId}": name }, change).getEvent(eventId);
    expect(event).toEqual({ eventId, eventType, providerUserId: USER });
  });

  test("the list of events names consents that ended, and who was created", async () => {
    const since = Date.parse("2026-11-20T00:00:00Z");
    const basiq = adapter({}, change);
    expect((await basiq.listEndedConsents(since)).map(({ eventId, eventType }) => [eventId, eventType])).toEqual([
      ["ev-expired", "consent.expired"],
      ["ev-consent", "consent.revoked"],
    ]);
    expect(await basiq.listCreatedUsers(since)).toEqual([
      { providerUserId: USER, createdAt: Date.parse("2026-11-20T04:10:00Z") },
    ]);
    expect(await basiq.listEndedConsents(Date.parse("2026-11-20T04:15:36Z"))).toHaveLength(1);
    expect(basiq.log).toEqual([]);
  });
});

test("the person who signed in stands in where the bank gives no holder", async () => {
  const withheld = example("GET /users/{userId}/accounts", "open banking") as { data: Json[] };
  const body = { ...withheld, data: withheld.data.map((account) => ({ ...(account as object), accountHolder: null })) };
  const shared = await adapter({ "GET /users/{userId}/accounts": { body } as Choice }).getSharedData(USER);
  expect(shared.identities).toEqual([
    {
      connectionId: CONNECTION,
      fullName: undefined,
      businessName: "Wattle Joinery",
      legalName: "Wattle Joinery Pty Ltd",
      abn: "51824753556",
    },
  ]);
  expect(compareWithBank(SUBMITTED, shared, NOW)).toMatchObject({
    outcome: "match",
    reasonCode: "compared_with_identity",
  });
});

test("a payee who granted no identity still shared the account", async () => {
  const shared = await adapter({ "GET /users/{userId}/identities": "404" }).getSharedData(USER);
  expect(shared).toMatchObject({ accounts: [{ accountHolder: "WATTLE JOINERY PTY LTD" }], identities: [] });
});

test("a list of consents that cannot be read stops no check, and the log says so", async () => {
  const basiq = adapter({ "GET /users/{userId}/consents": { body: { data: [{ id: 7 }] } } });
  expect(await basiq.getProgress(USER)).toMatchObject({ state: "succeeded" });
  expect(basiq.log).toEqual(["basiq.consents_not_read"]);
  const none = adapter({ "GET /users/{userId}/consents": "404" });
  expect(await none.getProgress(USER)).toMatchObject({ state: "succeeded" });
  expect(none.log).toEqual([]);
});

const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => "answered",
    (error) => error.kind ?? String(error),
  );

/** Every item of the list with other fields. */
function changed(call: string, name: string, fields: object): Record<string, Choice> {
  const { data, ...list } = example(call, name) as { data: object[] };
  return { [call]: { body: { ...list, data: data.map((item) => ({ ...item, ...fields })) } } };
}

test.each<[string, object]>([
  ["no id", { id: null }],
  ["a number for an account number", { accountNo: 62_000_012_345_678 }],
  ["a number for a BSB", { bsb: 62_000 }],
  ["a name that is a list", { accountHolder: ["WATTLE"] }],
  ["a status that is no word", { status: true }],
])("an account with %s is not believed", async (_, fields) => {
  expect(
    await kindOf(
      adapter(changed("GET /users/{userId}/accounts", "open banking", fields as Record<string, Json>)).getSharedData(
        USER,
      ),
    ),
  ).toBe("malformed");
});

test("an account of a state that the documents do not have is neither open nor closed", async () => {
  const chosen = changed("GET /users/{userId}/accounts", "open banking", { status: "frozen" });
  const shared = await adapter(chosen).getSharedData(USER);
  expect(compareWithBank(SUBMITTED, shared, NOW)).toMatchObject({
    outcome: "unable",
    reasonCode: "account_state_unclear",
  });
});

test.each([
  ["jobs", "GET /users/{userId}/jobs", { links: { source: `${BASE_URL}/users/somebody-else/connections/c` } }],
  ["identities", "GET /users/{userId}/identities", { links: { self: `${BASE_URL}/users/somebody-else/identities/i` } }],
  ["connections", "GET /users/{userId}/connections", { userId: "somebody-else" }],
  ["accounts", "GET /users/{userId}/accounts", { userId: "somebody-else" }],
])("%s of somebody else are not believed", async (_, call, fields) => {
  const name = Object.keys(documented(call).answers).at(-1) ?? "";
  const basiq = adapter(changed(call, name, fields));
  const work = call.endsWith("jobs") ? basiq.getProgress(USER) : basiq.getSharedData(USER);
  expect(await kindOf(work)).toBe("wrong_tenant");
});

test.each<[string, object]>([
  ["without an entity", { entity: null }],
  ["without a user", { userId: "" }],
  ["without what happened", { eventType: null }],
])("an event %s says nothing, and hides no other in the list", async (_, fields) => {
  const single = {
    ...(example("GET /events/{eventId}", "consent revoked") as object),
    ...fields,
  } as Json;
  expect(await kindOf(adapter({ "GET /events/{eventId}": { body: single } }).getEvent("ev-consent"))).toBe("malformed");
  const list = example("GET /events", "newest first") as { data: Json[] };
  const basiq = adapter({ "GET /events": { body: { ...list, data: [single, ...list.data] } } });
  expect(await basiq.listEndedConsents(0)).toHaveLength(2);
  expect(basiq.log).toEqual(["basiq.events_not_read"]);
});

test("an event by its joined word, as webhooks write it, is the same", async () => {
  const joined = { ...(example("GET /events/{eventId}", "consent revoked") as object), eventType: "consent.revoked" };
  const event = await adapter({ "GET /events/{eventId}": { body: joined } }).getEvent("ev-consent");
  expect(event.eventType).toBe("consent.revoked");
});

/** A provider whose events are on these pages, by the seconds of their times. */
function pagesOfEvents(pages: readonly (readonly number[])[]) {
  const read: number[] = [];
  const sample = example("GET /events/{eventId}", "consent revoked") as object;
  const provider = createDocumentedBasiq({});
  const bankData = createBasiqBankData({
    ...OPTIONS,
    fetch: async (request) => {
      const url = new URL(request.url);
      if (url.pathname !== "/events") return provider.fetch(request);
      const page = Number(url.searchParams.get("next") ?? 0);
      read.push(page);
      const data = (pages[page] ?? []).map((second) => ({
        ...sample,
        id: `ev-${second}`,
        createdDate: new Date(second * 1000).toISOString(),
      }));
      const next = page + 1 < pages.length ? { next: `${BASE_URL}/events?next=${page + 1}` } : {};
      return Response.json({ type: "list", data, links: { self: url.toString(), ...next } });
    },
  });
  return { bankData, read };
}

test("events are read as far back as asked, and to the end where they are in no order", async () => {
  const newestFirst = pagesOfEvents([[90, 80], [70, 60], [50, 40], [30]]);
  expect((await newestFirst.bankData.listEndedConsents(65_000)).map(({ eventId }) => eventId)).toEqual([
    "ev-90",
    "ev-80",
    "ev-70",
  ]);
  expect(newestFirst.read).toEqual([0, 1]);
  const oldestFirst = pagesOfEvents([[30, 40], [50, 60], [70, 80], [90]]);
  expect((await oldestFirst.bankData.listEndedConsents(65_000)).map(({ eventId }) => eventId)).toEqual([
    "ev-70",
    "ev-80",
    "ev-90",
  ]);
  expect(oldestFirst.read).toEqual([0, 1, 2, 3]);
});

test.each([
  ["403", example("ERROR", "403 expired"), "unavailable"],
  ["403", { message: "Forbidden" }, "unavailable"],
  ["404", example("ERROR", "404"), "rejected"],
  ["400", example("ERROR", "400"), "rejected"],
  ["429", example("ERROR", "429"), "rate_limited"],
  ["500", "<html>", "unavailable"],
])("a refusal with %s and %j is %s", async (status, body, kind) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const provider = createDocumentedBasiq({});
  const bankData = createBasiqBankData({
    ...OPTIONS,
    fetch: async (request) =>
      request.url.endsWith("/token") ? provider.fetch(request) : new Response(text, { status: Number(status) }),
  });
  expect(await kindOf(bankData.getProgress(USER))).toBe(kind);
});

test.each(["user created", "consent revoked"])("the documented webhook of a %s is read", async (name) => {
  const body = JSON.stringify(example("WEBHOOK", name));
  const sentAt = new Date(NOW);
  const secret = TEST_ENV.BASIQ_WEBHOOK_SECRET;
  const headers = new Headers({
    "webhook-id": "msg_1",
    "webhook-timestamp": String(NOW / 1000),
    "webhook-signature": new Webhook(secret).sign("msg_1", sentAt, body),
  });
  const { eventTypeId } = await verifyBasiqWebhook({ secret, headers, rawBody: body, nowMs: NOW });
  expect(eventTypeId).toBe(name.replace(" ", "."));
});

/** The simulator's answer to each documented call. */
async function askSimulator(): Promise<Record<string, Json>> {
  const bench = createBench();
  const { providerUserId: user, verificationId } = await bench.startCheck();
  const refused = await bench.startCheck();
  await bench.postJson("/basiq/complete", { verificationId: refused.verificationId, persona: "refused" });
  await bench.postJson("/basiq/complete", { verificationId, persona: "business" });
  const basiq = await bench.api();
  const get = (path: string) => jsonOf<Json & { data: { id: string }[] }>(basiq("GET", path));
  const first = async (path: string) => (await get(path)).data[0]?.id ?? "";
  const of = (resource: string) => `/users/${user}/${resource}`;
  await bench.simulators.idle();
  const [webhook] = bench.deliveries;
  const newUser = { email: "kim@wattle.example", businessName: "Wattle", businessIdNo: "51824753556" };
  const tokenRequest = new Request(`${TEST_ENV.BASIQ_BASE_URL}/token`, {
    method: "POST",
    headers: { authorization: `Basic ${TEST_ENV.BASIQ_API_KEY}`, "basiq-version": "3.0" },
    body: "scope=SERVER_ACCESS",
  });
  const answers: Record<string, Json> = {
    "POST /token": await jsonOf(bench.fetch(tokenRequest)),
    "POST /users": await jsonOf(basiq("POST", "/users", newUser)),
    "GET /users/{userId}": await get(`/users/${user}`),
    "GET /users/{userId}/jobs": await get(of("jobs")),
    "GET /jobs/{jobId}": await get(`/jobs/${await first(of("jobs"))}`),
    "GET /users/{userId}/connections": await get(of("connections")),
    "GET /users/{userId}/connections/{connectionId}": await get(of(`connections/${await first(of("connections"))}`)),
    "GET /users/{userId}/accounts": await get(of("accounts")),
    "GET /users/{userId}/accounts/{accountId}": await get(of(`accounts/${await first(of("accounts"))}`)),
    "GET /users/{userId}/identities": await get(of("identities")),
    "GET /users/{userId}/identities/{identityId}": await get(of(`identities/${await first(of("identities"))}`)),
    "GET /connectors": await get("/connectors"),
    "GET /notifications/webhooks": await get("/notifications/webhooks"),
    ERROR: await get(`/users/${user}/consents-of-nobody`),
    WEBHOOK: JSON.parse(webhook?.body ?? "null"),
  };
  const consentId = await first(of("consents"));
  await basiq("DELETE", of(`consents/${consentId}`));
  answers["GET /users/{userId}/consents"] = await get(of("consents"));
  answers["GET /events"] = await get("/events");
  answers["GET /events/{eventId}"] = await get(`/events/${await first("/events")}`);
  return answers;
}

/** Calls that the app does not make and the simulator does not answer. */
const NOT_SIMULATED = ["GET /events/types"];

describe("the simulator", async () => {
  const answers = await askSimulator();

  test("answers every documented call", () => {
    const calls = DOCUMENTED.map(({ call }) => call).filter((call) => !NOT_SIMULATED.includes(call));
    expect(Object.keys(answers).sort()).toEqual([...calls].sort());
  });

  test.each(Object.keys(answers))("%s has the documented fields and no others", (call) => {
    const { required, also = [], answers: examples } = documented(call);
    const answer = answers[call] as Json;
    const given = pathsOf(answer);
    // Any list may have another page (api.basiq.io/reference, pagination).
    const known = new Set([
      "links.next",
      ...required,
      ...also,
      ...Object.values(examples).flatMap((each) => pathsOf(each)),
    ]);
    const isKnown = (path: string) =>
      known.has(path) || also.some((prefix) => prefix.endsWith(".*") && path.startsWith(prefix.slice(0, -1)));
    expect(given.filter((path) => !isKnown(path))).toEqual([]);
    expect(required.filter((path) => !given.includes(path))).toEqual([]);
  });

  test("the event of a withdrawn consent has two words, and its webhook one", () => {
    const [newest] = (answers["GET /events"] as { data: object[] }).data;
    expect(newest).toMatchObject({ entity: "consent", eventType: "revoked" });
    const types = (example("GET /events/types", "all") as { data: { id: string }[] }).data.map(({ id }) => id);
    expect(types).toContain((answers.WEBHOOK as { eventTypeId: string }).eventTypeId);
  });
});

test("the simulator lists jobs and events for seven days", async () => {
  const bench = createBench();
  const { providerUserId, verificationId } = await bench.startCheck();
  await bench.postJson("/basiq/complete", { verificationId, persona: "match" });
  const sizes = async () => {
    const basiq = await bench.api();
    const [jobs, events] = [`/users/${providerUserId}/jobs`, "/events"].map((path) =>
      jsonOf<{ data: unknown[] }>(basiq("GET", path)),
    );
    return [(await jobs)?.data.length, (await events)?.data.length];
  };
  expect(await sizes()).toEqual([1, 5]);
  bench.advance(7 * 24 * 60 * 60 * 1000);
  expect(await sizes()).toEqual([0, 0]);
});
