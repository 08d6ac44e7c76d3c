import { beforeEach, expect, test } from "vitest";
import { readXeroEvents } from "~/adapters/accounting/xero-webhook";
import { AccessExpired, AccessLost, type Credentials, type Ledger } from "~/ports/accounting";
import { aClock } from "../../tests/support/clock";
import { TEST_ENV } from "../../tests/support/test-env";
import { createHarness } from "../test-bench";
import { FIRST_TENANT } from "./state";

/** The adapter against the simulator: Xero's wire format and Xero's rules, on a clock that stands still. */

const MINUTE_MS = 60_000;
const RETURN_URL = `${TEST_ENV.APP_ORIGIN}/integrations/xero/return`;
const VERIFIER = "a-verifier-of-forty-three-characters-or-more-000";
const CHALLENGE = await challengeOf(VERIFIER);

async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return Buffer.from(digest).toString("base64url");
}

let clock: ReturnType<typeof aClock>;
let harness: ReturnType<typeof createHarness>;
let received: Request[];

beforeEach(() => {
  clock = aClock();
  received = [];
  harness = createHarness({
    clock,
    log: { warn() {} },
    async callApp(request) {
      received.push(request);
      return new Response(null, { status: 200 });
    },
  });
});

/** A person consents in Xero and comes back. */
async function comeBack(tenantIds: string[] = [FIRST_TENANT]): Promise<URLSearchParams> {
  const address = harness.accounting.xero.consentUrl({
    state: "s1",
    codeChallenge: CHALLENGE,
    writesNotes: false,
    returnUrl: RETURN_URL,
  });
  const form = new URLSearchParams(tenantIds.map((id) => ["tenantId", id]));
  form.set("answer", tenantIds.length > 0 ? "allow" : "cancel");
  const url = new URL(address);
  const answer = await harness.fetch(new Request(url, { method: "POST", body: form }));
  return new URL(answer.headers.get("location") ?? "").searchParams;
}

async function connect(): Promise<{ credentials: Credentials; ledger: Ledger }> {
  const query = await comeBack();
  const code = query.get("code") ?? "";
  const returned = { code, codeVerifier: VERIFIER, returnUrl: RETURN_URL, query };
  const { credentials, ledgers } = await harness.accounting.xero.acceptConsent(returned);
  const [ledger] = ledgers;
  if (!ledger) throw new Error("no organisation was connected");
  return { credentials, ledger };
}

const ALL = { page: null, since: null };
const list = ({ credentials, ledger }: Awaited<ReturnType<typeof connect>>, since: number | null = null) =>
  harness.accounting.xero.listContacts(
    { accessToken: credentials.accessToken, ledgerId: ledger.id },
    { ...ALL, since },
  );

test("a person connects an organisation, and its suppliers come with the account as one free text", async () => {
  const connected = await connect();
  expect(connected.ledger).toMatchObject({ id: FIRST_TENANT, name: "Alpha Trading (Xero)" });
  const { contacts, next } = await list(connected);
  expect(next).toBeNull();
  expect(contacts.map(({ name, account }) => [name, account])).toEqual([
    ["Wattle Stationery Pty Ltd", { text: "062-000 11223344" }],
    ["Kookaburra Couriers", { text: "033-002 445566" }],
    ["Ironbark Timber Pty Ltd", { text: "082001 987654321" }],
    ["Bluegum Cleaning", null],
  ]);
});

test("a refused consent comes back without a code, with the state", async () => {
  const query = await comeBack([]);
  expect(Object.fromEntries(query)).toEqual({ state: "s1", error: "access_denied" });
});

test("a code is good once, and only with the verifier of its challenge", async () => {
  const query = await comeBack();
  const returned = { code: query.get("code") ?? "", codeVerifier: "another", returnUrl: RETURN_URL, query };
  await expect(harness.accounting.xero.acceptConsent(returned)).rejects.toBeInstanceOf(AccessLost);
  const right = { ...returned, codeVerifier: VERIFIER };
  await expect(harness.accounting.xero.acceptConsent(right)).rejects.toMatchObject({ reason: "consent_ended" });
});

test("a refresh token rotates; the one before is taken for 30 minutes more", async () => {
  const { credentials } = await connect();
  const second = await harness.accounting.xero.refresh(credentials.refreshToken);
  expect(second.refreshToken).not.toBe(credentials.refreshToken);
  clock.advance(29 * MINUTE_MS);
  await expect(harness.accounting.xero.refresh(credentials.refreshToken)).resolves.toBeDefined();
  clock.advance(2 * MINUTE_MS);
  await expect(harness.accounting.xero.refresh(credentials.refreshToken)).rejects.toBeInstanceOf(AccessLost);
  await expect(harness.accounting.xero.refresh(second.refreshToken)).resolves.toBeDefined();
});

