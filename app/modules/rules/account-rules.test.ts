import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { aPayee, aPayment } from "../../../tests/support/payment-facts";
import { DECIDED_INDIVIDUALLY, isDecidedIndividually, RULES, runRules } from "./";
import type { AccountStanding } from "./account-standing";
import type { BankAnswerFact, FurtherFacts, PayeeFacts, PaymentFacts } from "./facts";

/**
 * The rules about the account that a line pays: what a bank answered, which payee had the account before, and which
 * account was verified.
 */
const NOW = Date.UTC(2026, 10, 25, 3, 0);
const CHANGED_AT = Date.UTC(2026, 10, 23, 3, 0);
const VERIFIED_AT = Date.UTC(2026, 2, 3, 3, 0);
const OLD = { accountName: "Cassowary Cleaning Pty Ltd", bsb: "062000", accountNumber: "12345678" };
const NEW = { ...OLD, accountNumber: "11223788" };

const NOBODY: AccountStanding = { state: "none" };
const BY_BANK: AccountStanding = { state: "verified", how: "confirmed by the bank", at: VERIFIED_AT };
const BY_CALL: AccountStanding = { state: "verified", how: "called back, no bank was asked", at: CHANGED_AT + DAY_MS };
const BY_PERSON: AccountStanding = {
  state: "verified",
  how: "approved by a person, no bank was asked",
  at: CHANGED_AT + DAY_MS,
};

const known = (account: typeof OLD, standing: AccountStanding) => ({
  bsb: account.bsb,
  maskedAccountNumber: `•••••${account.accountNumber.slice(-3)}`,
  standing,
});

const PAYEE = aPayee({
  ...NEW,
  name: "Cassowary Cleaning",
  version: 2,
  whitelisted: false,
  bankDetailsChangedAt: CHANGED_AT,
  lastPaymentDate: null,
  largestRecentAmount: null,
  latest: { ...NEW, id: "v2", status: "pending", createdAt: CHANGED_AT },
  latestDecided: { ...OLD, id: "v1", status: "verified", createdAt: VERIFIED_AT, completedAt: VERIFIED_AT },
});
const APPROVED = {
  ...NEW,
  id: "v2",
  status: "verified",
  createdAt: CHANGED_AT,
  completedAt: CHANGED_AT + DAY_MS,
} as const;

/** A line of a payment file. `otherTitles` is a fact that only lines have. */
const line = (payee: PayeeFacts | null, given: Partial<FurtherFacts & PaymentFacts> = {}): PaymentFacts =>
  aPayment({ now: NOW, account: payee ?? OLD, payee, otherTitles: [], ...given });

const sentence = (facts: PaymentFacts, rule: string) =>
  runRules(facts, {}).find((reason) => reason.rule === rule)?.message;
const fired = (facts: PaymentFacts) => runRules(facts, {}).map(({ rule, level }) => `${rule} ${level}`);

/** A line that pays Cassowary's former account under Cassowary's name. */
const toFormer = (standing: AccountStanding, now: AccountStanding, given: Partial<FurtherFacts & PaymentFacts> = {}) =>
  line(null, {
    formerHolder: {
      payeeId: "p1",
      name: "Cassowary Cleaning",
      changedAt: CHANGED_AT,
      account: { standing, now: known(NEW, now) },
    },
    namesakes: [{ payeeId: "p1", name: "Cassowary Cleaning", ...known(NEW, now) }],
    ...given,
  });

const UNVERIFIED_SINCE = "On 23 Nov 2026 it was changed to 062-000 •••••788, which nobody has verified.";
const CALL = "Call Cassowary Cleaning on a number you knew before the change.";

