import fc from "fast-check";
import { expect, test } from "vitest";
import { DAY_MS } from "./dates";
import { VERIFICATION_STATUSES } from "./enums";
import {
  approvedAt,
  findRedFlags,
  isForCurrentDetails,
  isTrusted,
  lastChangeOf,
  type PayeeStatus,
  payeeStatus,
} from "./payee";

const NOW = 1_000 * DAY_MS;
const account = { accountName: "Acme Pty Ltd", bsb: "062000", accountNumber: "12345678" };
const aPayee = (given: Partial<Parameters<typeof payeeStatus>[0]> = {}): Parameters<typeof payeeStatus>[0] => ({
  ...account,
  whitelisted: false,
  disputedAt: null,
  bankDetailsChangedAt: null,
  renamedAt: null,
  takenOffWhitelistAt: null,
  ...given,
});
const verification = (status: (typeof VERIFICATION_STATUSES)[number], given: object = {}) => ({
  ...account,
  status,
  createdAt: NOW,
  ...given,
});

test.each([
  ["a new payee waits", aPayee(), verification("pending"), "pending"],
  ["a payee without any verification waits", aPayee(), null, "pending"],
  ["an approved payee is verified", aPayee(), verification("verified"), "verified"],
  [
    "an approved payee that somebody took off the whitelist is verified no more",
    aPayee({ takenOffWhitelistAt: NOW }),
    verification("verified"),
    "taken_off",
  ],
  ["a whitelisted payee says so", aPayee({ whitelisted: true }), verification("verified"), "whitelisted"],
  ["trust by hand outlives a new check", aPayee({ whitelisted: true }), verification("pending"), "whitelisted"],
  ["a rejection shows", aPayee(), verification("rejected"), "rejected"],
  ["a failure shows", aPayee(), verification("failed"), "failed"],
  ["a dispute outweighs trust", aPayee({ whitelisted: true, disputedAt: 1 }), verification("verified"), "disputed"],
  ["an edit shows", aPayee({ bankDetailsChangedAt: NOW }), verification("pending"), "changed"],
  ["another name shows", aPayee({ renamedAt: NOW }), verification("pending"), "changed"],
  [
    "another name after a change of details that was decided shows",
    aPayee({ bankDetailsChangedAt: NOW - 2, renamedAt: NOW }),
    verification("pending"),
    "changed",
  ],
  [
    "a verification asked for after the edit waits like any other",
    aPayee({ bankDetailsChangedAt: NOW - 1 }),
    verification("pending"),
    "pending",
  ],
  [
    "being verified for other details is not being verified",
    aPayee({ bankDetailsChangedAt: NOW }),
    verification("verified", { accountNumber: "99999999" }),
    "changed",
  ],
] as const)("%s", (_, payee, latest, status) => {
  expect(payeeStatus(payee, latest)).toBe(status);
});

test("a payee is never verified for details it does not have", () => {
  const digits = fc.stringMatching(/^\d{6}$/);
  const someAccount = fc.record({ accountName: fc.string(), bsb: digits, accountNumber: digits });
  fc.assert(
    fc.property(someAccount, someAccount, fc.constantFrom(...VERIFICATION_STATUSES), (mine, checked, status) => {
      const found = payeeStatus(aPayee(mine), { ...checked, status, createdAt: NOW });
      expect(found === "verified").toBe(status === "verified" && isForCurrentDetails(mine, checked));
    }),
  );
});

const flagsOf = (given: { bank?: number; contact?: number; disputed?: boolean }, now = NOW) =>
  findRedFlags(
    aPayeeWithContact(given.bank ?? null, given.contact ?? null, given.disputed ? 1 : null),
    given.bank === undefined ? "verified" : "changed",
    now,
    null,
  );

function aPayeeWithContact(bank: number | null, contact: number | null, disputedAt: number | null) {
  return { ...aPayee({ bankDetailsChangedAt: bank, disputedAt }), contactChangedAt: contact };
}

test("nothing changed and nothing disputed raises no flag", () => {
  expect(flagsOf({})).toEqual([]);
  expect(flagsOf({ contact: NOW })).toEqual([]);
});

test("a change and a dispute are flags", () => {
  expect(flagsOf({ disputed: true })).toEqual(["disputed"]);
  expect(flagsOf({ bank: NOW })).toEqual(["details_changed"]);
});

