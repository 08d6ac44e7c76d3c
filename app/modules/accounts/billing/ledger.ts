import { formatDate } from "~/kernel/dates";
import type { BillingStatus, BillingType, SubscriptionStatus } from "~/kernel/enums";
import type { CustomerTruth, ProviderCharge, ProviderInvoice, ProviderRefund } from "~/ports/cards";
import { PLAN } from "./plan";

/** One line of the ledger: a thing at the provider, by its kind and id. */
export type LedgerLine = {
  type: BillingType;
  relatedEntityType: string;
  relatedEntityId: string;
  amount: number;
  taxAmount: number | null;
  number: string | null;
  description: string;
  status: BillingStatus;
  createdAt: number;
  paidAt: number | null;
};

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

/** Everything that happened to money, oldest first. Drafts are not money yet. */
export function toLedger(truth: CustomerTruth): LedgerLine[] {
  const lines: LedgerLine[] = [];
  for (const { id, status, createdAt } of truth.subscriptions) {
    const description = `PayeeProof ${PLAN.name}, monthly`;
    const kind = { type: "subscription", relatedEntityType: "stripe_subscription", relatedEntityId: id } as const;
    lines.push({ ...none, ...kind, amount: PLAN.amount, description, status: SUBSCRIPTION_STATUS[status], createdAt });
  }
  for (const invoice of truth.invoices) {
    if (invoice.status !== "draft") lines.push(invoiceLine({ ...invoice, status: invoice.status }));
  }
  for (const charge of truth.charges) {
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

/** The lines that are new or changed since they were written. */
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
