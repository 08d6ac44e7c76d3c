import { html, type Markup, page } from "../html";
import type { SimulatedCall, SimulatorContext } from "../party";
import { type Route, route } from "../routes";
import { type Bill, dueOf, type Payment, type XeroBooks } from "./books";
import type { Contact, XeroState } from "./state";
import type { XeroWebhooks } from "./webhooks";

const seeOther = (location: string) => new Response(null, { status: 303, headers: { location } });
const notFoundPage = () => page("Not found", html`<p>There is no such thing in this Xero.</p>`, 404);
const money = (cents: number) => (cents / 100).toFixed(2);
const centsOf = (text: string | null) => Math.round(Number((text ?? "").replace(/[$,\s]/g, "")) * 100);

type Books = { state: XeroState; books: XeroBooks; webhooks: XeroWebhooks };

/** What a person does with bills inside Xero: enter, approve, change, void, pay, reconcile, delete a payment. */
export function booksPages({ state, books, webhooks }: Books, context: SimulatorContext): Route[] {
  const find = (id = "") => books.bills.find(({ invoiceId }) => invoiceId === id);

  function changed(bill: Bill, eventType: "CREATE" | "UPDATE" = "UPDATE"): Response {
    bill.updatedAt = context.now();
    context.save();
    webhooks.tellBill(bill, eventType);
    return seeOther(`/xero/bills/${bill.invoiceId}`);
  }

  function addBill({ body }: SimulatedCall): Response {
    const form = new URLSearchParams(body);
    const contact = state.contacts.find(({ contactId }) => contactId === form.get("contactId"));
    const total = centsOf(form.get("amount"));
    if (!contact || !(total > 0)) return page("Not added", html`<p>A bill needs a supplier and an amount.</p>`, 400);
    const bill = newBill(form, { contact, total, context });
    books.bills.push(bill);
    return changed(bill, "CREATE");
  }

  function saveBill({ body }: SimulatedCall, { id }: Record<string, string>): Response {
    const bill = find(id);
    if (!bill) return notFoundPage();
    const form = new URLSearchParams(body);
    const intent = form.get("intent");
    if (intent === "approve") bill.status = "AUTHORISED";
    else if (intent === "void") bill.status = "VOIDED";
    else if (intent === "pay") books.payments.push(payBill(bill, form, state, context));
    else {
      bill.number = form.get("number") ?? bill.number;
      if (form.has("amount")) bill.total = centsOf(form.get("amount"));
    }
    return changed(bill);
  }

  function savePayment({ body }: SimulatedCall, { id }: Record<string, string>): Response {
    const payment = books.payments.find(({ paymentId }) => paymentId === id);
    const bill = find(payment?.invoiceId);
    if (!payment || !bill) return notFoundPage();
    if (new URLSearchParams(body).get("intent") === "delete") undoPayment(bill, payment);
    else payment.isReconciled = true;
    payment.updatedAt = context.now();
    return changed(bill);
  }

  return [
    route("GET", "/bills", () => listPage(state, books)),
    route("POST", "/bills", addBill),
    route("GET", "/bills/:id", (_call, { id }) => billPage(state, books, find(id))),
    route("POST", "/bills/:id", saveBill),
    route("POST", "/payments/:id", savePayment),
  ];
}

type Entering = { contact: Contact; total: number; context: SimulatorContext };

const newBill = (form: URLSearchParams, { contact, total, context }: Entering): Bill => ({
  invoiceId: context.randomId(),
  tenantId: contact.tenantId,
  contactId: contact.contactId,
  number: (form.get("number") ?? "").trim(),
  status: form.get("intent") === "draft" ? "DRAFT" : "AUTHORISED",
  total,
  amountPaid: 0,
  updatedAt: context.now(),
});

