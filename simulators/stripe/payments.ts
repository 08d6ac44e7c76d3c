import { type Desk, find } from "./desk";
import { invalid, Refusal } from "./errors";
import type { CardError, Charge, Invoice, PaymentIntent, PaymentMethod } from "./objects";
import { type Behaviour, DECLINES, READY_MADE, readCard, type TypedCard } from "./test-cards";
import { view } from "./views";

/** How an attempt to take money ended. */
export type Attempt = "succeeded" | "requires_action" | "declined";

export function createPaymentMethod(desk: Desk, typed: TypedCard): PaymentMethod {
  const now = desk.nowOf();
  const { behaviour, card } = readCard(typed, now);
  const method: PaymentMethod = {
    id: desk.newId("pm"),
    object: "payment_method",
    type: "card",
    created: now,
    customer: null,
    card,
    livemode: false,
    behaviour,
  };
  desk.state.paymentMethods[method.id] = method;
  return method;
}

/** A payment method by its id, or a fresh one for the name of a ready-made card. */
export function namedPaymentMethod(desk: Desk, id: string): PaymentMethod {
  const number = READY_MADE[id];
  if (!number) return find(desk, "paymentMethods", id, "payment_method");
  return createPaymentMethod(desk, { number, expMonth: 12, expYear: 2034, cvc: "314" });
}

export function attachPaymentMethod(desk: Desk, method: PaymentMethod, customer: string): void {
  if (method.customer === customer) return;
  if (method.customer) throw invalid("The payment method you provided has already been attached to a customer.");
  const refused = refusalOf(method.behaviour as Behaviour);
  if (refused) throw new Refusal(402, "card_error", refused.message, refused);
  method.customer = customer;
  desk.events.emit("payment_method.attached", view(desk, method), desk.nowOf(customer));
}

export function createPayment(desk: Desk, invoice: Invoice): PaymentIntent {
  const id = desk.newId("pi");
  const payment: PaymentIntent = {
    id,
    object: "payment_intent",
    created: desk.nowOf(invoice.customer),
    amount: invoice.amount_due,
    currency: "aud",
    customer: invoice.customer,
    client_secret: `${id}_secret_${desk.context.randomId().replaceAll("-", "")}`,
    status: "requires_payment_method",
    payment_method: null,
    latest_charge: null,
    last_payment_error: null,
    next_action: null,
    metadata: {},
    livemode: false,
    invoice: invoice.id,
  };
  desk.state.paymentIntents[id] = payment;
  desk.events.emit("payment_intent.created", view(desk, payment), payment.created);
  return payment;
}

type How = { offSession: boolean; returnUrl?: string | null; authenticated?: boolean };

/** Tries to take the money of one payment with one card. The caller settles the invoice. */
export function attemptPayment(desk: Desk, payment: PaymentIntent, method: PaymentMethod, how: How): Attempt {
  const behaviour = method.behaviour as Behaviour;
  const asks =
    !how.authenticated &&
    (behaviour === "authenticate_always" || (behaviour === "authenticate_once" && method.customer === null));
  if (asks && !how.offSession) return askBank(desk, payment, method, how.returnUrl ?? null);
  const refused = asks ? refusalOf("authentication_required") : refusalOf(behaviour, "charge");
  if (refused) return decline(desk, payment, method, refused);
  method.customer = payment.customer;
  const charge = createCharge(desk, payment, method);
  Object.assign(payment, {
    status: "succeeded",
    payment_method: method.id,
    latest_charge: charge.id,
    last_payment_error: null,
    next_action: null,
  });
  desk.events.emit("charge.succeeded", view(desk, charge), charge.created);
  desk.events.emit("payment_intent.succeeded", view(desk, payment), charge.created);
  return "succeeded";
}

function askBank(desk: Desk, payment: PaymentIntent, method: PaymentMethod, returnUrl: string | null): Attempt {
  Object.assign(payment, {
    status: "requires_action",
    payment_method: method.id,
    last_payment_error: null,
    next_action: {
      type: "redirect_to_url",
      redirect_to_url: {
        url: `${desk.base}/bank/${payment.id}?secret=${payment.client_secret}`,
        return_url: returnUrl,
      },
    },
  });
  desk.events.emit("payment_intent.requires_action", view(desk, payment), desk.nowOf(payment.customer));
  return "requires_action";
}

/** After a declined attempt there is a failed charge, and the payment can be tried with another card. */
export function decline(desk: Desk, payment: PaymentIntent, method: PaymentMethod, error: CardError): Attempt {
  const charge = createCharge(desk, payment, method, error);
  Object.assign(payment, {
    status: "requires_payment_method",
    payment_method: null,
    latest_charge: charge.id,
    last_payment_error: { ...error, payment_method: method.id },
    next_action: null,
  });
  desk.events.emit("charge.failed", view(desk, charge), charge.created);
  desk.events.emit("payment_intent.payment_failed", view(desk, payment), charge.created);
  return "declined";
}

function createCharge(desk: Desk, payment: PaymentIntent, method: PaymentMethod, error?: CardError): Charge {
  const charge: Charge = {
    id: desk.newId("ch"),
    object: "charge",
    created: desk.nowOf(payment.customer),
    amount: payment.amount,
    amount_refunded: 0,
    currency: "aud",
    customer: payment.customer,
    payment_intent: payment.id,
    payment_method: method.id,
    status: error ? "failed" : "succeeded",
    paid: !error,
    refunded: false,
    disputed: false,
    failure_code: error?.code ?? null,
    failure_message: error?.message ?? null,
    description: "Subscription payment",
    metadata: {},
    livemode: false,
  };
  desk.state.charges[charge.id] = charge;
  return charge;
}

/** Why a card is refused when it is saved, or (with "charge") when it is charged. */
export function refusalOf(behaviour: Behaviour, when: "save" | "charge" = "save"): CardError | undefined {
  const decline = behaviour === "fails_later" && when === "charge" ? "generic_decline" : behaviour;
  if (!Object.hasOwn(DECLINES, decline)) return undefined;
  const { code, message } = DECLINES[decline as keyof typeof DECLINES];
  return { type: "card_error", code, message, ...(code === "card_declined" && { decline_code: decline }) };
}
