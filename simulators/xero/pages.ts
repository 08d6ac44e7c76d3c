import type { Grants } from "../accounting/grants";
import { showInstant } from "../control/pages";
import { html, page, seeOther } from "../html";
import type { SimulatedCall, SimulatorContext } from "../party";
import { type Route, route } from "../routes";
import type { Contact, XeroState } from "./state";
import type { XeroWebhooks } from "./webhooks";

const MANY = 10_000;
const DAY_MS = 24 * 60 * 60_000;
const SHOWN = 200;

const notFoundPage = () => page("Not found", html`<p>There is no such thing in this Xero.</p>`, 404);

/** What a person does inside Xero: edit suppliers, and connect or disconnect apps. */
export function pageRoutes(
  state: XeroState,
  context: SimulatorContext,
  { grants, webhooks }: { grants: Grants; webhooks: XeroWebhooks },
): Route[] {
  return [...contactPages(state, context, webhooks), ...connectionPages(state, context, { grants, webhooks })];
}

function contactPages(state: XeroState, context: SimulatorContext, webhooks: XeroWebhooks): Route[] {
  const find = (id = "") => state.contacts.find(({ contactId }) => contactId === id);

  function changed(contact: Contact, changes: string, user: string): Response {
    contact.updatedAt = context.now();
    contact.history.push({ changes, user, at: context.now(), details: "" });
    context.save();
    webhooks.tell(contact, changes === "Created" ? "CREATE" : "UPDATE");
    return seeOther(`/xero/contacts/${contact.contactId}`);
  }

  function saveContact({ body }: SimulatedCall, { id = "" }: Record<string, string>): Response {
    const contact = find(id);
    if (!contact) return notFoundPage();
    const form = new URLSearchParams(body);
    applyForm(contact, form);
    return changed(contact, "Edited", form.get("user") || ANYBODY);
  }

  function addContact({ body }: SimulatedCall): Response {
    const form = new URLSearchParams(body);
    const tenantId = form.get("tenantId") || (state.tenants[0]?.tenantId ?? "");
    const contact = newContact({ contactId: context.randomId(), tenantId, updatedAt: context.now() });
    applyForm(contact, form);
    state.contacts.push(contact);
    return changed(contact, "Created", form.get("user") || ANYBODY);
  }

  /** Suppliers that have been there for a day. */
  function addMany(): Response {
    const tenantId = state.tenants[0]?.tenantId ?? "";
    const updatedAt = context.now() - DAY_MS;
    for (let nth = 0; nth < MANY; nth++) {
      const digits = String(nth).padStart(5, "0");
      const contact = newContact({ contactId: context.randomId(), tenantId, updatedAt });
      contact.name = `Supplier ${digits} Pty Ltd`;
      contact.email = `supplier${digits}@many.example`;
      contact.bankAccount = `062-000 ${((nth * 7_368_787) % 90_000_000) + 10_000_000}`;
      state.contacts.push(contact);
    }
    context.save();
    return seeOther("/xero");
  }

  return [
    route("POST", "/contacts", addContact),
    route("POST", "/many", addMany),
    route("GET", "/contacts/:id", (_call, { id }) => contactPage(find(id))),
    route("POST", "/contacts/:id", saveContact),
  ];
}

const ANYBODY = "Sam Lee";

const newContact = (known: Pick<Contact, "contactId" | "tenantId" | "updatedAt">): Contact => ({
  name: "",
  email: "",
  bankAccount: "",
  bankAccountName: "",
  taxNumber: "",
  phone: "",
  isSupplier: true,
  status: "ACTIVE",
  mergedTo: null,
  history: [],
  ...known,
});

/** The values from the form; a value that it does not give stays as it is. */
function applyForm(contact: Contact, form: URLSearchParams): void {
  const intent = form.get("intent");
  if (intent === "archive" || intent === "merge") contact.status = "ARCHIVED";
  if (intent === "restore") contact.status = "ACTIVE";
  if (intent === "merge") contact.mergedTo = form.get("mergedTo");
  for (const field of ["name", "email", "bankAccount", "bankAccountName", "taxNumber"] as const) {
    contact[field] = (form.get(field) ?? contact[field]).trim();
  }
}

type Inside = { grants: Grants; webhooks: XeroWebhooks };