test("an access token ends after 30 minutes", async () => {
  const connected = await connect();
  clock.advance(31 * MINUTE_MS);
  await expect(list(connected)).rejects.toBeInstanceOf(AccessExpired);
});

test("the sixty-first call of a minute is told how long to wait", async () => {
  const connected = await connect();
  for (let nth = 0; nth < 60; nth++) await list(connected);
  await expect(list(connected)).rejects.toMatchObject({ kind: "rate_limited", options: { retryAfterMs: MINUTE_MS } });
  clock.advance(MINUTE_MS);
  await expect(list(connected)).resolves.toBeDefined();
});

test("only what changed since then comes, with who changed it", async () => {
  const connected = await connect();
  clock.advance(MINUTE_MS);
  const since = clock.now();
  const [, courier] = (await list(connected)).contacts;
  const form = { bankAccount: "063-001 99887766", user: "Jo Nguyen" };
  await harness.postForm(`/xero/contacts/${courier?.id}`, form);
  const { contacts } = await list(connected, since);
  expect(contacts).toMatchObject([{ name: "Kookaburra Couriers", account: { text: "063-001 99887766" } }]);
  const access = { accessToken: connected.credentials.accessToken, ledgerId: connected.ledger.id };
  const edits = await harness.accounting.xero.listEdits?.(access, courier?.id ?? "");
  expect(edits).toEqual(
    expect.arrayContaining([{ by: "Jo Nguyen", at: since }, expect.objectContaining({ by: "Sam Lee" })]),
  );
});

test("an archived or merged contact comes as archived", async () => {
  const connected = await connect();
  const [first, second] = (await list(connected)).contacts;
  await harness.postForm(`/xero/contacts/${first?.id}`, { intent: "archive" });
  await harness.postForm(`/xero/contacts/${second?.id}`, { intent: "merge", mergedTo: first?.id ?? "" });
  const { contacts } = await list(connected);
  expect(contacts.map(({ isArchived }) => isArchived)).toEqual([true, true, false, false]);
});

test("ten thousand contacts come in pages of two hundred, each once", async () => {
  const connected = await connect();
  await harness.postForm("/xero/many", {});
  const seen = new Set<string>();
  let calls = 0;
  const access = { accessToken: connected.credentials.accessToken, ledgerId: connected.ledger.id };
  for (let page: string | null = "1"; page !== null; calls++) {
    const answer = await harness.accounting.xero.listContacts(access, { page, since: null });
    for (const { id } of answer.contacts) seen.add(id);
    page = answer.next;
  }
  expect({ calls, contacts: seen.size }).toEqual({ calls: 51, contacts: 10_004 });
});

test.each([
  ["a removed organisation", "ledger_removed", "connections", "remove"],
  ["a withdrawn consent", "consent_ended", "grants", "revoke"],
])("%s is told apart from a fault", async (_, reason, what, act) => {
  const connected = await connect();
  const answer = await harness.get("/xero");
  const [, id] = new RegExp(`/xero/${what}/([^/]+)/${act}`).exec(await answer.text()) ?? [];
  await harness.postForm(`/xero/${what}/${id}/${act}`, {});
  const refreshed = harness.accounting.xero.refresh(connected.credentials.refreshToken);
  const found = reason === "consent_ended" ? refreshed : refreshed.then(() => list(connected));
  await expect(found).rejects.toMatchObject({ name: "AccessLost", reason });
});

test("disconnecting ends the access; doing it again is no error", async () => {
  const { credentials, ledger } = await connect();
  const ids = [ledger.connectionId ?? ""];
  await harness.accounting.xero.revoke?.(credentials, ids);
  await expect(harness.accounting.xero.refresh(credentials.refreshToken)).rejects.toBeInstanceOf(AccessLost);
});

test("a change is told with a signature over its bytes, and without data", async () => {
  const connected = await connect();
  const [first] = (await list(connected)).contacts;
  await harness.postForm(`/xero/contacts/${first?.id}`, { bankAccount: "062-000 5" });
  await harness.simulators.idle();
  const [request] = received;
  const rawBody = (await request?.text()) ?? "";
  const signature = request?.headers.get("x-xero-signature") ?? null;
  const keys = [TEST_ENV.XERO_WEBHOOK_KEYS];
  expect(rawBody).not.toMatch(/062-?000/);
  expect(await readXeroEvents(keys, { rawBody, signature })).toEqual([{ ledgerId: FIRST_TENANT, isOfInterest: true }]);
  expect(await readXeroEvents(["another"], { rawBody, signature })).toBeUndefined();
  expect(await readXeroEvents(keys, { rawBody: `${rawBody} `, signature })).toBeUndefined();
  expect(await readXeroEvents(keys, { rawBody, signature: null })).toBeUndefined();
});
