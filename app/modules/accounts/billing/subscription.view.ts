import { DAY_MS, formatDate, toIso } from "~/kernel/dates";
import type { BillingStatus, SubscriptionStatus } from "~/kernel/enums";
import { formatAud } from "~/kernel/money";
import type { CustomerState } from "~/ports/cards";
import { type BillingState, chooseSubscription, openInvoiceOf } from "./ledger";
import { cancellationOf, isLiveStatus, isUnpaidAttempt, owesInvoice, STATUS_TEXT } from "./subscription";

/** The result of a payment, shown after the person returns (specification, section 4). */
export type PaymentOutcome = "succeeded" | "processing" | "requires_payment_method" | "other";

export const OUTCOME_TEXT: Record<PaymentOutcome, string> = {
  succeeded: "Payment succeeded!",
  processing: "Your payment is processing.",
  requires_payment_method: "Your payment was not successful, please try again.",
  other: "Something went wrong.",
};

/** Any other payment status, or none, is "other". */
export function toOutcome(status: string | null): PaymentOutcome {
  return status === "succeeded" || status === "processing" || status === "requires_payment_method" ? status : "other";
}

/** An email about billing. The key identifies its subject, so that each is sent once. */
export type Notice = { key: string } & (
  | { kind: "payment_failed"; amount: number; status: "past_due" | "unpaid" }
  | { kind: "card_expiring"; last4: string; expMonth: number; expYear: number }
  | { kind: "cancelled"; endsAt: number }
  | { kind: "ended" }
);

/** People are told this long before a card expires. */
const CARD_WARNING_MS = 30 * DAY_MS;
/** Older events are not reported, e.g. when an organisation's data is fetched for the first time. */
const NEWS_MS = 7 * DAY_MS;

/** The instant at which a card stops working: it is valid to the end of its month. UTC. */
export const cardEndsAt = (card: { expMonth: number; expYear: number }): number =>
  Date.UTC(card.expYear, card.expMonth, 1);

/** True if a card expires soon, or before the next charge. */
export function isCardExpiring(card: { expMonth: number; expYear: number }, nextChargeAt: number | null, now: number) {
  const endsAt = cardEndsAt(card);
  return endsAt <= now + CARD_WARNING_MS || (nextChargeAt !== null && endsAt <= nextChargeAt);
}

/** The emails for the subscription's present state; those already sent are removed later. */
export function dueNotices(customer: CustomerState, state: BillingState, now: number): Notice[] {
  const current = chooseSubscription(customer.subscriptions);
  if (!current) return [];
  const notices: Notice[] = [];
  const { status } = current;
  const invoice = openInvoiceOf(customer.invoices, current.id);
  if ((status === "past_due" || status === "unpaid") && invoice && invoice.attempts > 0) {
    const key = `payment_failed:${invoice.id}:${status === "unpaid" ? "unpaid" : invoice.attempts}`;
    notices.push({ key, kind: "payment_failed", amount: invoice.amountDue, status });
  }
  const runs = isLiveStatus(status) || owesInvoice(status);
  const { card, cancelAtPeriodEnd, currentPeriodEnd } = state;
  if (runs && card && !cancelAtPeriodEnd && isCardExpiring(card, currentPeriodEnd, now)) {
    const key = `card_expiring:${card.last4}:${card.expYear}-${card.expMonth}`;
    notices.push({ key, kind: "card_expiring", last4: card.last4, expMonth: card.expMonth, expYear: card.expYear });
  }
  if (runs && cancelAtPeriodEnd && currentPeriodEnd !== null) {
    notices.push({ key: `cancelled:${current.id}:${current.canceledAt}`, kind: "cancelled", endsAt: currentPeriodEnd });
  }
  const endedLately = status === "canceled" && (currentPeriodEnd ?? now) > now - NEWS_MS;
  if (endedLately && customer.invoices.some((paid) => paid.subscriptionId === current.id && paid.status === "paid")) {
    notices.push({ key: `ended:${current.id}`, kind: "ended" });
  }
  return notices;
}

