import { expect, test } from "vitest";
import { RULES } from "./index";
import { policyChangesWords, policyChangeWords, weakensPolicy } from "./policy-changes";

const HOURS = { opensAtMinute: 480, closesAtMinute: 1080, worksWeekends: false };

/** The first value is the stricter one of each pair. */
const STRICTER_FIRST: [string, unknown, unknown][] = [
  ["secondPersonRequired", true, false],
  ["autoApproveExact", false, true],
  ["acceptVouching", false, true],
  ["twoStepRequired", true, false],
  ["passkeyForPeople", true, false],
  ["stepUpRequired", true, false],
  ["stepUpMinutes", 15, 480],
  ["reverifyAfterMonths", 12, 13],
  ["firstPaymentLimitCents", 1_000_000, 1_000_001],
  ["promotionMinSpanDays", 1, 0],
  ["promotionMinDistinctDays", 3, 2],
  ["promotionMinCents", 1, 0],
  ["approvalEvidence", "always_reason", "flagged"],
  ["approvalEvidence", "check_or_call_back", "always_reason"],
  ["approvalEvidence", "check_or_call_back", "flagged"],
  ["weakeningDelayHours", 24, 23],
  ["duplicate_payment", "hold", "warn"],
  ["duplicate_payment", "warn", "off"],
  ["duplicate_payment", "default", "off"],
  ["memberLimitCents", 500_000, 500_001],
  ["memberLimitCents", 500_000, null],
  ["memberLimitCents", 0, 1],
  ["adminLimitCents", 1, null],
  ["workingHours", HOURS, null],
  ["workingHours", HOURS, { ...HOURS, opensAtMinute: 479 }],
  ["workingHours", HOURS, { ...HOURS, closesAtMinute: 1081 }],
  ["workingHours", HOURS, { ...HOURS, worksWeekends: true }],
  ["domain:harbour.example", false, true],
  ["a_rule_that_is_gone", "default", "warn"],
  ["sender_new", "warn", "default"],
  ["other_account", "default", "warn"],
];

test.each(STRICTER_FIRST)("%s from %j to %j weakens, and back strengthens", (field, strict, weak) => {
  expect(weakensPolicy(field, { from: strict, to: weak })).toBe(true);
  expect(weakensPolicy(field, { from: weak, to: strict })).toBe(false);
  expect(weakensPolicy(field, { from: weak, to: weak })).toBe(false);
});

test("hours that open later and close later are longer at one end: that weakens, whichever way it goes", () => {
  const later = { ...HOURS, opensAtMinute: 540, closesAtMinute: 1140 };
  expect(weakensPolicy("workingHours", { from: HOURS, to: later })).toBe(true);
  expect(weakensPolicy("workingHours", { from: later, to: HOURS })).toBe(true);
});

test.each([
  ["timeZone", "Australia/Sydney", "Australia/Perth"],
  ["bankBudgetCents", 10_000, 10_001],
])("%s: another one neither weakens nor strengthens", (field, one, other) => {
  expect(weakensPolicy(field, { from: one, to: other })).toBe(false);
  expect(weakensPolicy(field, { from: other, to: one })).toBe(false);
});

test.each(RULES.map(({ id, defaultLevel }) => [id, defaultLevel] as const))(
  "the rule %s back to its own level (%s) is judged by that level",
  (id, level) => {
    expect(weakensPolicy(id, { from: "hold", to: "default" })).toBe(level !== "hold");
    expect(weakensPolicy(id, { from: "off", to: "default" })).toBe(false);
  },
);

test.each([
  ["secondPersonRequired", true, false, 'the policy "a second person approves" from on to off'],
  ["memberLimitCents", 500_000, null, "what a member may approve from $5,000.00 to any amount"],
  ["promotionMinCents", 0, 10_000, "the minimum amount of a payment that whitelists a payee from $0.00 to $100.00"],
  ["workingHours", HOURS, null, "working hours from 08:00 to 18:00, Monday to Friday to none"],
  ["workingHours", null, { ...HOURS, worksWeekends: true }, "working hours from none to 08:00 to 18:00 every day"],
  ["domain:harbour.example", false, true, "people with an address at harbour.example join without approval"],
  ["domain:harbour.example", true, false, "people with an address at harbour.example wait for approval"],
  ["reverifyAfterMonths", 12, 13, " from 12 to 13"],
  [
    "approvalEvidence",
    "always_reason",
    "flagged",
    "what an approval must say from always a reason to a reason when something counts against it",
  ],
  ["approvalEvidence", "asked_before", "always_reason", "from asked before to always a reason"],
  ["timeZone", "Australia/Sydney", "Australia/Perth", "the time zone from Australia/Sydney to Australia/Perth"],
  ["other_account", "hold", "warn", 'the rule "Not the payee\'s account" from hold to warn'],
  ["duplicate_payment", "default", "off", "from the rule's own level to off"],
])("%s from %j to %j is said in words", (field, from, to, said) => {
  expect(policyChangeWords(field, { from, to })).toContain(said);
});

test("several changes are one phrase, and what an old audit entry keeps otherwise is left out", () => {
  const kept = {
    secondPersonRequired: { from: true, to: false },
    twoStepRequired: { from: false, to: true },
    ...{ note: "by phone", count: 2, nothing: null, half: { from: 1 } },
  };
  expect(policyChangesWords(kept)).toMatch(
    /^the policy "a second person approves" from on to off and .* from off to on$/,
  );
  expect(policyChangesWords({ note: "by phone" })).toBe("");
});
