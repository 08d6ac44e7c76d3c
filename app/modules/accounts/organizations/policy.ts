import { DEFAULT_TIME_ZONE } from "~/kernel/dates";
import type { ApprovalEvidence } from "~/kernel/enums";
import { formatAud } from "~/kernel/money";
import { CHOSEN_RULES } from "~/modules/rules";
import { INVOICE_RULES } from "~/modules/rules/invoices";
import type { PolicyRuleLevel } from "~/modules/rules/payment-reason";

/** What an organisation has decided for itself. Pure: `policy.queries.server.ts` reads it. */

export type Policy = {
  /** Requester or editor may not approve. */
  secondPersonRequired: boolean;
  /** An exact result of the bank check approves itself. */
  autoApproveExact: boolean;
  /** Three or more exact vouchings of other organisations count as verification. */
  acceptVouching: boolean;
  /** Approvers must use two-step sign-in. */
  twoStepRequired: boolean;
  /** A verification older than this many months is stale. */
  reverifyAfterMonths: number;
  /** A first payment above this many cents (AUD) is held. */
  firstPaymentLimitCents: number;
  /** Rule id -> level, only where it differs from the rule's own default. */
  ruleLevels: Record<string, PolicyRuleLevel>;
  /** Days that must lie between the first and the last successful payment before promotion; 0: none. */
  promotionMinSpanDays: number;
  /** Distinct days on which those payments must have been made; 0: none. */
  promotionMinDistinctDays: number;
  /** What an approval must say about how the details were confirmed. */
  approvalEvidence: ApprovalEvidence;
  /** IANA name of the zone in which the organisation reads its dates. */
  timeZone: string;
  /** A smaller payment does not count towards promotion, in cents; 0: every payment counts. */
  promotionMinCents: number;
  /** How many hours a change that weakens these policies waits. */
  weakeningDelayHours: number;
};

/** What holds until an organisation decides otherwise; the database's defaults are the same. */
export const DEFAULT_POLICY: Policy = {
  secondPersonRequired: false,
  autoApproveExact: false,
  acceptVouching: false,
  twoStepRequired: false,
  reverifyAfterMonths: 12,
  firstPaymentLimitCents: 1_000_000,
  ruleLevels: {},
  promotionMinSpanDays: 0,
  promotionMinDistinctDays: 0,
  approvalEvidence: "flagged",
  timeZone: DEFAULT_TIME_ZONE,
  promotionMinCents: 0,
  weakeningDelayHours: 24,
};

/** What the page of policies says about each of them. Pure. */

export const LEVEL_LABELS: Readonly<Record<PolicyRuleLevel, string>> = {
  hold: "Hold the payment",
  warn: "Warn only",
  off: "Off",
};

/** The same of what is found on an invoice. */
export const INVOICE_LEVEL_LABELS: Readonly<Record<PolicyRuleLevel, string>> = {
  hold: "Stop the invoice",
  warn: "Warn",
  off: "Note only",
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
  // Never none: whoever takes over one administrator would have nothing to wait for.
  weakeningDelayHours: { min: 1, max: 336 },
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

/** The policies as their form shows them. */
export type PolicyView = {
  version: number;
  values: Record<string, string>;
  rules: LevelledRule[];
  /** What is looked for on invoices. */
  invoiceRules: LevelledRule[];
};

type LevelledRule = { id: string; label: string; defaultLevel: PolicyRuleLevel };

const toLevelled = ({ id, label, defaultLevel }: LevelledRule): LevelledRule => ({ id, label, defaultLevel });

const flag = (name: string, isOn: boolean): Record<string, string> => (isOn ? { [name]: "on" } : {});

export function toPolicyView(policy: Policy, version: number): PolicyView {
  const rules = CHOSEN_RULES.map(toLevelled);
  const invoiceRules = INVOICE_RULES.map(toLevelled);
  return {
    version,
    rules,
    invoiceRules,
    values: {
      ...flag("secondPersonRequired", policy.secondPersonRequired),
      ...flag("autoApproveExact", policy.autoApproveExact),
      ...flag("acceptVouching", policy.acceptVouching),
      ...flag("twoStepRequired", policy.twoStepRequired),
      reverifyAfterMonths: String(policy.reverifyAfterMonths),
      firstPaymentLimitCents: formatAud(policy.firstPaymentLimitCents).replace("$", ""),
      promotionMinSpanDays: String(policy.promotionMinSpanDays),
      promotionMinDistinctDays: String(policy.promotionMinDistinctDays),
      promotionMinCents: formatAud(policy.promotionMinCents).replace("$", ""),
      weakeningDelayHours: String(policy.weakeningDelayHours),
      approvalEvidence: policy.approvalEvidence,
      timeZone: policy.timeZone,
      ...Object.fromEntries(
        [...rules, ...invoiceRules].map(({ id, defaultLevel }) => [
          `ruleLevels.${id}`,
          policy.ruleLevels[id] ?? defaultLevel,
        ]),
      ),
    },
  };
}
