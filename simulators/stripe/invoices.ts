import type { Desk } from "./desk";
import { invalid } from "./errors";
import type { Invoice, PaymentMethod, Subscription, SubscriptionStatus } from "./objects";
import { attemptPayment, createPayment } from "./payments";
import { taxRateOf, UNIT_AMOUNT } from "./state";
import { view } from "./views";

/** Invoices: how they are made, paid and voided, and how their subscription follows. */

/** A draft for the subscription's current period. */
export function createInvoice(desk: Desk, subscription: Subscription, reason: Invoice["billing_reason"]): Invoice {
  const item = itemOf(subscription);
  const now = desk.nowOf(subscription.customer);
  const rates = subscription.default_tax_rates.map(taxRateOf);
  const tax = rates.length > 0 ? Math.round(UNIT_AMOUNT / 11) : 0;
  const invoice: Invoice = {
    id: desk.newId("in"),
    object: "invoice",
    created: now,
    customer: subscription.customer,
    currency: "aud",
    number: null,
    status: "draft",
    billing_reason: reason,
    collection_method: "charge_automatically",
    amount_due: UNIT_AMOUNT,
    amount_paid: 0,
    amount_remaining: UNIT_AMOUNT,
    subtotal: UNIT_AMOUNT,
    subtotal_excluding_tax: UNIT_AMOUNT - tax,
    total: UNIT_AMOUNT,
    total_excluding_tax: UNIT_AMOUNT - tax,
    total_taxes: rates.map(({ id }) => taxLine(id, tax)),
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    next_payment_attempt: null,
    period_start: item.current_period_start,
    period_end: item.current_period_end,
    hosted_invoice_url: null,
    invoice_pdf: null,
    parent: {
      type: "subscription_details",
      quote_details: null,
      subscription_details: { subscription: subscription.id, metadata: subscription.metadata },
    },
    status_transitions: { finalized_at: null, paid_at: null, voided_at: null, marked_uncollectible_at: null },
    metadata: {},
    test_clock: subscription.test_clock,
    livemode: false,
    payment: null,
  };
  desk.state.invoices[invoice.id] = invoice;
  subscription.latest_invoice = invoice.id;
  tell(desk, "invoice.created", invoice);
  return invoice;
}

const taxLine = (rateId: string, amount: number): Invoice["total_taxes"][number] => ({
  amount,
  tax_behavior: "inclusive",
  taxability_reason: "standard_rated",
  taxable_amount: UNIT_AMOUNT - amount,
  tax_rate_details: { tax_rate: rateId },
  type: "tax_rate_details",
});

export function finalizeInvoice(desk: Desk, invoice: Invoice): void {
  if (invoice.status !== "draft") throw invalid("This invoice is already finalized.", "invoice_not_editable");
  desk.state.invoiceNumbers += 1;
  Object.assign(invoice, {
    status: "open",
    number: `PAYEE-${String(desk.state.invoiceNumbers).padStart(4, "0")}`,
    hosted_invoice_url: `${desk.base}/invoice/${invoice.id}`,
    invoice_pdf: `${desk.base}/invoice/${invoice.id}/pdf`,
  });
  invoice.status_transitions.finalized_at = desk.nowOf(invoice.customer);
  invoice.payment = createPayment(desk, invoice).id;
  tell(desk, "invoice.finalized", invoice);
}

export function subscriptionOf(desk: Desk, invoice: Invoice): Subscription {
  const { subscription: id } = invoice.parent.subscription_details;
  const subscription = desk.state.subscriptions[id];
  if (!subscription) throw new Error(`invoice ${invoice.id} without its subscription`);
  return subscription;
}

export const itemOf = (subscription: Subscription) => {
  const [item] = subscription.items;
  if (!item) throw new Error(`subscription ${subscription.id} without an item`);
  return item;
};

type How = { offSession: boolean; isRetry?: boolean; returnUrl?: string | null; authenticated?: boolean };

