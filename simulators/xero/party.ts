import { consentRoutes, exchangeTokens, oauthError } from "../accounting/consent";
import { createGrants, type Grant, type Grants } from "../accounting/grants";
import { centsOf, html, type Markup, money, page, seeOther } from "../html";
import type { Party, SimulatedCall, SimulatorContext } from "../party";
import { createRoutes, type Route, route } from "../routes";
import { apiRoutes, xeroFault } from "./api";
import { type Bill, dueOf, type Payment, type XeroBooks, xeroBooks } from "./books";
import { pageRoutes } from "./pages";
import { type Contact, type XeroState, xeroState } from "./state";
import { discoveryRoutes, xeroTokens } from "./tokens";
import { createXeroWebhooks, type XeroWebhooks } from "./webhooks";

const XERO_CLIENT_ID = "xero-simulator";

/** What an app of 2026 may ask for: the older, wider scopes are refused (apps created from 2 March 2026). */
const SCOPES = new Set([
  "openid",
  "profile",
  "email",
  "offline_access",
  "accounting.contacts",
  "accounting.contacts.read",
  "accounting.invoices",
  "accounting.invoices.read",
  "accounting.payments",
  "accounting.payments.read",
  "accounting.settings.read",
]);

function identityRoutes(state: XeroState, context: SimulatorContext, grants: Grants): Route[] {
  const choices = () =>
    state.tenants.map(
      (tenant, index) =>
        html`<label><input type="checkbox" name="tenantId" value="${tenant.tenantId}"${index === 0 ? html` checked` : undefined}> ${tenant.name}</label>`,
    );
  const consent = consentRoutes(context, grants, {
    ...{ name: "Xero", path: "/authorize", address: "/xero/authorize", clientId: XERO_CLIENT_ID, scopes: SCOPES },
    refuse: (query) =>
      query.has("code_challenge") && query.get("code_challenge_method") !== "S256" ? "invalid_request" : undefined,
    field: "tenantId",
    ids: () => state.tenants.map(({ tenantId }) => tenantId),
    choices: () => html`<fieldset><legend>Organisations</legend>${choices()}</fieldset>`,
  });
  return [...consent, ...discoveryRoutes(context), ...tokenRoutes(state, context, grants)];
}

function tokenRoutes(state: XeroState, context: SimulatorContext, grants: Grants): Route[] {
  const isClient = ({ request }: SimulatedCall) =>
    request.headers.get("authorization") === `Basic ${btoa(`${XERO_CLIENT_ID}:${context.secrets.xeroClientSecret}`)}`;

  async function token(call: SimulatedCall): Promise<Response> {
    if (!isClient(call)) return oauthError("invalid_client");
    const form = new URLSearchParams(call.body);
    const { grant, ...tokens } = await exchangeTokens(grants, form);
    if (form.get("grant_type") === "authorization_code") connect(grant.id, grant.ledgerIds);
    return Response.json({ ...tokens, token_type: "Bearer", scope: grant.scopes.join(" ") });
  }

  function connect(grantId: string, tenantIds: readonly string[]): void {
    for (const tenantId of tenantIds) {
      state.connections.push({ id: context.randomId(), grantId, tenantId, createdAt: context.now() });
    }
    context.save();
  }

  function revoke(call: SimulatedCall): Response {
    if (!isClient(call)) return oauthError("invalid_client");
    const refreshToken = new URLSearchParams(call.body).get("token") ?? "";
    const grantId = state.refresh[refreshToken]?.grantId;
    grants.revokeBy(refreshToken);
    state.connections = state.connections.filter((connection) => connection.grantId !== grantId);
    context.save();
    return new Response(null, { status: 200 });
  }

  return [route("POST", "/identity/connect/token", token), route("POST", "/identity/connect/revocation", revoke)];
}

const notFoundPage = () => page("Not found", html`<p>There is no such thing in this Xero.</p>`, 404);

type Books = { state: XeroState; books: XeroBooks; webhooks: XeroWebhooks };

/** What a person does with bills inside Xero: enter, approve, change, void, pay, reconcile, delete a payment. */
function booksPages({ state, books, webhooks }: Books, context: SimulatorContext): Route[] {
  const find = (id = "") => books.bills.find(({ invoiceId }) => invoiceId === id);

  function changed(bill: Bill, eventType: "CREATE" | "UPDATE" = "UPDATE"): Response {
    bill.updatedAt = context.now();
    context.save();
    webhooks.tellBill(bill, eventType);
    return seeOther(`/xero/bills/${bill.invoiceId}`);
  }

  const findContact = (bill: Bill) => state.contacts.find(({ contactId }) => contactId === bill.contactId);

  /** Bills appear in their contact's history too, but do not count as edits. */
  function tellHistory(contact: Contact | undefined, changes: string, user: string): void {
    contact?.history.push({ changes, user, at: context.now(), details: "" });
  }

  function addBill({ body }: SimulatedCall): Response {
    const form = new URLSearchParams(body);
    const contact = state.contacts.find(({ contactId }) => contactId === form.get("contactId"));
    const total = centsOf(form.get("amount"));
    if (!contact || !(total > 0)) return page("Not added", html`<p>A bill needs a supplier and an amount.</p>`, 400);
    const bill = newBill(form, { contact, total, context });
    books.bills.push(bill);
    tellHistory(contact, "Invoice Created", form.get("user") || "Pat Brown");
    return changed(bill, "CREATE");
  }

  function saveBill({ body }: SimulatedCall, { id }: Record<string, string>): Response {
    const bill = find(id);
    if (!bill) return notFoundPage();
    const form = new URLSearchParams(body);
    const intent = form.get("intent");
    if (intent === "approve") bill.status = "AUTHORISED";
    else if (intent === "void") bill.status = "VOIDED";
    else if (intent === "pay") {
      books.payments.push(payBill(bill, form, state, context));
      tellHistory(findContact(bill), "Credit Applied", "System Generated");
    } else {
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

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Access 30 minutes, refresh 60 days, a replaced refresh token 30 minutes (developer.xero.com/faq/oauth2). */
const RULES = {
  accessSeconds: 1_800,
  refreshMs: 60 * DAY_MS,
  graceMs: 30 * MINUTE_MS,
  codeMs: 5 * MINUTE_MS,
  refreshScope: "offline_access",
};

/** Xero: consent, organisations, contacts with their bank account as one free text, and signed webhooks. */
export function xeroParty(context: SimulatorContext): Party {
  const state = xeroState(context);
  const tokens = (grant: Grant, expiresAt: number) => xeroTokens(context, XERO_CLIENT_ID, grant, expiresAt);
  const grants = createGrants(state, context, { ...RULES, tokens });
  const webhooks = createXeroWebhooks(state, context);
  const books = xeroBooks(context);
  return {
    name: "xero",
    links: [
      { href: "/xero", text: "Play a person in Xero: suppliers, and apps that are connected" },
      { href: "/xero/bills", text: "Bills and payments in Xero: approve, change, pay, reconcile" },
    ],
    isAppCall: ({ path }) => path.startsWith("/identity/") || path.startsWith("/api/"),
    app: createRoutes(
      [
        ...identityRoutes(state, context, grants),
        ...apiRoutes(state, context, { grants, books }),
        ...pageRoutes(state, context, { grants, webhooks }),
        ...booksPages({ state, books, webhooks }, context),
      ],
      () => xeroFault(404),
    ),
    errorAnswer: (status) => xeroFault(status),
    summarise: ({ path }) => (path.startsWith("/identity/") ? "(a secret)" : ""),
  };
}
