import { html, page } from "../html";
import type { SimulatedCall } from "../party";
import { type Route, route } from "../routes";
import { setCancelAtPeriodEnd } from "./api-subscriptions";
import { type Desk, find } from "./desk";
import { Refusal } from "./errors";
import { itemOf, tell } from "./invoices";
import type { PortalSession, Subscription } from "./objects";
import { cardFields, cardIn, day, dollars, formOf, problemBox, seeOther } from "./page-parts";
import { attachPaymentMethod, createPaymentMethod } from "./payments";
import { view } from "./views";

const OVER: ReadonlySet<string> = new Set(["canceled", "incomplete_expired", "incomplete"]);

/** The customer portal: the card on file, cancelling and taking it back, invoices. */
export function portalRoutes(desk: Desk): Route[] {
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