function connectionPages(state: XeroState, context: SimulatorContext, { grants, webhooks }: Inside): Route[] {
  function removeConnection(_call: SimulatedCall, { id = "" }: Record<string, string>): Response {
    state.connections = state.connections.filter((connection) => connection.id !== id);
    context.save();
    return seeOther("/xero");
  }

  function revokeGrant(_call: SimulatedCall, { id = "" }: Record<string, string>): Response {
    grants.revoke(id);
    state.connections = state.connections.filter(({ grantId }) => grantId !== id);
    context.save();
    return seeOther("/xero");
  }

  function checkIntent(): Response {
    webhooks.checkIntent();
    return seeOther("/xero");
  }

  return [
    route("GET", "", () => overviewPage(state)),
    route("POST", "/connections/:id/remove", removeConnection),
    route("POST", "/grants/:id/revoke", revokeGrant),
    route("POST", "/intent", checkIntent),
  ];
}

function overviewPage(state: XeroState): Response {
  const nameOf = (id: string) => state.tenants.find(({ tenantId }) => tenantId === id)?.name ?? "";
  const contacts = state.contacts
    .slice(0, SHOWN)
    .map(
      (contact) =>
        html`<tr><td><a href="/xero/contacts/${contact.contactId}">${contact.name}</a></td><td>${nameOf(contact.tenantId)}</td><td>${contact.bankAccount}</td><td>${contact.status}</td></tr>`,
    );
  const connections = state.connections.map(
    (connection) =>
      html`<tr><td>${nameOf(connection.tenantId)}</td><td>${showInstant(connection.createdAt)}</td><td><form method="post" action="/xero/connections/${connection.id}/remove"><button class="quiet">Disconnect this organisation</button></form><form method="post" action="/xero/grants/${connection.grantId}/revoke"><button class="quiet">Withdraw consent</button></form></td></tr>`,
  );
  const deliveries = state.deliveries.map(
    ({ at, what, status }) => html`<tr><td>${showInstant(at)}</td><td>${what}</td><td>${status}</td></tr>`,
  );
  return page(
    "Xero",
    html`<p><a href="/xero/bills">Bills to pay</a></p><h2>Suppliers (${state.contacts.length})</h2>
<table><thead><tr><th>Name</th><th>Organisation</th><th>Bank account</th><th>State</th></tr></thead><tbody>${contacts}</tbody></table>
<h2>Add a supplier</h2>
<form method="post" action="/xero/contacts">
<label>Organisation <select name="tenantId">${state.tenants.map(({ tenantId, name }) => html`<option value="${tenantId}">${name}</option>`)}</select></label>
${fields()}
<button>Add</button></form>
<form method="post" action="/xero/many"><button class="quiet">Add ${MANY} suppliers to the first organisation</button></form>
<h2>Connected apps</h2>
<table><tbody>${connections}</tbody></table>
<h2>Events told to the app</h2>
<form method="post" action="/xero/intent"><button class="quiet">Check the intent to receive</button></form>
<table><thead><tr><th>At (UTC)</th><th>Event</th><th>Answer</th></tr></thead><tbody>${deliveries}</tbody></table>`,
  );
}

const fields = (
  contact?: Contact,
) => html`<label>Name <input name="name" required size="40" value="${contact?.name ?? ""}"></label>
<label>Email <input name="email" size="40" value="${contact?.email ?? ""}"></label>
<label>Bank account number <input name="bankAccount" size="30" value="${contact?.bankAccount ?? ""}"> <span class="hint">one free text, such as 062-000 12345678</span></label>
<label>Bank account name <input name="bankAccountName" size="40" value="${contact?.bankAccountName ?? ""}"></label>
<label>Tax number (ABN) <input name="taxNumber" value="${contact?.taxNumber ?? ""}"></label>
<label>You are <input name="user" value="Sam Lee"></label>`;

function contactPage(contact: Contact | undefined): Response {
  if (!contact) return notFoundPage();
  const history = contact.history.map(
    ({ at, changes, user, details }) =>
      html`<tr><td>${showInstant(at)}</td><td>${changes}</td><td>${user}</td><td>${details}</td></tr>`,
  );
  return page(
    contact.name,
    html`<p><a href="/xero">All suppliers</a></p>
<form method="post">${fields(contact)}<button>Save</button></form>
<form method="post"><button name="intent" value="${contact.status === "ACTIVE" ? "archive" : "restore"}" class="quiet">${contact.status === "ACTIVE" ? "Archive" : "Restore"}</button></form>
<form method="post"><label>Merge into contact id <input name="mergedTo" size="40"></label><button name="intent" value="merge" class="quiet">Merge</button></form>
<h2>History</h2>
<table><thead><tr><th>At (UTC)</th><th>Change</th><th>User</th><th>Details</th></tr></thead><tbody>${history}</tbody></table>`,
  );
}
