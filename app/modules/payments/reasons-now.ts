import { toIso } from "~/kernel/dates";
import type { PaymentStatus } from "~/kernel/enums";
import { DETAILS_CHANGED_SINCE } from "~/modules/rules/payment-holds";
import type { PaymentReason } from "~/modules/rules/payment-reason";
import { isHeldAgain } from "./payment";

type Held = {
  status: PaymentStatus;
  reasons: PaymentReason[];
  lastStep: { fromStatus: PaymentStatus; toStatus: PaymentStatus; reason: string | null; createdAt: number } | null;
};

/**
 * Why the payment stands where it does: what the rules found when it was recorded, which is never rewritten, and what
 * happened to its payee after it was authorised. Pure.
 */
export function currentReasons(payment: Held): PaymentReason[] {
  const { reasons, lastStep } = payment;
  if (!lastStep || !isHeldAgain(payment)) return reasons;
  const since: PaymentReason = {
    rule: DETAILS_CHANGED_SINCE,
    level: "hold",
    message: lastStep.reason ?? "Something happened to the payee after this payment was authorised.",
    evidence: { heldAgainAt: toIso(lastStep.createdAt) },
  };
  return [since, ...reasons];
}
