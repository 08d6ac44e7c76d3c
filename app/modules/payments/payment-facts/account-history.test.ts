import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import type { PayeeFacts } from "~/modules/rules/facts";
import {
  type AccountHistory,
  type AccountVerification,
  findAnswerAgainst,
  formerHolderOf,
  lastChangeOf,
  standingOf,
} from "./account-history.server";

const NOW = Date.UTC(2026, 10, 25);
const ago = (days: number) => NOW - days * DAY_MS;
const A = { accountName: "Cassowary Cleaning Pty Ltd", bsb: "062000", accountNumber: "12345678" };
const B = { ...A, bsb: "083004", accountNumber: "11223788" };

const movedAt = (days: number) => [
  { field: "bsb", oldValue: A.bsb, createdAt: ago(days) },
  { field: "accountNumber", oldValue: A.accountNumber, createdAt: ago(days) },
];

let ids = 0;
const verification = (given: Partial<AccountVerification> = {}): AccountVerification => ({
  id: `v${++ids}`,
  ...A,
  status: "pending",
  method: "manual",
  outcome: null,
  reasonCode: null,
  resultData: null,
  disputedByPayeeAt: null,
  createdAt: ago(10),
  completedAt: null,
  decider: null,
  calledAt: null,
  ...given,
});
const approved = (days: number, given: Partial<AccountVerification> = {}) =>
  verification({ status: "verified", decider: "person", createdAt: ago(days + 1), completedAt: ago(days), ...given });

const history = (given: Partial<AccountHistory> = {}): AccountHistory => ({
  payeeId: "p1",
  account: A,
  takenOffWhitelistAt: null,
  renamedAt: null,
  trusts: [],
  verifications: [],
  changes: [],
  ...given,
});

test.each<[string, AccountHistory, object]>([
  ["no verification", history(), { state: "none" }],
  ["a pending one", history({ verifications: [verification()] }), { state: "none" }],
  [
    "an approved one",
    history({ verifications: [approved(5)] }),
    { state: "verified", how: "approved by a person, no bank was asked", at: ago(5) },
  ],
  [
    "a call that counts",
    history({ verifications: [approved(5, { calledAt: ago(5) })] }),
    { state: "verified", how: "called back, no bank was asked", at: ago(5) },
  ],
  [
    "a bank's confirmation",
    history({
      verifications: [approved(5, { outcome: "match", method: "basiq", resultData: { source: "cop", checkedAt: 1 } })],
    }),
    { state: "verified", how: "confirmed by the bank, by Confirmation of Payee", at: ago(5) },
  ],
  [
    "a match at another institution is no confirmation",
    history({
      verifications: [
        approved(5, { outcome: "match", resultData: { source: "cop", checkedAt: ago(5), institutionDiffers: true } }),
      ],
    }),
    {
      ...{ state: "verified", at: ago(5) },
      how: "approved by a person, the account is at a different institution from its BSB",
    },
  ],
  [
    "other organisations vouched",
    history({ verifications: [approved(5, { method: "whitelist", decider: "rule" })] }),
    { state: "verified", how: "vouched for by other organisations, no bank was asked", at: ago(5) },
  ],
  [
    "approved, and a new one waits",
    history({ verifications: [verification(), approved(20)] }),
    { state: "verified", at: ago(20) },
  ],
  [
    "approved, then rejected",
    history({ verifications: [verification({ status: "rejected", completedAt: ago(1) }), approved(20)] }),
    { state: "rejected", at: ago(1) },
  ],
  [
    "approved, then disputed",
    history({ verifications: [verification({ disputedByPayeeAt: ago(2) }), approved(20)] }),
    { state: "disputed", at: ago(2) },
  ],
  [
    "disputed, and approved knowing it",
    history({ verifications: [approved(1, { disputedByPayeeAt: ago(2) })] }),
    { state: "verified", at: ago(1) },
  ],
  [
    "approved, then taken off the whitelist",
    history({ verifications: [approved(5)], takenOffWhitelistAt: ago(2) }),
    { state: "taken_off", how: "approved by a person, no bank was asked", verifiedAt: ago(5), at: ago(2) },
  ],
  [
    "whitelisted by hand",
    history({ trusts: [{ ...A, whitelistedAt: ago(3), isByPerson: true }] }),
    { state: "whitelisted", at: ago(3) },
  ],
  ["promoted by rule", history({ trusts: [{ ...A, whitelistedAt: ago(3), isByPerson: false }] }), { state: "none" }],
  [
    "rejected, then whitelisted by hand",
    history({
      trusts: [{ ...A, whitelistedAt: ago(3), isByPerson: true }],
      verifications: [verification({ status: "rejected", completedAt: ago(9) })],
    }),
    { state: "whitelisted", at: ago(3) },
  ],
  [
    "approved under another name than today's",
    history({ verifications: [approved(5, { accountName: "Borealis Mining" })] }),
    { state: "none" },
  ],
  ["a verification of another account", history({ verifications: [approved(5, B)] }), { state: "none" }],
  [
    "the same number written with a zero in front",
    history({ verifications: [approved(5, { accountNumber: "012345678" })] }),
    { state: "verified" },
  ],
])("what is known of an account: %s", (_, of, expected) => {
  expect(standingOf(A, of)).toMatchObject(expected);
});

