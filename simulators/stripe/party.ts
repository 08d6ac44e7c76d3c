import { Hono } from "hono";
import { html, page, seeOther } from "../html";
import type { CallEnv, Party, SimulatedCall, SimulatorContext } from "../party";
import { createRoutes, type Route, route } from "../routes";
import { customerRoutes, typedCard } from "./api-customers";
import { sessionRoutes } from "./api-sessions";
import { setCancelAtPeriodEnd, subscriptionRoutes } from "./api-subscriptions";
import { browserScript, elementFrame } from "./browser-script";
import { advanceClock, catchUp, clockOf } from "./clock";
import { createDesk, type Desk, find } from "./desk";
import { browserEndpoint, endpoint, preflight } from "./endpoint";
import { errorAnswer, faultAnswer, invalid, missing, noSuch, Refusal } from "./errors";
import { type Params, textAt } from "./form";
import { hostedRoutes } from "./hosted-pages";
import { finalizeInvoice, itemOf, payInvoice, subscriptionOf, tell, voidInvoice } from "./invoices";
import { LIST_TAKES, listPage, matching, SEARCH_TAKES, searchPage } from "./lists";
import type { Customer, PaymentIntent, PortalSession, Refund, Subscription } from "./objects";
import { cardFields, cardIn, day, dollars, formOf, problemBox } from "./page-parts";
import { attachPaymentMethod, createPaymentMethod, namedPaymentMethod } from "./payments";
import { DAY } from "./subscriptions";
import { present, view } from "./views";

const OVER: ReadonlySet<string> = new Set(["canceled", "incomplete_expired", "incomplete"]);

/** The customer portal: the card on file, cancelling and undoing that, invoices. */
function portalRoutes(desk: Desk): Route[] {
  const sessionOf = (path: Record<string, string>) => find(desk, "portalSessions", path.id ?? "");
  function saveCard(call: SimulatedCall, path: Record<string, string>): Response {
    const session = sessionOf(path);
    const customer = find(desk, "customers", session.customer);
    try {
      const method = createPaymentMethod(desk, cardIn(formOf(call)));
      method.created = desk.nowOf(customer.id);
      attachPaymentMethod(desk, method, customer.id);
      customer.invoice_settings.default_payment_method = method.id;
    } catch (error) {
      if (error instanceof Refusal) return portalPage(desk, session, error.message);
      throw error;
    }
    desk.events.emit("customer.updated", view(desk, customer), desk.nowOf(customer.id));
    desk.context.save();
    return session.flow ? seeOther(session.return_url) : seeOther(`/stripe/portal/${session.id}`);
  }

  function changeSubscription(path: Record<string, string>, atEnd: boolean): Response {
    const session = sessionOf(path);
    for (const subscription of subscriptionsOf(desk, session.customer)) {
      setCancelAtPeriodEnd(desk, subscription, atEnd);
      tell(desk, "customer.subscription.updated", subscription);
    }
    desk.context.save();
    return seeOther(`/stripe/portal/${session.id}`);
  }

  return [
    route("GET", "/portal/:id", (_, path) => portalPage(desk, sessionOf(path))),
    route("POST", "/portal/:id/card", saveCard),
    route("POST", "/portal/:id/cancel", (_, path) => changeSubscription(path, true)),
    route("POST", "/portal/:id/renew", (_, path) => changeSubscription(path, false)),
  ];
}

const subscriptionsOf = (desk: Desk, customer: string) =>
  Object.values(desk.state.subscriptions).filter((row) => row.customer === customer && !OVER.has(row.status));

function portalPage(desk: Desk, session: PortalSession, problem?: string): Response {
  const { customer } = session;
  const method =
    desk.state.paymentMethods[desk.state.customers[customer]?.invoice_settings.default_payment_method ?? ""];
  const invoices = Object.values(desk.state.invoices).filter((row) => row.customer === customer && row.number);
  return page(
    "Customer portal",
    html`<p><a href="${session.return_url}">Return to PayeeProof</a></p>
${problemBox(problem)}
<h2>Payment method</h2>
<p>${method ? `${method.card.brand} ending in ${method.card.last4}, expires ${method.card.exp_month}/${method.card.exp_year}` : "No card on file here."}</p>
<form method="post" action="/stripe/portal/${session.id}/card">${cardFields}<p><button>Save card</button></p></form>
${
  session.flow
    ? undefined
    : html`<h2>Subscription</h2>${subscriptionsOf(desk, customer).map((row) => subscriptionForm(session, row))}
<h2>Invoices</h2><ul>${invoices.map((row) => html`<li><a href="/stripe/invoice/${row.id}">${row.number ?? ""}</a> ${dollars(row.total)} ${row.status}</li>`)}</ul>`
}`,
    problem ? 402 : 200,
  );
}

