import type { PaymentStatus } from "~/kernel/enums";
import type { PaymentReason } from "~/modules/payment-rules/payment-reason";

/** The life of a payment record. Pure: no database, no clock. */

/** Lengths of what people type, in characters. A direct entry file carries the first 18 of a reference. */
export const MAX_REFERENCE_LENGTH = 140;
export const MAX_DESCRIPTION_LENGTH = 500;
export const MAX_REASON_LENGTH = 500;

/** What the rules decide when a payment is recorded. */
export type RuleDecision = Extract<PaymentStatus, "authorised" | "held">;

/** No holding rule fired: authorised. A warning shows and does not hold. */
export function ruleDecision(reasons: readonly Pick<PaymentReason, "level">[]): RuleDecision {
  return reasons.some((reason) => reason.level === "hold") ? "held" : "authorised";
}

/**
 * Where a payment may go from where it is.
 *
 * An authorised payment is not held again when its payee is edited or disputes the details afterwards. It says where the
 * money goes itself (account and name are kept with it, an edit does not move them), and it may already be in a file at
 * the bank: a status that claims otherwise would be false. What has happened since is shown beside it as it is now
 * (`flagsNow`), new payments to the payee are held, and a person who stops it marks it failed with the reason.
 */
const NEXT: Record<PaymentStatus, readonly PaymentStatus[]> = {
  held: ["authorised", "rejected", "verification_requested"],
  verification_requested: ["held"],
  authorised: ["successful", "failed"],
  successful: [],
  failed: [],
  rejected: [],
};

/** Whether a payment may move from one status to another. */
export function canMove(from: PaymentStatus, to: PaymentStatus): boolean {
  return NEXT[from].includes(to);
}

/** Whether the money may still leave: what happens to the payee meanwhile matters. */
export function isOpenPayment(status: PaymentStatus): boolean {
  return NEXT[status].length > 0;
}

/** What a person decides about a held payment, and where it leads. */
export const DECISIONS = {
  approve: "authorised",
  reject: "rejected",
  request_verification: "verification_requested",
} as const;
export type Decision = keyof typeof DECISIONS;

/** How the bank ended an authorised payment. */
export const OUTCOMES = ["successful", "failed"] as const;
export type PaymentOutcome = (typeof OUTCOMES)[number];
