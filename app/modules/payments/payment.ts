import type { PaymentStatus } from "~/kernel/enums";
import type { BankDetails } from "~/kernel/payee";
import type { PaymentReason } from "~/modules/rules/payment-reason";

/** The life of a payment record. Pure: no database, no clock. */

/** Lengths of what people type, in characters. A direct entry file carries the first 18 of a reference. */
export const MAX_REFERENCE_LENGTH = 140;
export const MAX_DESCRIPTION_LENGTH = 500;
export const MAX_REASON_LENGTH = 500;

/** A payment that somebody wants to record, checked and normalised. */
export type NewPayment = {
  to: { payeeId: string } | BankDetails;
  /** Integer cents, Australian dollars. */
  amount: number;
  reference: string;
  description: string | null;
};

/** What the rules decide when a payment is recorded. */
export type RuleDecision = Extract<PaymentStatus, "authorised" | "held">;

/** No holding rule fired: authorised. A warning shows and does not hold. */
export function ruleDecision(reasons: readonly Pick<PaymentReason, "level">[]): RuleDecision {
  return reasons.some((reason) => reason.level === "hold") ? "held" : "authorised";
}

/**
 * Where a payment may go from where it is. An authorised payment is held again when its payee gets other bank details,
 * disputes them, is rejected or is taken off the whitelist before the bank has ended it.
 */
const NEXT: Record<PaymentStatus, readonly PaymentStatus[]> = {
  held: ["authorised", "rejected", "verification_requested"],
  verification_requested: ["held"],
  authorised: ["successful", "failed", "held"],
  successful: [],
  failed: [],
  rejected: [],
};

/** Whether a payment may move from one status to another. */
export function canMove(from: PaymentStatus, to: PaymentStatus): boolean {
  return NEXT[from].includes(to);
}

type Step = { fromStatus: PaymentStatus; toStatus: PaymentStatus };

/** True if the payment was authorised once and is held again because of what happened to its payee since. */
export function isHeldAgain({ status, lastStep }: { status: PaymentStatus; lastStep: Step | null }): boolean {
  return status === "held" && lastStep?.toStatus === "held" && lastStep.fromStatus === "authorised";
}

/**
 * Whether the bank may have ended the payment. One that is held again may have been in a file at the bank already: its
 * outcome is recorded as it was, or the status would claim something false.
 */
export function canEnd(payment: { status: PaymentStatus; lastStep: Step | null }): boolean {
  return payment.status === "authorised" || isHeldAgain(payment);
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

/** How the bank ended a payment. */
export const OUTCOMES = ["successful", "failed"] as const;
export type PaymentOutcome = (typeof OUTCOMES)[number];