test("the former account stays verified when the payee is taken off the whitelist with the new one, not before", () => {
  const changes = [{ field: "accountNumber", oldValue: A.accountNumber, createdAt: ago(4) }];
  const moved = { account: { ...A, accountNumber: B.accountNumber }, verifications: [approved(9)], changes };
  expect(standingOf(A, history({ ...moved, takenOffWhitelistAt: ago(2) })).state).toBe("verified");
  expect(standingOf(A, history({ ...moved, takenOffWhitelistAt: ago(6) })).state).toBe("taken_off");
});

const asked = (outcome: AccountVerification["outcome"], days: number, given: Partial<AccountVerification> = {}) =>
  verification({ outcome, resultData: { source: "cop", checkedAt: ago(days) }, ...given });

test.each<[string, AccountHistory, object]>([
  [
    "approved before it was given another name",
    history({ verifications: [approved(5)], renamedAt: ago(4) }),
    { state: "none" },
  ],
  [
    "approved under its name",
    history({ verifications: [approved(5)], renamedAt: ago(5) - 1 }),
    { state: "verified", how: "approved by a person, no bank was asked", at: ago(5) },
  ],
  [
    "approved in the moment in which it was given another name",
    history({ verifications: [approved(5)], renamedAt: ago(5) }),
    { state: "none" },
  ],
  [
    "put on the whitelist by a person in the moment in which it was given another name",
    history({ trusts: [{ ...A, whitelistedAt: ago(5), isByPerson: true }], renamedAt: ago(5) }),
    { state: "none" },
  ],
  [
    "put on the whitelist by a person before it was given another name",
    history({ trusts: [{ ...A, whitelistedAt: ago(5), isByPerson: true }], renamedAt: ago(4) }),
    { state: "none" },
  ],
  [
    "a former account, approved when the payee had it",
    history({ account: B, changes: movedAt(4), verifications: [approved(5)], renamedAt: ago(4) }),
    { state: "verified", how: "approved by a person, no bank was asked", at: ago(5) },
  ],
])("what is known of an account of a renamed payee: %s", (_, of, standing) => {
  expect(standingOf(A, of)).toEqual(standing);
});

test("renaming a payee after its approval brings back what a bank said against its account", () => {
  const verifications = [approved(4), asked("no_match", 5)];
  const of = (renamedAt: number | null) => findAnswerAgainst(A, [history({ verifications, renamedAt })])?.outcome;
  expect([of(null), of(ago(6)), of(ago(4)), of(ago(3))]).toEqual([undefined, undefined, "no_match", "no_match"]);
  const trusts = [{ ...A, whitelistedAt: ago(4), isByPerson: true }];
  const byHand = history({ verifications: [asked("no_match", 5)], trusts, renamedAt: ago(3) });
  expect(findAnswerAgainst(A, [byHand])?.outcome).toBe("no_match");
});

