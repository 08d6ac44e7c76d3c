import type { Route } from "../routes";
import { typedCard } from "./api-customers";
import { type Desk, find } from "./desk";
import { endpoint } from "./endpoint";
import { invalid, missing, noSuch, Refusal } from "./errors";
import { type Params, textAt } from "./form";
import { finalizeInvoice, payInvoice, subscriptionOf, voidInvoice } from "./invoices";
import { LIST_TAKES, listPage, matching } from "./lists";
import type { PaymentIntent, Refund } from "./objects";
import { createPaymentMethod, namedPaymentMethod } from "./payments";
import { present, view } from "./views";

export function paymentRoutes(desk: Desk): Route[] {
  const { state } = desk;

  return [
    listInvoices(desk),
    endpoint(desk, {
      method: "GET",
      pattern: "/invoices/:id",
      takes: [],
      run: ({ path }) => find(desk, "invoices", path.id ?? ""),
    }),
    finalize(desk),
    voidOne(desk),
    pay(desk),
    endpoint(desk, {
      method: "GET",
      pattern: "/payment_intents/:id",
      takes: ["client_secret"],
      forBrowser: true,
      run: ({ path, params }, { request }) =>
        findPayment(desk, path.id ?? "", params, request.headers.get("authorization")),
    }),
    confirmPayment(desk),
    endpoint(desk, {
      method: "GET",
      pattern: "/charges",
      takes: [...LIST_TAKES, "customer", "payment_intent"],
      run: (asked) =>
        listPage(desk, matching(state.charges, asked, "customer", "payment_intent"), asked, "/v1/charges"),
    }),
    endpoint(desk, {
      method: "GET",
      pattern: "/charges/:id",
      takes: [],
      run: ({ path }) => find(desk, "charges", path.id ?? ""),
    }),
    createRefund(desk),
  ];
}

function listInvoices(desk: Desk): Route {
  return endpoint(desk, {
    method: "GET",
    pattern: "/invoices",
    takes: [...LIST_TAKES, "customer", "status", "subscription"],
    run(asked) {
      const wanted = textAt(asked.params, "subscription");
      const rows = matching(desk.state.invoices, asked, "customer", "status").filter(
        (row) => wanted === undefined || row.parent.subscription_details.subscription === wanted,
      );
      return listPage(desk, rows, asked, "/v1/invoices");
    },
  });
}

function finalize(desk: Desk): Route {
  return endpoint(desk, {
    method: "POST",
    pattern: "/invoices/:id/finalize",
    takes: ["auto_advance"],
    run({ path }) {
      const invoice = find(desk, "invoices", path.id ?? "");
      finalizeInvoice(desk, invoice);
      return invoice;
    },
  });
}

function voidOne(desk: Desk): Route {
  return endpoint(desk, {
    method: "POST",
    pattern: "/invoices/:id/void",
    takes: [],
    run({ path }) {
      const invoice = find(desk, "invoices", path.id ?? "");
      voidInvoice(desk, invoice);
      return invoice;
    },
  });
}

function pay(desk: Desk): Route {
  return endpoint(desk, {
    method: "POST",
    pattern: "/invoices/:id/pay",
    takes: ["payment_method", "off_session"],
    run({ params, path }) {
      const invoice = find(desk, "invoices", path.id ?? "");
      const id =
        textAt(params, "payment_method") ??
        subscriptionOf(desk, invoice).default_payment_method ??
        desk.state.customers[invoice.customer]?.invoice_settings.default_payment_method;
      if (!id)
        throw invalid("There is no `default_payment_method` set on this Customer or Invoice.", "resource_missing");
      const paid = payInvoice(desk, invoice, namedPaymentMethod(desk, id), { offSession: true });
      if (paid.attempt !== "succeeded") throw cardError(desk, paid.payment);
      return invoice;
    },
  });
}

function confirmPayment(desk: Desk): Route {
  return endpoint(desk, {
    method: "POST",
    pattern: "/payment_intents/:id/confirm",
    takes: ["client_secret", "payment_method", "payment_method_data", "return_url"],
    forBrowser: true,
    run({ path, params }, { request }) {
      const intent = findPayment(desk, path.id ?? "", params, request.headers.get("authorization"));
      if (intent.status !== "requires_payment_method" && intent.status !== "requires_action") {
        throw invalid(`This PaymentIntent's status is ${intent.status}.`, "payment_intent_unexpected_state");
      }
      const id = textAt(params, "payment_method");
      if (!id && typeof params.payment_method_data !== "object") throw missing("payment_method");
      const method = id
        ? namedPaymentMethod(desk, id)
        : createPaymentMethod(desk, typedCard(params, "payment_method_data", "card"));
      const invoice = find(desk, "invoices", intent.invoice);
      const { attempt } = payInvoice(desk, invoice, method, {
        offSession: false,
        returnUrl: textAt(params, "return_url"),
      });
      if (attempt === "declined") throw cardError(desk, intent);
      return intent;
    },
  });
}

function createRefund(desk: Desk): Route {
  return endpoint(desk, {
    method: "POST",
    pattern: "/refunds",
    takes: ["charge", "payment_intent", "amount", "reason", "metadata"],
    run({ params }) {
      const intentId = textAt(params, "payment_intent");
      const chargeId = textAt(params, "charge") ?? (intentId && find(desk, "paymentIntents", intentId).latest_charge);
      if (!chargeId) throw missing("charge");
      return refund(desk, chargeId, Number(textAt(params, "amount") ?? Number.NaN), textAt(params, "reason") ?? null);
    },
  });
}

/** A payment by id; the browser must also know its secret. */
function findPayment(desk: Desk, id: string, params: Params, authorization: string | null): PaymentIntent {
  const found = find(desk, "paymentIntents", id, "intent");
  const isBrowser = authorization?.startsWith("Bearer pk_");
  if (isBrowser && textAt(params, "client_secret") !== found.client_secret)
    throw noSuch("payment_intent", id, "intent");
  return found;
}

function cardError(desk: Desk, intent: PaymentIntent): Refusal {
  const error = intent.last_payment_error;
  const { code = "card_declined", decline_code, message = "Your card was declined." } = error ?? {};
  return new Refusal(402, "card_error", message, { code, decline_code, payment_intent: present(desk, intent) });
}

function refund(desk: Desk, chargeId: string, amount: number, reason: string | null): Refund {
  const charge = find(desk, "charges", chargeId, "charge");
  const wanted = Number.isNaN(amount) ? charge.amount - charge.amount_refunded : amount;
  if (charge.status !== "succeeded" || wanted <= 0 || wanted > charge.amount - charge.amount_refunded) {
    throw invalid(`Charge ${charge.id} has already been refunded.`, "charge_already_refunded");
  }
  const made: Refund = {
    id: desk.newId("re"),
    object: "refund",
    created: desk.nowOf(charge.customer),
    amount: wanted,
    currency: "aud",
    charge: charge.id,
    payment_intent: charge.payment_intent,
    status: "succeeded",
    reason,
    metadata: {},
  };
  desk.state.refunds[made.id] = made;
  charge.amount_refunded += wanted;
  charge.refunded = charge.amount_refunded === charge.amount;
  desk.events.emit("charge.refunded", view(desk, charge), made.created);
  desk.events.emit("refund.created", { ...made, customer: charge.customer }, made.created);
  return made;
}
