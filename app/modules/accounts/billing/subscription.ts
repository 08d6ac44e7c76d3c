import type { SubscriptionStatus } from "~/kernel/enums";

/** One line of the plan. A note says what exactly there is: the list promises nothing that does not work. */
export interface PlanLine {
  text: string;
  note?: string;
}

/** The one plan and everything in it (specification, section 9): what it costs and what it includes. */
export const PLAN = {
  name: "Standard",
  /** Integer cents, GST included. */
  amount: 50_000,
  /** Of which GST: an eleventh. */
  taxAmount: 4_545,
  includes: [
    { text: "Unlimited users per organisation" },
    {
      text: "Unlimited payment verifications",
      note: "messages and questions to banks have the daily limits on the pricing page",
    },
    { text: "Advanced whitelist management" },
    { text: "Bank account verification through Basiq" },
    { text: "Email and SMS alerts" },
    { text: "Pay runs, invoices, imports and a health report of your payees" },
    { text: "Accounting integration", note: "suppliers and approved bills of Xero and MYOB; payments of Xero" },
    { text: "Premium support" },
    { text: "A complete audit trail" },
  ] as readonly PlanLine[],
} as const;

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

type Trialling = {
  trialEndsAt: number | null;
  /** When the first invoice was paid; null: nothing has ever been paid. */
  firstPaidAt: number | null;
};

/**
 * Whether the organisation's own trial still runs. A payment ends it; an attempt to pay that failed does not.
 *
 * @param now epoch milliseconds; the trial is over at `trialEndsAt` itself
 */
const isInTrial = ({ trialEndsAt, firstPaidAt }: Trialling, now: number): boolean =>
  firstPaidAt === null && trialEndsAt !== null && now < trialEndsAt;

/** Whether an organisation may open verifications, record payments and start bank checks. */
export const isLive = (
  organization: Trialling & { subscriptionStatus: SubscriptionStatus | null },
  now: number,
): boolean => isLiveStatus(organization.subscriptionStatus) || isInTrial(organization, now);
