import type { billingRecords } from "@db/database";
import { formatDate } from "~/kernel/dates";
import type { BillingStatus, SubscriptionStatus } from "~/kernel/enums";
import type {
  CardOnFile,
  CustomerState,
  ProviderCharge,
  ProviderInvoice,
  ProviderRefund,
  ProviderSubscription,
} from "~/ports/cards";
import { isEndedStatus, isLiveStatus, owesInvoice, PLAN } from "./subscription";

/** The part of the provider's data about an organisation that we store. */
export type BillingState = {
  subscriptionId: string | null;
  status: SubscriptionStatus | null;
  currentPeriodEnd: number | null;
  cancelAtPeriodEnd: boolean;
  /** Cents of the open invoice; null when there is none. */
  amountDue: number | null;
  /** When the first invoice above zero was paid; null: never. */
  firstPaidAt: number | null;
  card: Pick<CardOnFile, "brand" | "last4" | "expMonth" | "expYear"> | null;
};

const PREFERENCE: readonly ((status: SubscriptionStatus) => boolean)[] = [
  isLiveStatus,
  owesInvoice,
  (status) => !isEndedStatus(status),
  isEndedStatus,
];

/**
 * Chooses the subscription that counts: a live one, otherwise one with an unpaid invoice, otherwise one being started,
 * otherwise the newest ended one. If several are live, which only the provider's staff can cause, the oldest. Ties
 * within one second are broken by id, so that the order in which the provider lists them does not matter.
 */
export function chooseSubscription(subscriptions: readonly ProviderSubscription[]): ProviderSubscription | undefined {
  for (const fits of PREFERENCE) {
    const found = subscriptions
      .filter(({ status }) => fits(status))
      .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
    if (found.length > 0) return fits === isLiveStatus ? found[0] : found.at(-1);
  }
  return undefined;
}

/** The newest unpaid invoice of a subscription. */
export function openInvoiceOf(invoices: readonly ProviderInvoice[], subscriptionId: string | undefined) {
  return invoices
    .filter((invoice) => invoice.status === "open" && invoice.subscriptionId === subscriptionId)
    .sort((a, b) => b.createdAt - a.createdAt)[0];
}

/**
 * Chooses the card that pays: the one saved last; if two were saved in the same second, the customer's. The provider's
 * portal saves a card to the customer, a first payment saves one to the subscription, and the provider would prefer the
 * subscription's, however old.
 */
function chooseCard(customer: CustomerState, current: ProviderSubscription | undefined): CardOnFile | null {
  const own = current?.card ?? null;
  if (!own || !customer.card) return own ?? customer.card;
  return customer.card.savedAt >= own.savedAt ? customer.card : own;
}

/** The newer card of the customer that a subscription must be switched to, if any. */
export function cardToMove(customer: CustomerState): { subscriptionId: string; cardId: string } | undefined {
  const current = chooseSubscription(customer.subscriptions);
  if (!current || isEndedStatus(current.status) || !current.card) return undefined;
  const card = chooseCard(customer, current);
  return card && card.id !== current.card.id ? { subscriptionId: current.id, cardId: card.id } : undefined;
}

function firstPaymentOf(invoices: readonly ProviderInvoice[]): number | null {
  const paid = invoices.filter(({ status, amount }) => status === "paid" && amount > 0);
  return paid.length === 0 ? null : Math.min(...paid.map(({ paidAt, createdAt }) => paidAt ?? createdAt));
}

export function toBillingState(customer: CustomerState): BillingState {
  const current = chooseSubscription(customer.subscriptions);
  const card = chooseCard(customer, current);
  return {
    subscriptionId: current?.id ?? null,
    status: current?.status ?? null,
    currentPeriodEnd: current?.currentPeriodEnd ?? null,
    cancelAtPeriodEnd: current?.cancelAtPeriodEnd ?? false,
    amountDue: openInvoiceOf(customer.invoices, current?.id)?.amountDue ?? null,
    firstPaidAt: firstPaymentOf(customer.invoices),
    card: card && { brand: card.brand, last4: card.last4, expMonth: card.expMonth, expYear: card.expYear },
  };
}

