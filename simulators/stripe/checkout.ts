import { type Desk, find } from "./desk";
import { Refusal } from "./errors";
import { payInvoice, settleInvoice } from "./invoices";
import type { CheckoutSession, Invoice, PaymentIntent, PaymentMethod } from "./objects";
import { attemptPayment, decline, refusalOf } from "./payments";
import { openSubscription } from "./subscriptions";
import type { Behaviour } from "./test-cards";
import { view } from "./views";

/** What happens on the hosted pages when a person pays. */

/** Pays a checkout with a card; "bank" when its bank must be asked first. @throws Refusal card_error */
export function payCheckout(desk: Desk, session: CheckoutSession, method: PaymentMethod): "paid" | "bank" {
  const behaviour = method.behaviour as Behaviour;
  if (behaviour === "authenticate_once" || behaviour === "authenticate_always") {
    session.waitingCard = method.id;
    return "bank";
  }
  const refused = refusalOf(behaviour, "charge");
  if (refused) throw new Refusal(402, "card_error", refused.message, refused);
  completeCheckout(desk, session, method);
  return "paid";
}

/** The subscription is made only now that the money is certain. */
export function completeCheckout(desk: Desk, session: CheckoutSession, method: PaymentMethod): void {
  const { subscription, invoice } = openSubscription(desk, {
    customer: session.customer,
    price: session.order.price,
    taxRates: session.order.taxRates,
    metadata: session.order.metadata,
    saveCard: true,
    defaultPaymentMethod: null,
  });
  payInvoice(desk, invoice, method, { offSession: false, authenticated: true });
  Object.assign(session, {
    status: "complete",
    payment_status: "paid",
    subscription: subscription.id,
    invoice: invoice.id,
    url: null,
    waitingCard: null,
  });
  desk.events.emit("checkout.session.completed", view(desk, session), desk.nowOf(session.customer));
}

/** The bank's answer to a payment that waits for it. */
export function answerBank(desk: Desk, payment: PaymentIntent, isConfirmed: boolean): void {
  const invoice = find(desk, "invoices", payment.invoice);
  const method = find(desk, "paymentMethods", payment.payment_method ?? "");
  if (payment.status !== "requires_action") return;
  if (isConfirmed) {
    settleInvoice(desk, invoice, attemptPayment(desk, payment, method, { offSession: false, authenticated: true }));
    return;
  }
  decline(desk, payment, method, {
    type: "card_error",
    code: "payment_intent_authentication_failure",
    message:
      "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
  });
  settleInvoice(desk, invoice, "declined");
}

/** Where a person goes after the bank: the merchant's address with what the provider adds to it. */
export function returnAddress(payment: PaymentIntent, returnUrl: string): string {
  const url = new URL(returnUrl);
  url.searchParams.set("payment_intent", payment.id);
  url.searchParams.set("payment_intent_client_secret", payment.client_secret);
  url.searchParams.set("redirect_status", payment.status === "succeeded" ? "succeeded" : "failed");
  return url.toString();
}

export const isPayable = (invoice: Invoice) => invoice.status === "open" && invoice.payment !== null;