/** Tries to pay an open invoice with a card and lets the subscription follow. */
export function payInvoice(desk: Desk, invoice: Invoice, method: PaymentMethod, how: How) {
  if (invoice.status === "paid") throw invalid("Invoice is already paid", "invoice_already_paid");
  const payment = invoice.payment ? desk.state.paymentIntents[invoice.payment] : undefined;
  if (invoice.status !== "open" || !payment) throw invalid(`The invoice is ${invoice.status}.`, "invoice_not_open");
  const attempt = attemptPayment(desk, payment, method, how);
  settleInvoice(desk, invoice, attempt, how.isRetry ?? false);
  return { attempt, payment };
}

/** Lets invoice and subscription follow the end of a payment. */
export function settleInvoice(
  desk: Desk,
  invoice: Invoice,
  attempt: "succeeded" | "requires_action" | "declined",
  isRetry = false,
): void {
  const subscription = subscriptionOf(desk, invoice);
  const now = desk.nowOf(invoice.customer);
  invoice.attempted = true;
  if (isRetry || invoice.attempt_count === 0) invoice.attempt_count += 1;
  if (attempt === "succeeded") {
    Object.assign(invoice, {
      status: "paid",
      amount_paid: invoice.amount_due,
      amount_remaining: 0,
      next_payment_attempt: null,
    });
    invoice.status_transitions.paid_at = now;
    const payment = invoice.payment ? desk.state.paymentIntents[invoice.payment] : undefined;
    if (subscription.payment_settings.save_default_payment_method === "on_subscription" && payment?.payment_method) {
      subscription.default_payment_method = payment.payment_method;
    }
    tell(desk, "invoice.paid", invoice);
    tell(desk, "invoice.payment_succeeded", invoice);
    const isOver = subscription.status === "canceled" || subscription.status === "incomplete_expired";
    if (subscription.latest_invoice === invoice.id && !isOver) changeStatus(desk, subscription, "active");
    return;
  }
  if (attempt === "requires_action") tell(desk, "invoice.payment_action_required", invoice);
  else tell(desk, "invoice.payment_failed", invoice);
}

export function voidInvoice(desk: Desk, invoice: Invoice): void {
  if (invoice.status !== "open" && invoice.status !== "uncollectible") {
    throw invalid(
      `You can only void open or uncollectible invoices. This invoice is ${invoice.status}.`,
      "invoice_not_open",
    );
  }
  closePayment(desk, invoice);
  Object.assign(invoice, { status: "void", next_payment_attempt: null });
  invoice.status_transitions.voided_at = desk.nowOf(invoice.customer);
  tell(desk, "invoice.voided", invoice);
  const subscription = subscriptionOf(desk, invoice);
  if (subscription.status === "incomplete") expire(desk, subscription);
}

export function closePayment(desk: Desk, invoice: Invoice): void {
  const payment = invoice.payment ? desk.state.paymentIntents[invoice.payment] : undefined;
  if (!payment || payment.status === "succeeded") return;
  Object.assign(payment, { status: "canceled", next_action: null });
  desk.events.emit("payment_intent.canceled", view(desk, payment), desk.nowOf(invoice.customer));
}

export function expire(desk: Desk, subscription: Subscription): void {
  subscription.ended_at = desk.nowOf(subscription.customer);
  changeStatus(desk, subscription, "incomplete_expired");
}

export function invoicesOf(desk: Desk, subscription: Subscription): Invoice[] {
  return Object.values(desk.state.invoices).filter(
    (invoice) => invoice.parent.subscription_details.subscription === subscription.id,
  );
}

export function changeStatus(desk: Desk, subscription: Subscription, status: SubscriptionStatus): void {
  subscription.status = status;
  tell(desk, "customer.subscription.updated", subscription);
}

export function tell(desk: Desk, type: string, object: Subscription | Invoice): void {
  desk.events.emit(type, view(desk, object), desk.nowOf(object.customer));
}
