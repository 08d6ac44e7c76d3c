import fc from "fast-check";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { ACCOUNT, aPayee, aPayment, NOW } from "../../../tests/support/payment-facts";
import { noteOfReason, RULES, ruleDecision, ruleLabel, runRules } from "./";
import type { PayeeFacts, PaymentFacts } from "./facts";
import type { PaymentReason, PolicyRuleLevel } from "./payment-holds";

const BEFORE = { ...ACCOUNT, accountNumber: "87654321" };

type Verification = NonNullable<PayeeFacts["latest"]>;

const verification = (status: Verification["status"], given: Partial<Verification> = {}): Verification => ({
  id: "v1",
  status,
  createdAt: NOW - 40 * DAY_MS,
  ...ACCOUNT,
  ...given,
});

const decided = (status: "verified" | "rejected", given: Partial<Verification> & { completedAt?: number } = {}) => ({
  ...verification(status, given),
  completedAt: given.completedAt ?? NOW - 39 * DAY_MS,
});

const facts = (payee: Partial<PayeeFacts> | null = {}, given: Partial<PaymentFacts> = {}): PaymentFacts =>
  aPayment({ payee: payee && aPayee(payee), ...given });

const fired = (of: PaymentFacts) => runRules(of, {}).map(({ rule }) => rule);

const duplicate = { id: "d1", reference: "inv 1042", status: "authorised", createdAt: NOW - 3 * DAY_MS } as const;
const CHANGED_AT = NOW - 10 * DAY_MS;

const cases: [string, PaymentFacts, string[]][] = [
  ["a whitelisted payee raises nothing", facts(), []],
  ["a verified payee off the whitelist raises nothing", facts({ whitelisted: false }), []],
  [
    "a payee that nobody verified is held",
    facts({ whitelisted: false, latest: null, latestDecided: null }),
    ["payee_not_trusted"],
  ],
  [
    "a payee whose verification waits is held",
    facts({ whitelisted: false, latest: verification("pending"), latestDecided: null }),
    ["payee_not_trusted"],
  ],
  [
    "a payee whose verification was rejected is held",
    facts({ whitelisted: false, latest: verification("rejected"), latestDecided: decided("rejected") }),
    ["payee_not_trusted"],
  ],
  [
    "a payee whose check failed is held",
    facts({ whitelisted: false, latest: verification("failed"), latestDecided: null }),
    ["payee_not_trusted"],
  ],
  [
    "a verification of other details is no trust",
    facts({ whitelisted: false, latest: verification("verified", BEFORE), latestDecided: decided("verified", BEFORE) }),
    ["payee_not_trusted"],
  ],
  [
    "a whitelisted payee with a new pending verification raises nothing",
    facts({ latest: verification("pending", { id: "v2" }) }),
    [],
  ],
  [
    "changed details that nobody decided about are held for both reasons",
    facts({
      whitelisted: false,
      bankDetailsChangedAt: CHANGED_AT,
      latest: verification("pending", { id: "v2" }),
      latestDecided: decided("verified", BEFORE),
    }),
    ["details_changed", "payee_not_trusted"],
  ],
  [
    "details changed there and back since the decision are held for both reasons",
    facts({ whitelisted: false, bankDetailsChangedAt: CHANGED_AT, latest: verification("pending", { id: "v3" }) }),
    ["details_changed", "payee_not_trusted"],
  ],
  [
    "changed details verified since raise nothing",
    facts({
      whitelisted: false,
      bankDetailsChangedAt: CHANGED_AT,
      latestDecided: decided("verified", { completedAt: NOW - DAY_MS }),
    }),
    [],
  ],
  [
    "changed details rejected since are not trusted, and no longer undecided",
    facts({
      whitelisted: false,
      bankDetailsChangedAt: CHANGED_AT,
      latest: verification("rejected"),
      latestDecided: decided("rejected", { completedAt: NOW - DAY_MS }),
    }),
    ["payee_not_trusted"],
  ],
  ["changed details whitelisted since raise nothing", facts({ bankDetailsChangedAt: CHANGED_AT }), []],
  ["a disputing payee is held even when whitelisted", facts({ disputedAt: NOW - DAY_MS }), ["payee_disputed"]],
  [
    "a disputing payee that nobody verified is held for both reasons",
    facts({ disputedAt: NOW - DAY_MS, whitelisted: false, latest: verification("pending"), latestDecided: null }),
    ["payee_disputed", "payee_not_trusted"],
  ],
  ["the same payment again is held", facts({}, { duplicate }), ["duplicate_payment"]],
  ["the payee's own name raises nothing", facts({}, { givenName: "RIVERBEND TIMBER P/L" }), []],
  ["a close name is held", facts({}, { givenName: "Riverbend Timbre Pty Ltd" }), ["name_differs"]],
  ["another name is held", facts({}, { givenName: "Jordan Castellano" }), ["name_differs"]],
  ["an unknown account is held", facts(null, { givenName: "Jordan Castellano" }), ["payee_not_trusted"]],
];