function payBill(bill: Bill, form: URLSearchParams, state: XeroState, context: SimulatorContext): Payment {
  const amount = form.has("amount") ? centsOf(form.get("amount")) : dueOf(bill);
  const supplier = state.contacts.find(({ contactId }) => contactId === bill.contactId);
  bill.amountPaid += amount;
  if (dueOf(bill) <= 0) bill.status = "PAID";
  return {
    paymentId: context.randomId(),
    invoiceId: bill.invoiceId,
    amount,
    date: context.now(),
    bankAccount: form.get("bankAccount") ?? supplier?.bankAccount ?? "",
    isReconciled: form.get("reconciled") === "on",
    status: "AUTHORISED",
    updatedAt: context.now(),
  };
}

function undoPayment(bill: Bill, payment: Payment): void {
  if (payment.status === "DELETED") return;
  payment.status = "DELETED";
  payment.isReconciled = false;
  bill.amountPaid -= payment.amount;
  bill.status = "AUTHORISED";
}

function listPage(state: XeroState, books: XeroBooks): Response {
  const nameOf = (id: string) => state.contacts.find(({ contactId }) => contactId === id)?.name ?? "";
  const rows = books.bills.map(
    (bill) =>
      html`<tr><td><a href="/xero/bills/${bill.invoiceId}">${bill.number || "(no number)"}</a></td><td>${nameOf(bill.contactId)}</td><td>${money(bill.total)}</td><td>${money(dueOf(bill))}</td><td>${bill.status}</td></tr>`,
  );
  const suppliers = state.contacts
    .slice(0, 200)
    .map(({ contactId, name }) => html`<option value="${contactId}">${name}</option>`);
  return page(
    "Xero: bills to pay",
    html`<p><a href="/xero">Suppliers</a></p>
<table><thead><tr><th>Number</th><th>Supplier</th><th>Total</th><th>Due</th><th>State</th></tr></thead><tbody>${rows}</tbody></table>
<h2>Add a bill</h2><form method="post" action="/xero/bills"><label>Supplier <select name="contactId">${suppliers}</select></label>
<label>Number <input name="number"></label><label>Amount <input name="amount" required></label>
<button name="intent" value="approve">Add and approve</button> <button name="intent" value="draft" class="quiet">Add as a draft</button></form>`,
  );
}

function billPage(state: XeroState, books: XeroBooks, bill: Bill | undefined): Response {
  if (!bill) return notFoundPage();
  const supplier = state.contacts.find(({ contactId }) => contactId === bill.contactId);
  const payments = books.payments.filter(({ invoiceId }) => invoiceId === bill.invoiceId).map(paymentRow);
  return page(
    `Bill ${bill.number}`,
    html`<p><a href="/xero/bills">All bills</a></p>
<p>${supplier?.name ?? ""}: total ${money(bill.total)}, due ${money(dueOf(bill))}, ${bill.status}</p>
<form method="post"><label>Number <input name="number" value="${bill.number}"></label><label>Amount <input name="amount" value="${money(bill.total)}"></label><button>Save</button></form>
<form method="post"><button name="intent" value="approve" class="quiet">Approve</button> <button name="intent" value="void" class="quiet">Void</button></form>
<h2>Pay it</h2><form method="post"><label>Amount <input name="amount" value="${money(dueOf(bill))}"></label>
<label>To the account <input name="bankAccount" size="30" value="${supplier?.bankAccount ?? ""}"></label>
<label><input type="checkbox" name="reconciled"> Already reconciled with the bank statement</label>
<button name="intent" value="pay">Pay</button></form>
<h2>Payments</h2><table><tbody>${payments}</tbody></table>`,
  );
}

const paymentRow = (payment: Payment): Markup =>
  html`<tr><td>${money(payment.amount)}</td><td>${payment.bankAccount}</td><td>${payment.status}${payment.isReconciled ? ", reconciled" : ""}</td><td><form method="post" action="/xero/payments/${payment.paymentId}"><button name="intent" value="reconcile" class="quiet">Reconcile</button> <button name="intent" value="delete" class="quiet">Delete</button></form></td></tr>`;
