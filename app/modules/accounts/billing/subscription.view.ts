import { formatDate, toIso } from "~/kernel/dates";
import type { BillingStatus, SubscriptionStatus } from "~/kernel/enums";
import { formatAud } from "~/kernel/money";
import { isCardExpiring } from "./notices";
import { cancellationOf, isLiveStatus, isUnpaidAttempt, owesInvoice, STATUS_TEXT } from "./subscription-status";

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

export type StatusTone = "verified" | "pending" | "review" | "neutral";

function toneOf(status: SubscriptionStatus): StatusTone {
  if (isLiveStatus(status)) return "verified";
  if (status === "incomplete" || status === "past_due") return "pending";
  return status === "canceled" ? "neutral" : "review";
}

/** What the person can do towards a live subscription: begin one, go on with its first payment, or pay what is open. */
function stepOf(status: SubscriptionStatus | null): "subscribe" | "continue" | "pay" | null {
  if (isLiveStatus(status) || status === "paused") return null;
  if (owesInvoice(status)) return "pay";
  return status === "incomplete" ? "continue" : "subscribe";
}

/** A person who only looked at the payment form has not subscribed: their attempt is no status and no debt. */
const shownStatus = ({ status, firstPaidAt }: Account): SubscriptionStatus | null =>
  firstPaidAt === null && isUnpaidAttempt(status) ? null : status;

/** The subscription page, in words. `now` is epoch milliseconds. */
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