test.each<[string, AccountHistory[], string | undefined]>([
  ["nobody asked", [history({ verifications: [verification()] })], undefined],
  ["match", [history({ verifications: [asked("match", 1)] })], undefined],
  ["close", [history({ verifications: [asked("close_match", 1)] })], undefined],
  ["no match", [history({ verifications: [asked("no_match", 1)] })], "no_match"],
  ["closed", [history({ verifications: [asked("account_closed", 1)] })], "account_closed"],
  ["not among those shared", [history({ verifications: [asked("account_not_shared", 1)] })], "account_not_shared"],
  [
    "no answer after a closed one",
    [history({ verifications: [asked("unable", 1), asked("account_closed", 2)] })],
    "account_closed",
  ],
  [
    "consent refused after it",
    [history({ verifications: [asked("consent_refused", 1), asked("no_match", 2)] })],
    "no_match",
  ],
  ["a newer confirmation", [history({ verifications: [asked("match", 1), asked("account_closed", 2)] })], undefined],
  [
    "a newer confirmation of another name",
    [history({ verifications: [asked("match", 1, { accountName: "J R Pellew" }), asked("no_match", 2)] })],
    "no_match",
  ],
  [
    "of another name, with a confirmation of this one since",
    [history({ verifications: [asked("match", 1), asked("no_match", 2, { accountName: "J R Pellew" })] })],
    undefined,
  ],
  [
    "an older confirmation",
    [history({ verifications: [asked("account_closed", 1), asked("match", 2)] })],
    "account_closed",
  ],
  ["of another account", [history({ verifications: [asked("no_match", 1, B)] })], undefined],
  [
    "asked for the payee that had it before",
    [
      history({ verifications: [asked("match", 5)] }),
      history({ payeeId: "p2", verifications: [asked("no_match", 2)] }),
    ],
    "no_match",
  ],
  [
    "a person approved it knowing that",
    [
      history({
        verifications: [asked("no_match", 5, { status: "verified", decider: "person", completedAt: ago(4) })],
      }),
    ],
    undefined,
  ],
  [
    "a rule did",
    [history({ verifications: [asked("no_match", 5, { status: "verified", decider: "rule", completedAt: ago(4) })] })],
    "no_match",
  ],
  [
    "a person approved it before",
    [history({ verifications: [asked("account_closed", 1), approved(9)] })],
    "account_closed",
  ],
  [
    "whitelisted by hand since",
    [history({ verifications: [asked("no_match", 5)], trusts: [{ ...A, whitelistedAt: ago(1), isByPerson: true }] })],
    undefined,
  ],
  [
    "whitelisted by hand before",
    [history({ verifications: [asked("no_match", 5)], trusts: [{ ...A, whitelistedAt: ago(9), isByPerson: true }] })],
    "no_match",
  ],
  [
    "promoted by rule since",
    [history({ verifications: [asked("no_match", 5)], trusts: [{ ...A, whitelistedAt: ago(1), isByPerson: false }] })],
    "no_match",
  ],
  [
    "approved since, and taken off the whitelist after that",
    [history({ verifications: [approved(4), asked("no_match", 5)], takenOffWhitelistAt: ago(1) })],
    "no_match",
  ],
])("the newest answer of a bank against an account: %s", (_, histories, outcome) => {
  expect(findAnswerAgainst(A, histories)?.outcome).toBe(outcome);
});

