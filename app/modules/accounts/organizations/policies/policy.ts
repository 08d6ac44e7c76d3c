import { DEFAULT_TIME_ZONE } from "~/kernel/dates";
import type { ApprovalEvidence } from "~/kernel/enums";
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
};