const neverPaid = { paymentCount: 0, lastPaymentDate: null, largestRecentAmount: null };
const YEAR_AGO = Date.UTC(2025, 10, 20, 3, 0);
const verifiedAt = (completedAt: number) => ({ latestDecided: decided("verified", { completedAt }) });
const CLOSED = "This BSB is closed.";

const moreCases: [string, PaymentFacts, string[]][] = [
  ["a first payment at the limit raises nothing", facts(neverPaid, { amount: 999_999 }), []],
  ["a first payment a cent above the limit is held", facts(neverPaid, { amount: 1_000_001 }), ["first_payment_limit"]],
  ["the limit is the organisation's", facts(neverPaid, { firstPaymentLimitCents: 50_000 }), ["first_payment_limit"]],
  [
    "a later payment above the limit of the first raises nothing",
    facts({ largestRecentAmount: 1_000_000 }, { amount: 1_000_001 }),
    [],
  ],
  ["an account that is no payee is held for that alone", facts(null, { amount: 90_000_000 }), ["payee_not_trusted"]],
  ["a BSB that takes no payments is held", facts({}, { bsbProblem: CLOSED }), ["bsb_unusable"]],
  [
    "so is one of an account that is no payee",
    facts(null, { bsbProblem: CLOSED }),
    ["payee_not_trusted", "bsb_unusable"],
  ],
  [
    "contact and bank details changed within 30 days are held even when whitelisted",
    facts({ bankDetailsChangedAt: CHANGED_AT, contactChangedAt: CHANGED_AT - 30 * DAY_MS }),
    ["contact_and_bank_changed"],
  ],
  [
    "contact and bank details changed further apart raise nothing",
    facts({ bankDetailsChangedAt: CHANGED_AT, contactChangedAt: CHANGED_AT - 30 * DAY_MS - 1 }),
    [],
  ],
  [
    "both changed together long ago raise nothing",
    facts({ bankDetailsChangedAt: NOW - 31 * DAY_MS, contactChangedAt: NOW - 31 * DAY_MS }),
    [],
  ],
  ["contact details alone raise nothing", facts({ contactChangedAt: NOW - DAY_MS }), []],
];

/** These only warn: the payment is authorised. */
const warnings: [string, PaymentFacts, string[]][] = [
  ["a round first payment is pointed out", facts(neverPaid, { amount: 1_000_000 }), ["round_first_amount"]],
  ["three times the largest payment raises nothing", facts({}, { amount: 375_000 }), []],
  ["a cent more than three times the largest payment is said", facts({}, { amount: 375_001 }), ["unusual_amount"]],
  ["without a payment to compare with nothing is unusual", facts(neverPaid, { amount: 375_001 }), []],
  [
    "a verification older than a year without a payment since is said",
    facts({ ...neverPaid, ...verifiedAt(YEAR_AGO - 1) }),
    ["verification_stale"],
  ],
  ["a verification of a year ago raises nothing", facts({ ...neverPaid, ...verifiedAt(YEAR_AGO) }), []],
  [
    "a payment within the year is as good as a verification",
    facts({ ...verifiedAt(YEAR_AGO - 1), lastPaymentDate: YEAR_AGO }),
    [],
  ],
  [
    "how old is too old is the organisation's",
    facts({ ...neverPaid, ...verifiedAt(NOW - 60 * DAY_MS) }, { reverifyAfterMonths: 1 }),
    ["verification_stale"],
  ],
  ["a payee trusted without a verification has none to be stale", facts({ ...neverPaid, latestDecided: null }), []],
];

test.each([...cases, ...moreCases])("%s", (_, of, rules) => {
  expect(fired(of)).toEqual(rules);
  expect(ruleDecision(runRules(of, {}))).toBe(rules.length === 0 ? "authorised" : "held");
});