/** One line of the ledger: an object at the provider, by its kind and id. */
export type LedgerLine = Omit<typeof billingRecords.$inferSelect, "id" | "organizationId" | "updatedAt">;

const INVOICE_STATUS: Record<Exclude<ProviderInvoice["status"], "draft">, BillingStatus> = {
  open: "open",
  paid: "paid",
  void: "void",
  uncollectible: "failed",
};

const REFUND_STATUS: Record<ProviderRefund["status"], BillingStatus> = {
  pending: "open",
  succeeded: "refunded",
  failed: "failed",
  canceled: "void",
};

const SUBSCRIPTION_STATUS: Record<SubscriptionStatus, BillingStatus> = {
  active: "paid",
  trialing: "paid",
  incomplete: "open",
  past_due: "open",
  paused: "open",
  unpaid: "failed",
  incomplete_expired: "failed",
  canceled: "void",
};

function chargeStatus({ status, isRefunded }: ProviderCharge): BillingStatus {
  if (isRefunded) return "refunded";
  return status === "succeeded" ? "paid" : status === "failed" ? "failed" : "open";
}

const none = { taxAmount: null, number: null, paidAt: null };

/** Everything that happened to money, oldest first. Draft invoices are left out. */
export function toLedger(customer: CustomerState): LedgerLine[] {
  const lines: LedgerLine[] = [];
  for (const { id, status, createdAt } of customer.subscriptions) {
    const description = `PayeeProof ${PLAN.name}, monthly`;
    const kind = { type: "subscription", relatedEntityType: "stripe_subscription", relatedEntityId: id } as const;
    lines.push({ ...none, ...kind, amount: PLAN.amount, description, status: SUBSCRIPTION_STATUS[status], createdAt });
  }
  for (const invoice of customer.invoices) {
    if (invoice.status !== "draft") lines.push(invoiceLine({ ...invoice, status: invoice.status }));
  }
  for (const charge of customer.charges) {
    const status = chargeStatus(charge);
    const reason = charge.failureMessage ? `Card payment: ${charge.failureMessage}` : "Card payment";
    lines.push({
      ...none,
      type: "payment",
      relatedEntityType: "stripe_charge",
      relatedEntityId: charge.id,
      amount: charge.amount,
      description: reason,
      status,
      createdAt: charge.createdAt,
      paidAt: charge.status === "succeeded" ? charge.createdAt : null,
    });
    for (const refund of charge.refunds) lines.push(refundLine(refund));
  }
  return lines.sort((a, b) => a.createdAt - b.createdAt);
}

function invoiceLine(invoice: ProviderInvoice & { status: keyof typeof INVOICE_STATUS }): LedgerLine {
  const period = `${formatDate(invoice.periodStart)} to ${formatDate(invoice.periodEnd)}`;
  return {
    type: "invoice",
    relatedEntityType: "stripe_invoice",
    relatedEntityId: invoice.id,
    amount: invoice.amount,
    taxAmount: invoice.taxAmount,
    number: invoice.number,
    description: `PayeeProof ${PLAN.name}, ${period}`,
    status: INVOICE_STATUS[invoice.status],
    createdAt: invoice.createdAt,
    paidAt: invoice.paidAt,
  };
}

function refundLine(refund: ProviderRefund): LedgerLine {
  return {
    ...none,
    type: "refund",
    relatedEntityType: "stripe_refund",
    relatedEntityId: refund.id,
    amount: refund.amount,
    description: "Refund",
    status: REFUND_STATUS[refund.status],
    createdAt: refund.createdAt,
  };
}

type Known = Pick<LedgerLine, "status" | "amount" | "paidAt" | "number"> & {
  relatedEntityType: string | null;
  relatedEntityId: string | null;
};

/** The lines that are new or have changed since they were stored. */
export function changedLines(lines: readonly LedgerLine[], known: readonly Known[]): LedgerLine[] {
  const byId = new Map(known.map((line) => [`${line.relatedEntityType} ${line.relatedEntityId}`, line]));
  return lines.filter((line) => {
    const before = byId.get(`${line.relatedEntityType} ${line.relatedEntityId}`);
    return (
      !before ||
      before.status !== line.status ||
      before.amount !== line.amount ||
      before.paidAt !== line.paidAt ||
      before.number !== line.number
    );
  });
}
