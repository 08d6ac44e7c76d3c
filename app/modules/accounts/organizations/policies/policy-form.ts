import type { ApprovalEvidence } from "~/kernel/enums";
import type { PolicyRuleLevel } from "~/modules/rules/payment-reason";
import type { Policy } from "./policy";

/** What the page of policies says about each of them. Pure. */

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
