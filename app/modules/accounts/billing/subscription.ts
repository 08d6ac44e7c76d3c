import type { SubscriptionStatus } from "~/kernel/enums";

/** One line of the plan. A note gives the exact scope, because the list must promise only what works. */
export interface PlanLine {
  text: string;
  note?: string;
}

/** The only plan: its price and what it includes (specification, section 9). */
export const PLAN = {
  name: "Standard",
  /** Integer cents, GST included. */
  amount: 50_000,
  /** The GST included: one eleventh. */
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

/** The label of each status (specification, section 4; `paused` is the provider's own). */
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

/** The subscription has run and its invoice is unpaid: that invoice is to be paid, never a second subscription. */
export const owesInvoice = (status: SubscriptionStatus | null): boolean => status === "past_due" || status === "unpaid";

/** The subscription has ended for good, so a new one may be started. */
export const isEndedStatus = (status: SubscriptionStatus): boolean =>
  status === "canceled" || status === "incomplete_expired";

/** A first payment that was started but not made, or given up. If nothing was ever paid, no subscription is shown. */
export const isUnpaidAttempt = (status: SubscriptionStatus | null): boolean =>
  status === "incomplete" || (status !== null && isEndedStatus(status));

/**
 * How cancelling works from a status: a paid subscription runs to the end of its period, others end at once. Null when
 * there is nothing to cancel, so there is no button (specification, section 4).
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
 * True while the organisation's own trial runs. A payment ends it; a failed payment attempt does not.
 *
 * @param now epoch milliseconds; the trial has ended at `trialEndsAt` itself
 */
const isInTrial = ({ trialEndsAt, firstPaidAt }: Trialling, now: number): boolean =>
  firstPaidAt === null && trialEndsAt !== null && now < trialEndsAt;

/** True if an organisation may open verifications, record payments and start bank checks. */
export const isLive = (organization: Trialling & { subscriptionStatus: SubscriptionStatus | null }, now: number) =>
  isLiveStatus(organization.subscriptionStatus) || isInTrial(organization, now);
