import type { Grant, Grants } from "../accounting/grants";
import type { SimulatedCall, SimulatorContext } from "../party";
import { type Route, route } from "../routes";
import { pageOf, type TenantGate, xeroError } from "./answers";
import type { XeroBooks } from "./books";
import { booksRoutes } from "./books-api";
import type { Contact, XeroState } from "./state";

const CALLS_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

export const xeroFault = (status: number): Response =>
  status === 429
    ? new Response(null, { status, headers: { "retry-after": "60", "x-rate-limit-problem": "minute" } })
    : xeroError(status, "Simulated fault", "");

type Admit = (call: SimulatedCall) => Grant | Response;

/** The organisations an app is connected to, their contacts with who changed them, and their bills. */
export function apiRoutes(
  state: XeroState,
  context: SimulatorContext,
  { grants, books }: { grants: Grants; books: XeroBooks },
): Route[] {
  /** A refusal, or the grant that a call stands for. */
  const admit: Admit = ({ request }) => {
    const grant = grants.of(request);
    if (grant === "expired") return xeroError(401, "Unauthorized", "TokenExpired: token expired");
    return grant ?? xeroError(401, "Unauthorized", "AuthenticationUnsuccessful");
  };
  const gate = tenantGate(state, context, admit);
  return [
    ...connectionRoutes(state, context, admit),
    ...contactRoutes(state, gate),
    ...booksRoutes({ state, books }, context, gate),
  ];
}

function connectionRoutes(state: XeroState, context: SimulatorContext, admit: Admit): Route[] {
  function connections(call: SimulatedCall): Response {
    const grant = admit(call);
    if (grant instanceof Response) return grant;
    const own = state.connections.filter(({ grantId }) => grantId === grant.id);
    return Response.json(
      own.map(({ id, grantId, tenantId, createdAt }) => ({
        id,
        authEventId: grantId,
        tenantId,
        tenantType: "ORGANISATION",
        tenantName: state.tenants.find((tenant) => tenant.tenantId === tenantId)?.name ?? "",
        createdDateUtc: new Date(createdAt).toISOString(),
        updatedDateUtc: new Date(createdAt).toISOString(),
      })),
    );
  }

  function disconnect(call: SimulatedCall, { id = "" }: Record<string, string>): Response {
    const grant = admit(call);
    if (grant instanceof Response) return grant;
    const isIt = (each: { id: string; grantId: string }) => each.id === id && each.grantId === grant.id;
    if (!state.connections.some(isIt)) return xeroError(404, "Not Found", "");
    state.connections = state.connections.filter((each) => !isIt(each));
    context.save();
    return new Response(null, { status: 204 });
  }

  return [route("GET", "/api/connections", connections), route("DELETE", "/api/connections/:id", disconnect)];
}

function tenantGate(state: XeroState, context: SimulatorContext, admit: Admit): TenantGate {
  return (call, scopes) => {
    const grant = admit(call);
    if (grant instanceof Response) return grant;
    const tenantId = call.request.headers.get("xero-tenant-id");
    if (!tenantId) return xeroError(403, "Forbidden", "TenantId header is missing");
    if (!state.connections.some((each) => each.grantId === grant.id && each.tenantId === tenantId)) {
      return xeroError(403, "Forbidden", "AuthenticationUnsuccessful");
    }
    if (!scopes.some((scope) => grant.scopes.includes(scope))) {
      return xeroError(401, "Unauthorized", "AuthorizationUnsuccessful");
    }
    return overLimit(state, tenantId, context.now()) ?? tenantId;
  };
}

function contactRoutes(state: XeroState, admitToTenant: TenantGate): Route[] {
  function listContacts(call: SimulatedCall): Response {
    const tenantId = admitToTenant(call, READS_CONTACTS);
    if (tenantId instanceof Response) return tenantId;
    const query = call.url.searchParams;
    const found = select(state.contacts, tenantId, call);
    if (!query.has("page")) return Response.json({ Contacts: found.map((contact) => show(contact, false)) });
    const isWhole = query.get("summaryOnly") !== "true";
    const { items, pagination } = pageOf(found, query);
    return Response.json({ Contacts: items.map((contact) => show(contact, isWhole)), pagination });
  }

  function history(call: SimulatedCall, { id = "" }: Record<string, string>): Response {
    const tenantId = admitToTenant(call, READS_CONTACTS);
    if (tenantId instanceof Response) return tenantId;
    const contact = state.contacts.find((each) => each.contactId === id && each.tenantId === tenantId);
    if (!contact) return xeroError(404, "Not Found", "The resource you're looking for cannot be found");
    const records = contact.history.map(({ changes, user, at, details }) => {
      return { Changes: changes, DateUTC: `/Date(${at}+0000)/`, User: user, Details: details };
    });
    return Response.json({ HistoryRecords: records });
  }

  return [
    route("GET", "/api/api.xro/2.0/Contacts", listContacts),
    route("GET", "/api/api.xro/2.0/Contacts/:id/History", history),
  ];
}

const READS_CONTACTS = ["accounting.contacts.read", "accounting.contacts"];

/** 60 calls a minute for each organisation, and how long the next has to wait. */
function overLimit(state: XeroState, tenantId: string, now: number): Response | undefined {
  const recent = (state.calls[tenantId] ?? []).filter((at) => at > now - MINUTE_MS);
  if (recent.length >= CALLS_PER_MINUTE) {
    const waitMs = (recent[0] ?? now) + MINUTE_MS - now;
    const headers = { "retry-after": String(Math.ceil(waitMs / 1000)), "x-rate-limit-problem": "minute" };
    return new Response(null, { status: 429, headers });
  }
  state.calls[tenantId] = [...recent, now];
  return undefined;
}

function select(contacts: readonly Contact[], tenantId: string, { request, url }: SimulatedCall): Contact[] {
  const since = Date.parse(request.headers.get("if-modified-since") ?? "");
  const withArchived = url.searchParams.get("includeArchived") === "true";
  const found = contacts.filter(
    (contact) =>
      contact.tenantId === tenantId &&
      (withArchived || contact.status === "ACTIVE") &&
      (Number.isNaN(since) || contact.updatedAt >= since),
  );
  const byId = url.searchParams.get("order") === "ContactID ASC";
  const key = (contact: Contact) => (byId ? contact.contactId : contact.name);
  return found.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Lists without pages, and summaries, leave the bank account out. */
const show = (contact: Contact, isWhole: boolean) => ({
  ContactID: contact.contactId,
  ContactStatus: contact.status,
  Name: contact.name,
  EmailAddress: contact.email,
  IsSupplier: contact.isSupplier,
  IsCustomer: false,
  ...(isWhole && {
    BankAccountDetails: contact.bankAccount,
    BatchPayments: {
      BankAccountNumber: contact.bankAccount,
      BankAccountName: contact.bankAccountName,
      Details: "",
    },
    TaxNumber: contact.taxNumber,
    Phones: [{ PhoneType: "DEFAULT", PhoneNumber: contact.phone, PhoneAreaCode: "", PhoneCountryCode: "" }],
    Addresses: [{ AddressType: "POBOX", City: "", Region: "", PostalCode: "", Country: "" }],
  }),
  ...(contact.mergedTo && { MergedToContactID: contact.mergedTo }),
  UpdatedDateUTC: `/Date(${contact.updatedAt}+0000)/`,
});
