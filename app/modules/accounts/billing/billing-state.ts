import type { SubscriptionStatus } from "~/kernel/enums";
import type { CardOnFile, CustomerTruth, ProviderInvoice, ProviderSubscription } from "~/ports/cards";
import { isLiveStatus, isOverStatus, owesInvoice } from "./subscription-status";

/** What we keep of the provider's truth about an organisation. */
export type BillingState = {
  subscriptionId: string | null;
  status: SubscriptionStatus | null;
  currentPeriodEnd: number | null;
  cancelAtPeriodEnd: boolean;
  /** Cents of the invoice that waits to be paid; null when none does. */
  amountDue: number | null;
  /** When the first invoice with an amount was paid; null: never. */
  firstPaidAt: number | null;
  card: Pick<CardOnFile, "brand" | "last4" | "expMonth" | "expYear"> | null;
};

const PREFERENCE: readonly ((status: SubscriptionStatus) => boolean)[] = [
  isLiveStatus,
  owesInvoice,
  (status) => !isOverStatus(status),
  isOverStatus,
];

/**
 * The one subscription that counts: a live one, else one that owes, else one that is under way, else the newest that is
 * over. Of several live ones, which only the provider's staff can make, the oldest.
 */
export function chooseSubscription(subscriptions: readonly ProviderSubscription[]): ProviderSubscription | undefined {
  for (const fits of PREFERENCE) {
    const found = subscriptions.filter(({ status }) => fits(status)).sort((a, b) => a.createdAt - b.createdAt);
    if (found.length > 0) return fits === isLiveStatus ? found[0] : found.at(-1);
  }
  return undefined;
}

/** The newest invoice of a subscription that still waits for money. */
export function openInvoiceOf(
  invoices: readonly ProviderInvoice[],
  subscriptionId: string | undefined,
): ProviderInvoice | undefined {
  return invoices
    .filter((invoice) => invoice.status === "open" && invoice.subscriptionId === subscriptionId)
    .sort((a, b) => b.createdAt - a.createdAt)[0];
}

/**
 * Which card pays: the one saved last, of two in one second the customer's. The provider's portal saves to the customer, a first payment to the subscription,
 * and the subscription's would go first however old it is.
 */
export function chooseCard(truth: CustomerTruth, current: ProviderSubscription | undefined): CardOnFile | null {
  const own = current?.card ?? null;
  if (!own || !truth.card) return own ?? truth.card;
  return truth.card.savedAt >= own.savedAt ? truth.card : own;
}

/** The card a subscription must be told to use, because a newer one was saved to the customer. */
export function cardToMove(truth: CustomerTruth): { subscriptionId: string; cardId: string } | undefined {
  const current = chooseSubscription(truth.subscriptions);
  if (!current || isOverStatus(current.status) || !current.card) return undefined;
  const card = chooseCard(truth, current);
  return card && card.id !== current.card.id ? { subscriptionId: current.id, cardId: card.id } : undefined;
}

function firstPaymentOf(invoices: readonly ProviderInvoice[]): number | null {
  const paid = invoices.filter(({ status, amount }) => status === "paid" && amount > 0);
  return paid.length === 0 ? null : Math.min(...paid.map(({ paidAt, createdAt }) => paidAt ?? createdAt));
}

export function toBillingState(truth: CustomerTruth): BillingState {
  const current = chooseSubscription(truth.subscriptions);
  const card = chooseCard(truth, current);
  return {
    subscriptionId: current?.id ?? null,
    status: current?.status ?? null,
    currentPeriodEnd: current?.currentPeriodEnd ?? null,
    cancelAtPeriodEnd: current?.cancelAtPeriodEnd ?? false,
    amountDue: openInvoiceOf(truth.invoices, current?.id)?.amountDue ?? null,
    firstPaidAt: firstPaymentOf(truth.invoices),
    card: card && { brand: card.brand, last4: card.last4, expMonth: card.expMonth, expYear: card.expYear },
  };
}