test.each(warnings)("%s, and the payment is authorised", (_, of, rules) => {
  expect(fired(of)).toEqual(rules);
  expect(ruleDecision(runRules(of, {}))).toBe("authorised");
});

const everyCase = [...cases, ...moreCases, ...warnings];

test("every sentence says who or what it is about, and no evidence shows a whole account number", () => {
  const all = everyCase.flatMap(([, of]) => runRules(of, {}));
  for (const { message, evidence } of all) {
    expect(message).toMatch(/^[A-Z].*[.]$/);
    expect(JSON.stringify({ message, evidence })).not.toContain(ACCOUNT.accountNumber);
  }
});

test("an unknown account says where it is held, masked", () => {
  const [reason] = runRules(facts(null, { givenName: ACCOUNT.accountName }), {});
  expect(reason?.message).toBe(
    "This account is not one of your payees. Add it as a payee and verify it before you pay.",
  );
  expect(reason && noteOfReason(reason)).toBe("Commonwealth Bank of Australia, 062-000 •••••678");
});

test("a different name says both names and how far apart they are", () => {
  const [reason] = runRules(facts({}, { givenName: "Riverbend Timbre Pty Ltd" }), {});
  expect(reason?.message).toContain(
    "“Riverbend Timbre Pty Ltd”, is only similar to the one you hold for Riverbend Timber",
  );
  expect(reason && noteOfReason(reason)).toMatch(/^Name match \d\d% \((Moderate|Strong|Very Strong)\)$/);
});

test("a reason of a rule that is no more still shows its sentence", () => {
  expect(noteOfReason({ rule: "gone", evidence: {} })).toBeUndefined();
});

test("a rule can be turned to hold, warn or off by the organisation", () => {
  const of = facts({ whitelisted: false, latest: null, latestDecided: null });
  const at = (level: PolicyRuleLevel) => runRules(of, { payee_not_trusted: level });
  expect(at("hold").map(({ level }) => level)).toEqual(["hold"]);
  expect(at("warn").map(({ level }) => level)).toEqual(["warn"]);
  expect(ruleDecision(at("warn"))).toBe("authorised");
  expect(at("off")).toEqual([]);
});

const levels = fc.constantFrom("hold" as const, "warn" as const);
const reasons = fc.array(levels.map((level): PaymentReason => ({ rule: "r", level, message: "m", evidence: {} })));

test("one more reason never turns a held payment into an authorised one", () => {
  fc.assert(
    fc.property(reasons, levels, (list, level) => {
      const more = [...list, { rule: "more", level, message: "m", evidence: {} }];
      return ruleDecision(list) === "authorised" || ruleDecision(more) === "held";
    }),
  );
});

test("the decision does not depend on the order of the rules", () => {
  const anyLevels = fc.dictionary(
    fc.constantFrom(...RULES.map(({ id }) => id)),
    fc.constantFrom("hold" as const, "warn" as const, "off" as const),
  );
  const shuffled = fc.shuffledSubarray([...RULES], { minLength: RULES.length, maxLength: RULES.length });
  fc.assert(
    fc.property(fc.constantFrom(...everyCase.map(([, of]) => of)), anyLevels, shuffled, (of, given, order) => {
      const inOrder = runRules(of, given);
      const mixed = runRules(of, given, order);
      expect(ruleDecision(mixed)).toBe(ruleDecision(inOrder));
      expect(new Set(mixed.map(({ rule }) => rule))).toEqual(new Set(inOrder.map(({ rule }) => rule)));
    }),
  );
});

test("turning a rule from hold to warn or off never holds a payment that was authorised", () => {
  const softer = fc.constantFrom("warn" as const, "off" as const);
  fc.assert(
    fc.property(fc.constantFrom(...everyCase), fc.constantFrom(...RULES), softer, ([, of], rule, level) => {
      const before = ruleDecision(runRules(of, {}));
      return before === "held" || ruleDecision(runRules(of, { [rule.id]: level })) === "authorised";
    }),
  );
});

test("every rule has an id and a label of its own, and a rule that is gone is named by its id", () => {
  expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
  expect(new Set(RULES.map(({ id }) => ruleLabel(id))).size).toBe(RULES.length);
  expect(ruleLabel("payee_disputed")).toBe("The payee said that these are not their details");
  expect(ruleLabel("brand_new")).toBe("brand new");
});