type Account = {
  status: SubscriptionStatus | null;
  trialEndsAt: number | null;
  firstPaidAt: number | null;
  currentPeriodEnd: number | null;
  cancelAtPeriodEnd: boolean | null;
  amountDue: number | null;
  customerId: string | null;
  cardBrand: string | null;
  cardLast4: string | null;
  cardExpMonth: number | null;
  cardExpYear: number | null;
};

type Invoice = {
  id: string;
  number: string | null;
  description: string;
  amount: number;
  taxAmount: number | null;
  status: BillingStatus;
  createdAt: number;
};

export type SubscriptionView = ReturnType<typeof toSubscriptionView>;

const BRANDS: Record<string, string> = { visa: "Visa", mastercard: "Mastercard", amex: "American Express" };

function toneOf(status: SubscriptionStatus): "verified" | "pending" | "review" | "neutral" {
  if (isLiveStatus(status)) return "verified";
  if (status === "incomplete" || status === "past_due") return "pending";
  return status === "canceled" ? "neutral" : "review";
}

/** What the person can do to get a live subscription: start, continue its first payment, or pay the open invoice. */
function stepOf(status: SubscriptionStatus | null): "subscribe" | "continue" | "pay" | null {
  if (isLiveStatus(status) || status === "paused") return null;
  if (owesInvoice(status)) return "pay";
  return status === "incomplete" ? "continue" : "subscribe";
}

/** A person who only looked at the payment form has not subscribed: their attempt shows no status and no debt. */
const shownStatus = ({ status, firstPaidAt }: Account): SubscriptionStatus | null =>
  firstPaidAt === null && isUnpaidAttempt(status) ? null : status;

/** The subscription page as text. `now` is epoch milliseconds. */
export function toSubscriptionView(
  account: Account,
  invoices: readonly Invoice[],
  { now, timeZone, canWrite }: { now: number; timeZone: string; canWrite: boolean },
) {
  const { trialEndsAt, firstPaidAt, currentPeriodEnd, cardLast4, cardExpMonth, cardExpYear } = account;
  const status = shownStatus(account);
  const day = (ms: number) => ({ iso: toIso(ms), text: formatDate(ms, timeZone) });
  const neverPaid = firstPaidAt === null && !isLiveStatus(status) && !owesInvoice(status);
  const endsAtPeriodEnd = account.cancelAtPeriodEnd === true && cancellationOf(status) === "at_period_end";
  const runs = isLiveStatus(status) || owesInvoice(status);
  const card =
    cardLast4 !== null && cardExpMonth !== null && cardExpYear !== null
      ? {
          name: `${BRANDS[account.cardBrand ?? ""] ?? "Card"} ending in ${cardLast4}`,
          expires: `${String(cardExpMonth).padStart(2, "0")}/${cardExpYear}`,
          isExpiring: runs && isCardExpiring({ expMonth: cardExpMonth, expYear: cardExpYear }, currentPeriodEnd, now),
        }
      : null;
  return {
    canWrite,
    status: status && { name: status, text: STATUS_TEXT[status], tone: toneOf(status) },
    trial: neverPaid && trialEndsAt !== null ? { ...day(trialEndsAt), isOver: trialEndsAt <= now } : null,
    step: canWrite ? stepOf(status) : null,
    periodEnd: runs && currentPeriodEnd !== null ? day(currentPeriodEnd) : null,
    endsAtPeriodEnd,
    amountDue: owesInvoice(status) && account.amountDue !== null ? formatAud(account.amountDue) : null,
    canCancel: canWrite && cancellationOf(status) !== null && !endsAtPeriodEnd,
    endsNow: cancellationOf(status) === "now",
    canResume: canWrite && endsAtPeriodEnd,
    hasPortal: canWrite && account.customerId !== null && status !== null,
    card,
    invoices: (neverPaid ? [] : invoices).map(
      ({ id, number, description, amount, taxAmount, status: paid, createdAt }) => ({
        id,
        number: number ?? "",
        description,
        status: paid,
        amount: formatAud(amount),
        taxAmount: formatAud(taxAmount ?? 0),
        date: day(createdAt),
      }),
    ),
  };
}
