import type { Desk } from "./desk";
import { Refusal } from "./errors";
import {
  changeStatus,
  closePayment,
  createInvoice,
  expire,
  finalizeInvoice,
  invoicesOf,
  itemOf,
  payInvoice,
  settleInvoice,
  tell,
  voidInvoice,
} from "./invoices";
import type { Invoice, Subscription } from "./objects";

/** Subscriptions and their invoices: what happens when, by the provider's rules. */

export const DAY = 86_400;
/** How long the first payment may take (docs.stripe.com/billing/subscriptions/overview). */
export const FIRST_PAYMENT_WITHIN = 23 * 3_600;
/** When a failed renewal is tried again, counted from the try before; after the last the subscription is unpaid. */
const RETRY_AFTER = [3 * DAY, 5 * DAY, 7 * DAY];

export type Order = {
  customer: string;
  price: string;
  taxRates: string[];
  metadata: Record<string, string>;
  saveCard: boolean;
  defaultPaymentMethod: string | null;
};

/** The same day of the next month, or its last. */
function addMonth(seconds: number, anchor: number): number {
  const from = new Date(seconds * 1000);
  const day = new Date(anchor * 1000).getUTCDate();
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 2, 0)).getUTCDate();
  return from.setUTCFullYear(from.getUTCFullYear(), from.getUTCMonth() + 1, Math.min(day, lastDay)) / 1000;
}

/** A subscription whose first invoice is open: incomplete until it is paid. */
export function openSubscription(desk: Desk, order: Order): { subscription: Subscription; invoice: Invoice } {
  const now = desk.nowOf(order.customer);
  const subscription: Subscription = {
    id: desk.newId("sub"),
    object: "subscription",
    created: now,
    customer: order.customer,
    status: "incomplete",
    currency: "aud",
    collection_method: "charge_automatically",
    billing_cycle_anchor: now,
    start_date: now,
    cancel_at_period_end: false,
    cancel_at: null,
    canceled_at: null,
    ended_at: null,
    trial_end: null,
    default_payment_method: order.defaultPaymentMethod,
    default_tax_rates: order.taxRates,
    latest_invoice: null,
    pending_setup_intent: null,
    payment_settings: { save_default_payment_method: order.saveCard ? "on_subscription" : "off" },
    metadata: order.metadata,
    items: [
      {
        id: desk.newId("si"),
        object: "subscription_item",
        price: order.price,
        quantity: 1,
        current_period_start: now,
        current_period_end: addMonth(now, now),
      },
    ],
    test_clock: desk.state.customers[order.customer]?.test_clock ?? null,
    livemode: false,
  };
  desk.state.subscriptions[subscription.id] = subscription;
  const invoice = createInvoice(desk, subscription, "subscription_create");
  finalizeInvoice(desk, invoice);
  tell(desk, "customer.subscription.created", subscription);
  return { subscription, invoice };
}

/** The first payment was not made in time. */
export function expireIncomplete(desk: Desk, subscription: Subscription): void {
  const invoice = desk.state.invoices[subscription.latest_invoice ?? ""];
  if (invoice?.status === "open") voidInvoice(desk, invoice);
  else expire(desk, subscription);
}

/** Ends a subscription now. Its open invoices stay open, as they do at the provider, but are no longer tried. */
export function cancelNow(desk: Desk, subscription: Subscription): void {
  if (subscription.status === "canceled" || subscription.status === "incomplete_expired") {
    throw new Refusal(404, "invalid_request_error", `No such subscription: '${subscription.id}'`, {
      code: "resource_missing",
      param: "id",
    });
  }
  const now = desk.nowOf(subscription.customer);
  const wasIncomplete = subscription.status === "incomplete";
  Object.assign(subscription, { status: "canceled", canceled_at: subscription.canceled_at ?? now, ended_at: now });
  for (const invoice of invoicesOf(desk, subscription)) {
    if (wasIncomplete && invoice.status === "open") {
      closePayment(desk, invoice);
      invoice.status = "void";
      invoice.status_transitions.voided_at = now;
      tell(desk, "invoice.voided", invoice);
    }
    Object.assign(invoice, { auto_advance: false, next_payment_attempt: null });
  }
  tell(desk, "customer.subscription.deleted", subscription);
}

/** The next period begins: a new invoice, paid with the card on file if it can be. */
export function renew(desk: Desk, subscription: Subscription): void {
  const item = itemOf(subscription);
  item.current_period_start = item.current_period_end;
  item.current_period_end = addMonth(item.current_period_start, subscription.billing_cycle_anchor);
  const wasUnpaid = subscription.status === "unpaid";
  const invoice = createInvoice(desk, subscription, "subscription_cycle");
  tell(desk, "customer.subscription.updated", subscription);
  // While a subscription is unpaid its invoices stay drafts: nobody is charged.
  if (wasUnpaid) {
    invoice.auto_advance = false;
    return;
  }
  finalizeInvoice(desk, invoice);
  collect(desk, subscription, invoice);
}

/** Charges the card on file. A failure starts or continues the schedule of retries. */
export function collect(desk: Desk, subscription: Subscription, invoice: Invoice): void {
  const customer = desk.state.customers[subscription.customer];
  const id = subscription.default_payment_method ?? customer?.invoice_settings.default_payment_method;
  const method = id ? desk.state.paymentMethods[id] : undefined;
  const paid = method && payInvoice(desk, invoice, method, { offSession: true, isRetry: true }).attempt === "succeeded";
  if (paid) return;
  if (!method) settleInvoice(desk, invoice, "declined", true);
  const wait = RETRY_AFTER[invoice.attempt_count - 1];
  invoice.next_payment_attempt = wait === undefined ? null : desk.nowOf(subscription.customer) + wait;
  tell(desk, "invoice.updated", invoice);
  changeStatus(desk, subscription, wait === undefined ? "unpaid" : "past_due");
}
