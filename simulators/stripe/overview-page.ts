import { html, page } from "../html";
import type { Desk } from "./desk";
import { itemOf } from "./invoices";
import type { Customer } from "./objects";
import { day } from "./page-parts";

const SHOWN_EVENTS = 60;

/** Every customer with their subscriptions, their clock, and what the app was told. */
export function overviewPage(desk: Desk): Response {
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
        html`<tr><td>${day(event.created)}</td><td>${event.type}</td><td>${String((event.data.object as { id?: string }).id ?? "")}</td><td><form method="post" action="/stripe/events/${event.id}/resend"><button class="quiet">${event.pending_webhooks > 0 ? "Send again (not taken yet)" : "Send again"}</button></form></td></tr>`,
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