test("an answer is told in its own words, also where the verification ended for another reason since", () => {
  const notFound = asked("no_match", 1, {
    reasonCode: "details_edited",
    status: "failed",
    resultData: { source: "cop", checkedAt: ago(1), bankVerdict: "account_not_found" },
  });
  expect(findAnswerAgainst(A, [history({ verifications: [notFound] })])).toMatchObject({
    said: "The bank has no account with this BSB and account number.",
    askedName: "Cassowary Cleaning Pty Ltd",
    bankName: null,
    answeredAt: ago(1),
  });
  const named = asked("no_match", 1, { resultData: { source: "cop", checkedAt: ago(1), accountName: "J R PELLEW" } });
  expect(findAnswerAgainst(A, [history({ verifications: [named] })])).toMatchObject({
    said: "The bank holds this account under a different name.",
    bankName: "J R PELLEW",
  });
});

const payee = (given: Partial<PayeeFacts> = {}): PayeeFacts => ({
  ...B,
  ...{ id: "p1", name: "Cassowary Cleaning", accountName: "Cassowary Cleaning Pty Ltd", version: 3 },
  ...{ whitelisted: true, disputedAt: null, takenOffWhitelistAt: null, contactChangedAt: null },
  ...{ paymentCount: 0, lastPaymentDate: null, largestRecentAmount: null, latest: null, latestDecided: null },
  bankDetailsChangedAt: ago(3),
  ...given,
});
const moved = (days: number, given: Partial<AccountHistory> = {}) =>
  history({ account: B, changes: movedAt(days), verifications: [approved(90)], ...given });

test("a change is told while it is new, or nobody has decided about it", () => {
  expect(lastChangeOf(payee(), moved(3), NOW)).toEqual({
    changedAt: ago(3),
    standing: { state: "none" },
    former: {
      ...{ bsb: A.bsb, maskedAccountNumber: "•••••678", until: ago(3) },
      standing: { state: "verified", how: "approved by a person, no bank was asked", at: ago(90) },
    },
  });
  expect(lastChangeOf(payee({ bankDetailsChangedAt: ago(31) }), moved(31), NOW)).toBeUndefined();
  const undecided = payee({ bankDetailsChangedAt: ago(31), whitelisted: false });
  expect(lastChangeOf(undecided, moved(31), NOW)?.changedAt).toBe(ago(31));
  const renamed = payee({ bankDetailsChangedAt: ago(1), whitelisted: false });
  expect(lastChangeOf(renamed, moved(31), NOW)).toBeUndefined();
  expect(lastChangeOf(payee({ bankDetailsChangedAt: null }), moved(3), NOW)).toBeUndefined();
});

test("a change of the account's name alone is no change of the account", () => {
  expect(lastChangeOf(payee(), history({ account: B, changes: [] }), NOW)).toBeUndefined();
});

test("of several accounts before, the verified one is told; one that it went back to is none before", () => {
  const between = [{ field: "accountNumber", oldValue: "99887766", createdAt: ago(2) }, ...movedAt(3)];
  const found = lastChangeOf(payee(), moved(3, { changes: between }), NOW);
  expect(found).toMatchObject({ changedAt: ago(2), former: { maskedAccountNumber: "•••••678", until: ago(3) } });
  const back = [
    { field: "accountNumber", oldValue: A.accountNumber, createdAt: ago(1) },
    { field: "accountNumber", oldValue: B.accountNumber, createdAt: ago(2) },
  ];
  const own = payee({ accountNumber: B.accountNumber, bsb: A.bsb });
  const wentBack = history({ account: { ...A, accountNumber: B.accountNumber }, changes: back });
  expect(lastChangeOf(own, wentBack, NOW)?.former.maskedAccountNumber).toBe("•••••678");
});

test("whose account it was is told with what it was, and with what the payee has today", () => {
  const holder = { payeeId: "p1", name: "Cassowary Cleaning", until: ago(3), isArchived: false };
  expect(formerHolderOf(A, holder, moved(3))).toMatchObject({
    changedAt: ago(3),
    account: {
      standing: { state: "verified" },
      now: { bsb: B.bsb, maskedAccountNumber: "•••••788", standing: { state: "none" } },
    },
  });
  expect(formerHolderOf(A, { ...holder, isArchived: true }, history()).account).toEqual({
    standing: { state: "none" },
    now: null,
  });
});
