import type { ApprovalEvidence } from "~/kernel/enums";
import type { PolicyRuleLevel } from "~/modules/payment-rules/payment-reason";
import type { Policy } from "./policy";

/** What the page of policies says about each of them. Pure. */

/** The payment rules in words, by their id; a rule without a line here is shown by its id. */
const RULE_LABELS: Readonly<Record<string, string>> = {
  payee_not_trusted: "The payee is neither whitelisted nor verified",
  details_changed: "Bank details changed since the last decision",
  payee_disputed: "The payee said that these are not their details",
  duplicate_payment: "The same payee, amount and reference within 30 days",
  verification_stale: "The last verification is too old",
  name_differs: "The name given with the payment is not exactly the payee's",
  shared_account: "Another payee has the same account",
  staff_account: "The account is one of your staff's",
  unusual_amount: "Far more than the payee usually gets",
  first_payment_limit: "A first payment above the limit",
  bsb_unusable: "The BSB is unknown, closed or cannot be paid to",
  abn_inactive: "The ABN is cancelled, or its name does not match",
  lookalike_domain: "The email domain looks like a known one, and is not",
  known_name_new_account: "An unknown account under the name of a payee",
  payment_company: "The account moved from a bank to a payment company",
  payment_returned: "The last payment to the payee came back",
  many_changes: "The payee was edited several times within a day",
  round_first_amount: "A first payment of a round amount",
  just_under_limit: "An amount just under an approval limit",
  marked_new_details: "The file marks the bank details as new",
  outside_hours: "Entered outside your working hours",
  contact_and_bank_changed: "Contact and bank details changed within 30 days of each other",
};

export const ruleLabel = (id: string): string => RULE_LABELS[id] ?? id.replaceAll("_", " ");

export const LEVEL_LABELS: Readonly<Record<PolicyRuleLevel, string>> = {
  hold: "Hold the payment",
  warn: "Warn only",
  off: "Off",
};

export const EVIDENCE_LABELS: Readonly<Record<ApprovalEvidence, string>> = {
  flagged: "A reason or a call-back where something speaks against the details",
  always_reason: "A reason or a call-back, always",
  check_or_call_back: "A bank check or a call-back, always",
};

/** Where Australian organisations read their clocks. */
export const TIME_ZONES = [
  "Australia/Sydney",
  "Australia/Melbourne",
  "Australia/Brisbane",
  "Australia/Adelaide",
  "Australia/Darwin",
  "Australia/Perth",
  "Australia/Hobart",
  "Australia/Lord_Howe",
  "Australia/Eucla",
  "Indian/Christmas",
  "Indian/Cocos",
  "Pacific/Norfolk",
  "Pacific/Auckland",
  "UTC",
] as const;

export const LIMITS = {
  reverifyAfterMonths: { min: 1, max: 60 },
  promotionMinSpanDays: { min: 0, max: 730 },
  promotionMinDistinctDays: { min: 0, max: 100 },
} as const;

type Change = { from: unknown; to: unknown };

/** The policies that differ, old -> new; each payment rule on its own. */
export function changedPolicies(before: Policy, after: Policy): Record<string, Change> {
  const { ruleLevels: levelsBefore, ...restBefore } = before;
  const { ruleLevels: levelsAfter, ...restAfter } = after;
  return { ...changes(restBefore, restAfter), ...changes(levelsBefore, levelsAfter) };
}

function changes(before: Record<string, unknown>, after: Record<string, unknown>): Record<string, Change> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const different = names.filter((name) => before[name] !== after[name]);
  return Object.fromEntries(
    different.map((name) => [name, { from: before[name] ?? "default", to: after[name] ?? "default" }]),
  );
}