test.each<[string, PaymentFacts, string]>([
  [
    "the former account is verified, the new one is not",
    toFormer(BY_BANK, NOBODY),
    `This line pays Cassowary Cleaning's former, verified account (confirmed by the bank, on 3 Mar 2026). ${UNVERIFIED_SINCE} ${CALL}`,
  ],
  [
    "neither is verified",
    toFormer(NOBODY, NOBODY),
    `This line pays Cassowary Cleaning's former account, which nobody has verified. ${UNVERIFIED_SINCE} ${CALL}`,
  ],
  [
    "the new one was called back",
    toFormer(BY_BANK, BY_CALL),
    `This line pays Cassowary Cleaning's former, verified account (confirmed by the bank, on 3 Mar 2026). On 23 Nov 2026 it was changed to 062-000 •••••788, verified on 24 Nov 2026 (called back, no bank was asked). ${CALL}`,
  ],
  [
    "the new one was rejected",
    toFormer({ state: "whitelisted", at: VERIFIED_AT }, { state: "rejected", at: CHANGED_AT + DAY_MS }),
    `This line pays Cassowary Cleaning's former account, which a person whitelisted on 3 Mar 2026 without a verification. On 23 Nov 2026 it was changed to 062-000 •••••788, which was rejected on 24 Nov 2026. ${CALL}`,
  ],
  [
    "the line has another name",
    toFormer(BY_BANK, NOBODY, { namesakes: [], account: { ...OLD, accountName: "Rosella Facilities" } }),
    "This account was Cassowary Cleaning's until 23 Nov 2026. This line pays it under a different name, “Rosella Facilities”. Ask both why before you pay.",
  ],
  [
    "the payee had disputed it, and the line has another name",
    toFormer({ state: "disputed", at: CHANGED_AT - DAY_MS }, NOBODY, { namesakes: [] }),
    "This account was Cassowary Cleaning's until 23 Nov 2026. Cassowary Cleaning told us on 22 Nov 2026 that this account is not theirs. This line pays it under a different name, “Cassowary Cleaning Pty Ltd”. Ask both why before you pay.",
  ],
  [
    "the account is another payee's today",
    line(
      { ...PAYEE, id: "p2", name: "Rosella Facilities", whitelisted: true },
      { formerHolder: toFormer(BY_BANK, NOBODY).formerHolder },
    ),
    "This account was Cassowary Cleaning's until 23 Nov 2026, and no one has approved it for Rosella Facilities. Ask both why before you pay.",
  ],
  [
    "the payee is archived with it",
    line(
      { ...PAYEE, archivedAt: CHANGED_AT },
      {
        formerHolder: {
          ...{ payeeId: "p1", name: "Cassowary Cleaning", changedAt: CHANGED_AT },
          account: { standing: NOBODY, now: null },
        },
      },
    ),
    "This account belongs to Cassowary Cleaning, a payee that was archived on 23 Nov 2026. Ask why it is paid.",
  ],
  [
    "a payment by itself is no line",
    toFormer(NOBODY, NOBODY, { otherTitles: undefined }),
    `This payment pays Cassowary Cleaning's former account, which nobody has verified. ${UNVERIFIED_SINCE} ${CALL}`,
  ],
])("a former account: %s", (_, facts, expected) => {
  expect(sentence(facts, "former_account")).toBe(expected);
  expect(fired(facts)).toContain("former_account hold");
  expect(fired(facts).join()).not.toContain("known_name_new_account");
  expect(isDecidedIndividually(runRules(facts, {}))).toBe(true);
});

test("an account that is no payee's today is not offered as one to be added, when it was a payee's", () => {
  expect(sentence(toFormer(BY_BANK, NOBODY), "payee_not_trusted")).toBe(
    "This account belongs to none of your payees today.",
  );
});

const lastChange = (standing: AccountStanding, former: AccountStanding, until = CHANGED_AT) => ({
  changedAt: CHANGED_AT,
  standing,
  former: { ...known(OLD, former), until },
});

test.each<[string, PaymentFacts, string, string]>([
  [
    "nobody has decided",
    line(PAYEE, { lastChange: lastChange(NOBODY, BY_BANK) }),
    "details_changed",
    "The bank details of Cassowary Cleaning changed on 23 Nov 2026, 2:00 pm, and no one has decided about them since. This line pays the account that Cassowary Cleaning has had since 23 Nov 2026, which nobody has verified. Before, it was 062-000 •••••678, verified on 3 Mar 2026 (confirmed by the bank).",
  ],
  [
    "a person approved the new one",
    line({ ...PAYEE, latest: APPROVED, latestDecided: APPROVED }, { lastChange: lastChange(BY_PERSON, BY_BANK) }),
    "account_changed",
    "This line pays the account that Cassowary Cleaning has had since 23 Nov 2026, verified on 24 Nov 2026 (approved by a person, no bank was asked). Before, it was 062-000 •••••678, verified on 3 Mar 2026 (confirmed by the bank).",
  ],
  [
    "it was changed twice, and the verified one is the one before both",
    line(
      { ...PAYEE, latest: APPROVED, latestDecided: APPROVED },
      { lastChange: lastChange(BY_CALL, BY_BANK, CHANGED_AT - DAY_MS) },
    ),
    "account_changed",
    "This line pays the account that Cassowary Cleaning has had since 23 Nov 2026, verified on 24 Nov 2026 (called back, no bank was asked). Until 22 Nov 2026 it was 062-000 •••••678, verified on 3 Mar 2026 (confirmed by the bank).",
  ],
])("a new account: %s", (_, facts, rule, expected) => {
  expect(sentence(facts, rule)).toBe(expected);
  const told = fired(facts).filter((each) => /^(details|account)_changed/.test(each));
  expect(told).toEqual([rule === "details_changed" ? "details_changed hold" : "account_changed warn"]);
});

test("a payee whose account did not change lately is not told of", () => {
  expect(fired(line({ ...PAYEE, whitelisted: true }))).toEqual([]);
});

const answer = (given: Partial<BankAnswerFact> = {}): BankAnswerFact => ({
  verificationId: "v2",
  askedName: "Cassowary Cleaning Pty Ltd",
  said: "The bank says that this account is closed.",
  bankName: null,
  outcome: "account_closed",
  answeredAt: CHANGED_AT + DAY_MS,
  ...given,
});