function subscriptionForm(session: PortalSession, subscription: Subscription) {
  const ends = day(itemOf(subscription).current_period_end);
  return subscription.cancel_at_period_end
    ? html`<p>Ends on ${ends}</p><form method="post" action="/stripe/portal/${session.id}/renew"><button>Don't cancel</button></form>`
    : html`<p>${subscription.status}, renews on ${ends}</p><form method="post" action="/stripe/portal/${session.id}/cancel"><button class="quiet">Cancel subscription</button></form>`;
}

const SHOWN_EVENTS = 60;

/** Every customer with their subscriptions, their clock, and what the app was told. */
function overviewPage(desk: Desk): Response {
  const { state } = desk;
  const events = state.events.slice(-SHOWN_EVENTS).reverse();
  return page(
    "Stripe",
    html`<p>Customers and their subscriptions. Moving a customer's clock on makes everything happen that falls due on the way: renewals, retries, endings.</p>
${Object.values(state.customers).map((customer) => customerPart(desk, customer))}
<h2>Events</h2>
<form method="post" action="/stripe/events/${state.held ? "release" : "hold"}"><p>${
      state.held
        ? html`Deliveries wait (${state.held.length}). <label>Copies of each <input name="copies" type="number" min="1" max="20" value="1"></label> <label><input type="checkbox" name="shuffle" value="yes"> in any order</label> <button>Deliver</button>`
        : html`Deliveries go out at once. <button class="quiet">Hold them</button>`
    }</p></form>
<table><thead><tr><th>Happened (UTC)</th><th>Type</th><th>About</th><th></th></tr></thead><tbody>${events.map(
      (event) =>
        html`<tr><td>${day(event.created)}</td><td>${event.type}</td><td>${String((event.data.object as { id?: string }).id ?? "")}</td><td><form method="post" action="/stripe/events/${event.id}/resend"><button class="quiet">${event.pending_webhooks > 0 ? "Send again (not accepted yet)" : "Send again"}</button></form></td></tr>`,
    )}</tbody></table>`,
  );
}

function customerPart(desk: Desk, customer: Customer) {
  const subscriptions = Object.values(desk.state.subscriptions).filter((row) => row.customer === customer.id);
  return html`<h2>${customer.name ?? customer.id}</h2>
<p class="hint">${customer.id}, clock at ${day(desk.nowOf(customer.id))}</p>
<ul>${subscriptions.map((row) => html`<li>${row.id}: <strong>${row.status}</strong>, period until ${day(itemOf(row).current_period_end)}${row.cancel_at_period_end ? ", ends then" : ""}</li>`)}</ul>
<form method="post" action="/stripe/advance"><input type="hidden" name="customer" value="${customer.id}">
<button name="days" value="1">A day on</button> <button name="days" value="7">A week on</button> <button name="days" value="32">32 days on</button></form>`;
}

/** The card payment provider: interface, hosted pages, browser script, signed events, and a clock to move on. */
export function stripeParty(context: SimulatorContext): Party {
  const desk = createDesk(context);
  const routes = [
    ...customerRoutes(desk),
    ...subscriptionRoutes(desk),
    ...paymentRoutes(desk),
    ...sessionRoutes(desk),
    ...hostedRoutes(desk),
    ...portalRoutes(desk),
    route("GET", "", () => overviewPage(desk)),
    route("GET", "/stripe.js", () => browserScript(desk.base)),
    route("GET", "/element", () => elementFrame(desk.base)),
    ...controlRoutes(desk),
  ];

  const app = new Hono<CallEnv>();
  app.options("*", preflight);
  app.use(async (_, next) => {
    catchUp(desk);
    await next();
  });
  app.route("/", createRoutes(routes, notFound));
  app.onError((error) => {
    if (error instanceof Refusal) return errorAnswer(error);
    throw error;
  });

  return {
    name: "stripe",
    links: [{ href: "/stripe", text: "Customers, subscriptions, clocks and events" }],
    isAppCall: ({ path, request }) =>
      path.startsWith("/v1/") &&
      !request.headers.get("authorization")?.startsWith("Bearer pk_") &&
      request.method !== "OPTIONS",
    app,
    errorAnswer: faultAnswer,
    asSomebodyElse: (text) => text.replace(/"customer":"cus_[^"]*"/g, '"customer":"cus_somebodyelse"'),
  };
}

