import type { SubscriptionStatus } from "~/kernel/enums";

/** How each status reads (specification, section 4; `paused` is the provider's own). */
export const STATUS_TEXT: Record<SubscriptionStatus, string> = {
  active: "Active",
  trialing: "Trialing",
  canceled: "Cancelled",
  incomplete: "Pending payment",
  incomplete_expired: "Payment failed",
  past_due: "Past due - please update payment method",
  unpaid: "Unpaid - please update payment method",
  paused: "Paused",
};

/** Active or trialing means live (specification, section 4). */
export const isLiveStatus = (status: SubscriptionStatus | null): boolean =>
  status === "active" || status === "trialing";

/** It ran, and its invoice is open: that is paid, never a second subscription. */
export const owesInvoice = (status: SubscriptionStatus | null): boolean => status === "past_due" || status === "unpaid";

/** Nothing can come of it any more: the way is free for a new one. */
export const isOverStatus = (status: SubscriptionStatus): boolean =>
  status === "canceled" || status === "incomplete_expired";

/** A first payment that was begun and not made, or given up. With nothing ever paid there is no subscription to speak of. */
export const isUnpaidAttempt = (status: SubscriptionStatus | null): boolean =>
  status === "incomplete" || (status !== null && isOverStatus(status));

/**
 * How cancelling works from a status: what was paid for runs to the end of its period, the rest ends at once.
 * Null where there is nothing to cancel, and no button (specification, section 4).
 */
export function cancellationOf(status: SubscriptionStatus | null): "at_period_end" | "now" | null {
  switch (status) {
    case null:
    case "canceled":
    case "incomplete_expired":
      return null;
    case "active":
    case "trialing":
    case "past_due":
      return "at_period_end";
    default:
      return "now";
  }
}
