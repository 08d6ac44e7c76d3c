import { DAY_MS } from "~/kernel/dates";
import type { CustomerTruth } from "~/ports/cards";
import { type BillingState, chooseSubscription, openInvoiceOf } from "./billing-state";
import { isLiveStatus, owesInvoice } from "./subscription-status";

/** An email about money that is due. The key says what it is about: each is sent once. */
export type Notice = { key: string } & (
  | { kind: "payment_failed"; amount: number; status: "past_due" | "unpaid" }
  | { kind: "card_expiring"; last4: string; expMonth: number; expYear: number }
  | { kind: "cancelled"; endsAt: number }
  | { kind: "ended" }
);

/** How long before its last day people are told that a card runs out. */
const CARD_WARNING_MS = 30 * DAY_MS;
/** What ended longer ago is not news, e.g. when an organisation is read for the first time. */
const NEWS_MS = 7 * DAY_MS;

/** The first instant at which a card no longer works: it is good to the end of its month. UTC. */
export const cardEndsAt = (card: { expMonth: number; expYear: number }): number =>
  Date.UTC(card.expYear, card.expMonth, 1);

/** Whether a card runs out soon, or before the next charge. */
export function isCardExpiring(
  card: { expMonth: number; expYear: number },
  nextChargeAt: number | null,
  now: number,
): boolean {
  const endsAt = cardEndsAt(card);
  return endsAt <= now + CARD_WARNING_MS || (nextChargeAt !== null && endsAt <= nextChargeAt);
}

/** Which emails the state of the subscription calls for; those that were already sent are left out later. */
export function dueNotices(truth: CustomerTruth, state: BillingState, now: number): Notice[] {
  const current = chooseSubscription(truth.subscriptions);
  if (!current) return [];
  const notices: Notice[] = [];
  const { status } = current;
  const invoice = openInvoiceOf(truth.invoices, current.id);
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
  if (endedLately && truth.invoices.some((paid) => paid.subscriptionId === current.id && paid.status === "paid")) {
    notices.push({ key: `ended:${current.id}`, kind: "ended" });
  }
  return notices;
}