const isJson = ({ request }: SimulatedCall) => request.headers.get("content-type")?.includes("json") ?? false;

const fieldsOf = (call: SimulatedCall): Record<string, unknown> =>
  isJson(call) ? JSON.parse(call.body || "{}") : Object.fromEntries(new URLSearchParams(call.body));

const answer = (call: SimulatedCall, body: unknown) => (isJson(call) ? Response.json(body) : seeOther("/stripe"));

/** What a person or a test controls: a customer's clock, and when events are delivered. */
function controlRoutes(desk: Desk): Route[] {
  return [
    route("POST", "/advance", (call) => {
      const { customer, days = 0, seconds = 0 } = fieldsOf(call);
      const clock = clockOf(desk, String(customer));
      advanceClock(desk, clock, clock.frozen_time + Number(days) * DAY + Number(seconds));
      desk.context.save();
      return answer(call, { customer, frozenTime: clock.frozen_time });
    }),
    route("POST", "/events/hold", (call) => {
      desk.events.hold();
      return answer(call, { held: true });
    }),
    route("POST", "/events/release", async (call) => {
      const { copies = 1, shuffle } = fieldsOf(call);
      await desk.events.release({ copies: Number(copies), shuffle: Boolean(shuffle) });
      return answer(call, { released: true });
    }),
    route("POST", "/events/:id/resend", (call, { id = "" }) => {
      const event = desk.state.events.find((known) => known.id === id);
      if (event) desk.events.resend(event);
      return event ? answer(call, { sent: id }) : notFound(call);
    }),
  ];
}

function notFound({ request, path }: SimulatedCall): Response {
  return errorAnswer(
    new Refusal(404, "invalid_request_error", `Unrecognized request URL (${request.method}: ${path}).`),
  );
}

function paymentRoutes(desk: Desk): Route[] {
  const { state } = desk;

  return [
    endpoint(desk, "GET /invoices", [...LIST_TAKES, "customer", "status", "subscription"], (asked) => {
      const wanted = textAt(asked.params, "subscription");
      const rows = matching(desk.state.invoices, asked, "customer", "status").filter(
        (row) => wanted === undefined || row.parent.subscription_details.subscription === wanted,
      );
      return listPage(desk, rows, asked, "/v1/invoices");
    }),
    endpoint(desk, "GET /invoices/search", SEARCH_TAKES, (asked) =>
      searchPage(desk, Object.values(desk.state.invoices), asked, "/v1/invoices/search"),
    ),
    endpoint(desk, "GET /invoices/:id", [], ({ path }) => find(desk, "invoices", path.id ?? "")),
    endpoint(desk, "POST /invoices/:id/finalize", ["auto_advance"], ({ path }) => {
      const invoice = find(desk, "invoices", path.id ?? "");
      finalizeInvoice(desk, invoice);
      return invoice;
    }),
    endpoint(desk, "POST /invoices/:id/void", [], ({ path }) => {
      const invoice = find(desk, "invoices", path.id ?? "");
      voidInvoice(desk, invoice);
      return invoice;
    }),
    endpoint(desk, "POST /invoices/:id/pay", ["payment_method", "off_session"], ({ params, path }) => {
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
    }),
    browserEndpoint(desk, "GET /payment_intents/:id", ["client_secret"], ({ path, params }, { request }) =>
      findPayment(desk, path.id ?? "", params, request.headers.get("authorization")),
    ),
    browserEndpoint(
      desk,
      "POST /payment_intents/:id/confirm",
      ["client_secret", "payment_method", "payment_method_data", "return_url"],
      ({ path, params }, { request }) => {
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
    ),
    endpoint(desk, "GET /charges", [...LIST_TAKES, "customer", "payment_intent"], (asked) =>
      listPage(desk, matching(state.charges, asked, "customer", "payment_intent"), asked, "/v1/charges"),
    ),
    endpoint(desk, "GET /charges/:id", [], ({ path }) => find(desk, "charges", path.id ?? "")),
    endpoint(desk, "POST /refunds", ["charge", "payment_intent", "amount", "reason", "metadata"], ({ params }) => {
      const intentId = textAt(params, "payment_intent");
      const chargeId = textAt(params, "charge") ?? (intentId && find(desk, "paymentIntents", intentId).latest_charge);
      if (!chargeId) throw missing("charge");
      return refund(desk, chargeId, Number(textAt(params, "amount") ?? Number.NaN), textAt(params, "reason") ?? null);
    }),
  ];
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