test("contact and bank details changed within 30 days of each other is a flag, in either order", () => {
  expect(flagsOf({ bank: NOW, contact: NOW - 30 * DAY_MS })).toContain("contact_and_bank_changed");
  expect(flagsOf({ bank: NOW - 30 * DAY_MS, contact: NOW })).toContain("contact_and_bank_changed");
  expect(flagsOf({ bank: NOW, contact: NOW - 30 * DAY_MS - 1 })).not.toContain("contact_and_bank_changed");
});

test("the flag goes out 30 days after the later of the two", () => {
  const changed = { bank: NOW, contact: NOW - DAY_MS };
  expect(flagsOf(changed, NOW + 30 * DAY_MS)).toContain("contact_and_bank_changed");
  expect(flagsOf(changed, NOW + 30 * DAY_MS + 1)).not.toContain("contact_and_bank_changed");
});

test("one change alone is no flag, however early it was", () => {
  const dayFive = 5 * DAY_MS;
  expect(flagsOf({ contact: dayFive }, dayFive)).toEqual([]);
  expect(flagsOf({ bank: dayFive }, dayFive)).toEqual(["details_changed"]);
});

test("a payee is paid as far as its own standing goes where it is whitelisted or verified, and nowhere else", () => {
  const all: Record<PayeeStatus, boolean> = {
    ...{ whitelisted: true, verified: true, pending: false, changed: false },
    ...{ rejected: false, failed: false, taken_off: false, disputed: false },
  };
  for (const [status, expected] of Object.entries(all)) expect(isTrusted(status as PayeeStatus)).toBe(expected);
});

test("details that are trusted again are no flag any more", () => {
  const payee = aPayeeWithContact(NOW, null, null);
  expect(findRedFlags(payee, "whitelisted", NOW, null)).toEqual([]);
  expect(findRedFlags(payee, "verified", NOW, null)).toEqual([]);
  expect(findRedFlags(payee, "taken_off", NOW, null)).toEqual([]);
  expect(findRedFlags(payee, "rejected", NOW, null)).toEqual(["details_changed"]);
});

test.each([
  ["waits for a decision", "pending", 1, true],
  ["was rejected", "rejected", 1, true],
  ["was approved, whoever had the account", "verified", 1, false],
  ["is about an account of nobody else", "pending", 0, false],
] as const)(
  "a payee whose newest verification %s: another payee's former account is a flag: %s",
  (_, status, formerHolders, expected) => {
    const payee = aPayeeWithContact(null, null, null);
    // Even if somebody whitelists it manually: nobody has approved the account.
    const flags = findRedFlags(payee, "whitelisted", NOW, { status, formerHolders });
    expect(flags).toEqual(expected ? ["former_account"] : []);
  },
);

test("another name is a flag of its own until it is decided, and no change of contact makes it a graver one", () => {
  const renamed = { ...aPayeeWithContact(null, NOW, null), renamedAt: NOW };
  expect(findRedFlags(renamed, "changed", NOW, null)).toEqual(["renamed"]);
  expect(findRedFlags(renamed, "whitelisted", NOW, null)).toEqual([]);
});

test.each([
  ["approved", {}, account, NOW],
  ["approved before it was given its name", { renamedAt: NOW + 1 }, account, null],
  ["approved in the moment of the renaming, before or after it", { renamedAt: NOW }, account, null],
  ["approved after it was given its name", { renamedAt: NOW - 1 }, account, NOW],
  ["approved for another account", {}, { ...account, accountNumber: "99999999" }, null],
])("when a payee was last approved as it is: %s", (_, given, details, at) => {
  expect(approvedAt(aPayee(given), { ...details, completedAt: NOW })).toBe(at);
});

test("a verification that nobody completed approved nothing", () => {
  expect(approvedAt(aPayee(), { ...account, completedAt: null })).toBeNull();
  expect(approvedAt(aPayee(), null)).toBeNull();
});

test("what was verified last changed when the later of name and bank details did", () => {
  const at = (bank: number | null, renamed: number | null) =>
    lastChangeOf({ bankDetailsChangedAt: bank, renamedAt: renamed });
  expect([at(null, null), at(1, null), at(null, 2), at(1, 2), at(3, 2)]).toEqual([null, 1, 2, 2, 3]);
});
