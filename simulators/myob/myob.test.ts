import { beforeEach, expect, test } from "vitest";
import { AccessExpired, AccessLost, type Credentials } from "~/ports/accounting";
import { aClock } from "../../tests/support/clock";
import { createHarness } from "../../tests/support/simulator-bench";
import { TEST_ENV } from "../../tests/support/test-env";
import { FIRST_FILE } from "./state";

/** The adapter against the simulator: MYOB's wire format and MYOB's rules, on a clock that stands still. */

const MINUTE_MS = 60_000;
const RETURN_URL = `${TEST_ENV.APP_ORIGIN}/integrations/myob/return`;

let clock: ReturnType<typeof aClock>;
let harness: ReturnType<typeof createHarness>;

beforeEach(() => {
  clock = aClock();
  harness = createHarness({ clock, log: { warn() {} }, callApp: async () => new Response() });
});

async function connect() {
  const address = harness.accounting.myob.consentUrl({
    state: "s1",
    codeChallenge: "unused",
    writesNotes: false,
    returnUrl: RETURN_URL,
  });
  const body = new URLSearchParams({ businessId: FIRST_FILE, answer: "allow" });
  const answer = await harness.fetch(new Request(address, { method: "POST", body }));
  const query = new URL(answer.headers.get("location") ?? "").searchParams;
  const returned = { code: query.get("code") ?? "", codeVerifier: "unused", returnUrl: RETURN_URL, query };
  return harness.accounting.myob.acceptConsent(returned);
}

const list = ({ accessToken }: Credentials, since: number | null = null, ledgerId = FIRST_FILE) =>
  harness.accounting.myob.listContacts({ accessToken, ledgerId }, { page: null, since });

test("an administrator picks one company file, and its suppliers come with BSB and number apart", async () => {
  const { credentials, ledgers } = await connect();
  expect(ledgers).toEqual([{ id: FIRST_FILE, name: "Alpha Trading (MYOB)", connectionId: null }]);
  const { contacts, next } = await list(credentials);
  expect(next).toBeNull();
  expect(contacts.map(({ name, account, abn }) => [name, account, abn])).toEqual([
    ["Banksia Plumbing Pty Ltd", { bsb: "062-000", accountNumber: "22334455" }, "53004085616"],
    ["Magpie Freight", { bsb: "033-002", accountNumber: "998877" }, null],
    ["Gumnut Catering", null, null],
  ]);
});

test("a refresh token is good once, and an access token for 20 minutes", async () => {
  const { credentials } = await connect();
  clock.advance(21 * MINUTE_MS);
  await expect(list(credentials)).rejects.toBeInstanceOf(AccessExpired);
  const renewed = await harness.accounting.myob.refresh(credentials.refreshToken);
  await expect(list(renewed)).resolves.toBeDefined();
  await expect(harness.accounting.myob.refresh(credentials.refreshToken)).rejects.toBeInstanceOf(AccessLost);
});

test("a refresh token that is not used for a week ends", async () => {
  const { credentials } = await connect();
  clock.advance(8 * 24 * 60 * MINUTE_MS);
  await expect(harness.accounting.myob.refresh(credentials.refreshToken)).rejects.toMatchObject({
    reason: "consent_ended",
  });
});

test("what changed comes also when its time is written in another zone; what is inactive comes as such", async () => {
  const { credentials } = await connect();
  clock.advance(3 * 24 * 60 * MINUTE_MS);
  const renewed = await harness.accounting.myob.refresh(credentials.refreshToken);
  const since = clock.now() + 14 * 60 * MINUTE_MS;
  const uid = "d0000000-0000-4000-8000-000000000002";
  await harness.postForm(`/myob/suppliers/${uid}`, { accountNumber: "112233", intent: "inactive" });
  const { contacts } = await list(renewed, since);
  expect(contacts).toMatchObject([{ id: uid, account: { accountNumber: "112233" }, isArchived: true }]);
});

test("pages follow each other without a gap", async () => {
  const { credentials } = await connect();
  for (let nth = 0; nth < 410; nth++) await harness.postForm("/myob/suppliers", { name: `Supplier ${nth}` });
  const access = { accessToken: credentials.accessToken, ledgerId: FIRST_FILE };
  const first = await harness.accounting.myob.listContacts(access, { page: null, since: null });
  const second = await harness.accounting.myob.listContacts(access, { page: first.next, since: null });
  const ids = new Set([...first.contacts, ...second.contacts].map(({ id }) => id));
  expect({ ids: ids.size, next: second.next }).toEqual({ ids: 413, next: null });
});

test("a key that is switched off is our trouble, not a customer's: the connection stays", async () => {
  const { credentials } = await connect();
  await harness.postForm("/myob/key", { intent: "deactivate" });
  await expect(list(credentials)).rejects.toMatchObject({
    kind: "unavailable",
    options: { code: "DeveloperInactive" },
  });
  await harness.postForm("/myob/key", { intent: "activate" });
  await expect(list(credentials)).resolves.toBeDefined();
});

test("a ninth call of a second is told to wait; another company file is not opened", async () => {
  const { credentials } = await connect();
  clock.advance(1_000);
  await expect(list(credentials, null, "another")).rejects.toMatchObject({ reason: "not_permitted" });
  for (let nth = 0; nth < 7; nth++) await list(credentials);
  await expect(list(credentials)).rejects.toMatchObject({ kind: "rate_limited", options: { retryAfterMs: 1_000 } });
});