test("what a bank said of the account holds the line, whoever is trusted, and is decided by itself", () => {
  const trusted = { ...PAYEE, whitelisted: true, bankDetailsChangedAt: null };
  const closed = line(trusted, { bankAnswer: answer() });
  expect(fired(closed)).toEqual(["bank_answer hold"]);
  expect(sentence(closed, "bank_answer")).toBe(
    "On 24 Nov 2026 the bank was asked about this account under the name “Cassowary Cleaning Pty Ltd”. The bank says that this account is closed.",
  );
  const named = answer({ said: "The bank holds this account under a different name.", bankName: "J R PELLEW" });
  expect(sentence(line(trusted, { bankAnswer: named }), "bank_answer")).toMatch(
    /under a different name\. The bank has the account as “J R PELLEW”\.$/,
  );
  expect(fired(line(null, { bankAnswer: answer() }))).toEqual(["bank_answer hold", "payee_not_trusted hold"]);
});

test.each([
  ["match", "The bank confirmed the account."],
  ["close_match", "The bank has the account under a similar name."],
  ["unable", "The bank was asked and could not answer."],
] as const)("a payee that waits for a decision: what the bank said is told, %s", (outcome, said) => {
  const latest = { ...NEW, id: "v2", status: "pending", createdAt: CHANGED_AT, outcome } as const;
  expect(sentence(line({ ...PAYEE, bankDetailsChangedAt: null, latest }), "payee_not_trusted")).toBe(
    `Cassowary Cleaning is neither whitelisted nor verified: its verification is still waiting for a decision. ${said}`,
  );
});

test.each<[string, AccountStanding, string, boolean]>([
  [
    "verified",
    BY_BANK,
    "You know Cassowary Cleaning with a different account, 062-000 •••••788, verified on 3 Mar 2026 (confirmed by the bank). Call them on a number you knew before.",
    true,
  ],
  [
    "whitelisted by hand",
    { state: "whitelisted", at: VERIFIED_AT },
    "Cassowary Cleaning is one of your payees with a different account, 062-000 •••••788, which a person whitelisted on 3 Mar 2026 without a verification. Call them on a number you knew before.",
    true,
  ],
  [
    "verified by nobody",
    NOBODY,
    "Cassowary Cleaning is one of your payees with a different account, 062-000 •••••788, which nobody has verified. Verify Cassowary Cleaning before you pay either, on a number you knew before.",
    false,
  ],
])("the name of a payee whose account is %s", (_, standing, expected, isIndividual) => {
  const facts = line(null, { namesakes: [{ payeeId: "p1", name: "Cassowary Cleaning", ...known(NEW, standing) }] });
  expect(sentence(facts, "known_name_new_account")).toBe(expected);
  expect(isDecidedIndividually(runRules(facts, {}))).toBe(isIndividual);
});

test("beside the payee whose former account is paid, another of nearly its name is named", () => {
  const [own] = toFormer(BY_BANK, NOBODY).namesakes ?? [];
  const other = { payeeId: "p9", name: "Casowary Cleaning", ...known(OLD, BY_BANK) };
  const facts = toFormer(BY_BANK, NOBODY, { namesakes: [...(own ? [own] : []), other] });
  expect(sentence(facts, "known_name_new_account")).toMatch(/^You know Casowary Cleaning with a different account/);
});

test("facts of files that were judged before are told as they were then", () => {
  const namesakes = [{ payeeId: "p1", name: "Cassowary Cleaning", bsb: "062000", maskedAccountNumber: "•••••788" }];
  const formerHolder = { payeeId: "p1", name: "Cassowary Cleaning", changedAt: CHANGED_AT };
  const before = runRules(line(null, { formerHolder, namesakes }), {});
  expect(before.map(({ rule, message }) => [rule, message])).toEqual([
    [
      "payee_not_trusted",
      "This account was Cassowary Cleaning's until its bank details changed on 23 Nov 2026. Look at the change before you pay.",
    ],
    [
      "known_name_new_account",
      "You know Cassowary Cleaning with a different account, 062-000 •••••788. Call them on a number you knew before.",
    ],
  ]);
  expect(before[1]?.evidence).not.toHaveProperty("isKnown");
  expect(sentence(line(PAYEE), "details_changed")).toBe(
    "The bank details of Cassowary Cleaning changed on 23 Nov 2026, 2:00 pm, and no one has decided about them since.",
  );
});

test("what speaks against an account itself is decided line by line; a warning of it is not a hold", () => {
  expect(DECIDED_INDIVIDUALLY).toEqual([
    { id: "payee_disputed", where: null },
    { id: "bank_answer", where: null },
    { id: "former_account", where: null },
    { id: "details_changed", where: null },
    { id: "contact_and_bank_changed", where: null },
    { id: "known_name_new_account", where: "isKnown" },
  ]);
  for (const { id, where } of DECIDED_INDIVIDUALLY) {
    const evidence = where === null ? {} : { [where]: true };
    expect(isDecidedIndividually([{ rule: id, level: "hold", evidence }])).toBe(true);
    expect(isDecidedIndividually([{ rule: id, level: "warn", evidence }])).toBe(false);
  }
  const others = RULES.filter(({ id }) => DECIDED_INDIVIDUALLY.every((rule) => rule.id !== id));
  for (const { id } of others) expect(isDecidedIndividually([{ rule: id, level: "hold", evidence: {} }])).toBe(false);
});
