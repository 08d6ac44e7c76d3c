import type { PaymentStatus } from "~/kernel/enums";

/** The life of a payment record. Pure: no database, no clock. */

export type RuleLevel = "hold" | "warn";

/** One rule that fired when the payment was recorded. */
export type PaymentReason = {
  rule: string;
  level: RuleLevel;
  /** A plain sentence a person reads. */
  message: string;
  /** What the rule saw; bank numbers masked. */
  evidence: Record<string, unknown>;
};

/** No holding rule fired: authorised. A warning shows and does not hold. */
export function decidePayment(reasons: readonly PaymentReason[]): "authorised" | "held" {
  return reasons.some((reason) => reason.level === "hold") ? "held" : "authorised";
}

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
