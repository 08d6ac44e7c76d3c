import type { Grant, Grants } from "../accounting/grants";
import type { SimulatedCall, SimulatorContext } from "../party";
import { type Route, route } from "../routes";
import { type Bill, dueOf, type Payment, type XeroBooks } from "./books";
import type { Contact, XeroState } from "./state";

const DEFAULT_PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 1_000;

const xeroError = (status: number, title: string, detail: string, headers: HeadersInit = {}) =>
  Response.json({ Type: null, Title: title, Status: status, Detail: detail }, { status, headers });

/** The organisation there that a call is about; one of the scopes is enough. Throws the refusal. */
type TenantGate = (call: SimulatedCall, scopes: readonly string[]) => string;

/** A page of a list, and where it stands among the others. */
function pageOf<Item>(found: readonly Item[], query: URLSearchParams) {
  const page = Math.max(1, Number(query.get("page") ?? 1));
  const pageSize = Math.min(Number(query.get("pageSize") ?? DEFAULT_PAGE_SIZE), MAX_PAGE_SIZE);
  const start = (page - 1) * pageSize;
  const pagination = { page, pageSize, pageCount: Math.ceil(found.length / pageSize), itemCount: found.length };
  return { items: found.slice(start, start + pageSize), pagination };
}

const READS_INVOICES = ["accounting.invoices.read", "accounting.invoices"];
const READS_PAYMENTS = ["accounting.payments.read", "accounting.payments"];
const WRITES_CONTACTS = ["accounting.contacts"];

const dollars = (cents: number) => cents / 100;
const dateOf = (ms: number) => `/Date(${ms}+0000)/`;

const isSince = ({ updatedAt }: { updatedAt: number }, { request }: SimulatedCall): boolean => {
  const since = Date.parse(request.headers.get("if-modified-since") ?? "");
  return Number.isNaN(since) || updatedAt >= since;
};

type Books = { state: XeroState; books: XeroBooks };

/** Bills, payments of bills, and notes in the history of a contact. */
function booksRoutes({ state, books }: Books, context: SimulatorContext, admit: TenantGate): Route[] {
  return [
    route("GET", "/api/api.xro/2.0/Invoices", (call) => listBills({ state, books }, call, admit)),
    route("GET", "/api/api.xro/2.0/Payments", (call) => listPayments({ state, books }, call, admit)),
    route("PUT", "/api/api.xro/2.0/Contacts/:id/History", (call, { id = "" }) =>
      addNote({ state, books }, context, { call, tenantId: admit(call, WRITES_CONTACTS), id }),
    ),
  ];
}

function listBills({ state, books }: Books, call: SimulatedCall, admit: TenantGate): Response {
  const tenantId = admit(call, READS_INVOICES);
  const query = call.url.searchParams;
  if (query.get("where") !== 'Type=="ACCPAY"') return xeroError(400, "QueryParseException", "where");
  const statuses = query.get("Statuses")?.split(",");
  const found = books.bills
    .filter((bill) => bill.tenantId === tenantId && isSince(bill, call))
    .filter(({ status }) => statuses?.includes(status) ?? true)
    .sort((a, b) => (a.invoiceId < b.invoiceId ? -1 : 1));
  const { items, pagination } = pageOf(found, query);
  const nameOf = (id: string) => state.contacts.find(({ contactId }) => contactId === id)?.name ?? "";
  return Response.json({ Invoices: items.map((bill) => showBill(bill, nameOf(bill.contactId))), pagination });
}

const showBill = (bill: Bill, name: string) => ({
  Type: "ACCPAY",
  InvoiceID: bill.invoiceId,
  InvoiceNumber: bill.number,
  Contact: { ContactID: bill.contactId, Name: name },
  Status: bill.status,
  Total: dollars(bill.total),
  AmountDue: dollars(dueOf(bill)),
  AmountPaid: dollars(bill.amountPaid),
  CurrencyCode: "AUD",
  UpdatedDateUTC: dateOf(bill.updatedAt),
});

function listPayments({ books }: Books, call: SimulatedCall, admit: TenantGate): Response {
  const tenantId = admit(call, READS_PAYMENTS);
  const query = call.url.searchParams;
  if (query.get("where") !== 'PaymentType=="ACCPAYPAYMENT"') return xeroError(400, "QueryParseException", "where");
  const billOf = (payment: Payment) => books.bills.find(({ invoiceId }) => invoiceId === payment.invoiceId);
  const found = books.payments
    .filter((payment) => billOf(payment)?.tenantId === tenantId && isSince(payment, call))
    .sort((a, b) => (a.paymentId < b.paymentId ? -1 : 1));
  const { items, pagination } = pageOf(found, query);
  return Response.json({ Payments: items.map((payment) => showPayment(payment, billOf(payment))), pagination });
}

const showPayment = (payment: Payment, bill: Bill | undefined) => ({
  PaymentID: payment.paymentId,
  PaymentType: "ACCPAYPAYMENT",
  Status: payment.status,
  Date: dateOf(payment.date),
  Amount: dollars(payment.amount),
  CurrencyRate: 1,
  IsReconciled: payment.isReconciled,
  BankAccountNumber: payment.bankAccount,
  Invoice: {
    InvoiceID: payment.invoiceId,
    InvoiceNumber: bill?.number ?? "",
    Contact: { ContactID: bill?.contactId ?? "" },
  },
  UpdatedDateUTC: dateOf(payment.updatedAt),
});

type Noting = { call: SimulatedCall; tenantId: string; id: string };

/** A repeated Idempotency-Key gets the first answer again, and writes nothing. */
function addNote({ state, books }: Books, context: SimulatorContext, { call, tenantId, id }: Noting): Response {
  const contact = state.contacts.find((each) => each.contactId === id && each.tenantId === tenantId);
  if (!contact) return xeroError(404, "Not Found", "The resource you're looking for cannot be found");
  const body = JSON.parse(call.body) as { HistoryRecords?: { Details?: string }[] };
  const details = body.HistoryRecords?.[0]?.Details ?? "";
  if (details === "" || details.length > 2_500) return xeroError(400, "ValidationException", "Details");
  const key = call.request.headers.get("idempotency-key");
  if (key === null || books.noteKeys[key] === undefined) {
    contact.history.push({ changes: "Note", user: "PayeeProof", at: context.now(), details });
    if (key !== null) books.noteKeys[key] = details;
    context.save();
  }
  return Response.json({ HistoryRecords: [{ Changes: "Note", Details: details, DateUTC: dateOf(context.now()) }] });
}

const CALLS_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

export const xeroFault = (status: number): Response =>
  status === 429
    ? new Response(null, { status, headers: { "retry-after": "60", "x-rate-limit-problem": "minute" } })
    : xeroError(status, "Simulated fault", "");

type Admit = (call: SimulatedCall) => Grant;

/** The organisations an app is connected to, their contacts with who changed them, and their bills. */
export function apiRoutes(
  state: XeroState,
  context: SimulatorContext,
  { grants, books }: { grants: Grants; books: XeroBooks },
): Route[] {
  /** Finds the grant of a call's access token, or throws the refusal. */
  const admit: Admit = ({ request }) => {
    const grant = grants.of(request);
    if (grant === "expired") throw xeroError(401, "Unauthorized", "TokenExpired: token expired");
    if (!grant) throw xeroError(401, "Unauthorized", "AuthenticationUnsuccessful");
    return grant;
  };
  const gate = tenantGate(state, context, admit);
  return [
    ...connectionRoutes(state, context, admit),
    ...[...contactRoutes(state, gate), ...booksRoutes({ state, books }, context, gate)].map(counted(state)),
  ];
}

const CALLS_PER_DAY = 5_000;
const CALLS_OF_APP_PER_MINUTE = 10_000;

/** Every answer about an organisation says how many calls are left. */
const counted =
  (state: XeroState) =>
  (made: Route): Route => ({
    ...made,
    async handle(call, path) {
      const answer = await made.handle(call, path);
      const recent = state.calls[call.request.headers.get("xero-tenant-id") ?? ""]?.length ?? 0;
      answer.headers.set("x-daylimit-remaining", String(CALLS_PER_DAY - recent));
      answer.headers.set("x-minlimit-remaining", String(CALLS_PER_MINUTE - recent));
      answer.headers.set("x-appminlimit-remaining", String(CALLS_OF_APP_PER_MINUTE - recent));
      return answer;
    },
  });

function connectionRoutes(state: XeroState, context: SimulatorContext, admit: Admit): Route[] {
  function connections(call: SimulatedCall): Response {
    const grant = admit(call);
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
    const tenantId = call.request.headers.get("xero-tenant-id");
    if (!tenantId) throw xeroError(403, "Forbidden", "TenantId header is missing");
    if (!state.connections.some((each) => each.grantId === grant.id && each.tenantId === tenantId)) {
      throw xeroError(403, "Forbidden", "AuthenticationUnsuccessful");
    }
    if (!scopes.some((scope) => grant.scopes.includes(scope))) {
      throw xeroError(401, "Unauthorized", "AuthorizationUnsuccessful");
    }
    countCall(state, tenantId, context.now());
    return tenantId;
  };
}

function contactRoutes(state: XeroState, admitToTenant: TenantGate): Route[] {
  function listContacts(call: SimulatedCall): Response {
    const tenantId = admitToTenant(call, READS_CONTACTS);
    const query = call.url.searchParams;
    const found = select(state.contacts, tenantId, call);
    if (!query.has("page")) return Response.json({ Contacts: found.map((contact) => show(contact, false)) });
    const isWhole = query.get("summaryOnly") !== "true";
    const { items, pagination } = pageOf(found, query);
    return Response.json({ Contacts: items.map((contact) => show(contact, isWhole)), pagination });
  }

  function history(call: SimulatedCall, { id = "" }: Record<string, string>): Response {
    const tenantId = admitToTenant(call, READS_CONTACTS);
    const contact = state.contacts.find((each) => each.contactId === id && each.tenantId === tenantId);
    if (!contact) return xeroError(404, "Not Found", "The resource you're looking for cannot be found");
    const records = contact.history.map(({ changes, user, at, details }) => {
      const DateUTCString = new Date(at).toISOString().slice(0, "2026-01-01T00:00:00".length);
      return { Changes: changes, DateUTCString, DateUTC: dateOf(at), User: user, Details: details };
    });
    return Response.json({ HistoryRecords: records });
  }

  function readContact(call: SimulatedCall, { id = "" }: Record<string, string>): Response {
    const tenantId = admitToTenant(call, READS_CONTACTS);
    const contact = state.contacts.find((each) => each.contactId === id && each.tenantId === tenantId);
    if (!contact) return xeroError(404, "Not Found", "The resource you're looking for cannot be found");
    return Response.json({ Contacts: [show(contact, true)] });
  }

  function readOrganisation(call: SimulatedCall): Response {
    const tenantId = admitToTenant(call, ["accounting.settings.read"]);
    const name = state.tenants.find((tenant) => tenant.tenantId === tenantId)?.name ?? "";
    const about = { Name: name, LegalName: name, Version: "AU", OrganisationType: "COMPANY", BaseCurrency: "AUD" };
    const set = { CountryCode: "AU", OrganisationStatus: "ACTIVE", IsDemoCompany: true, ShortCode: "!simul" };
    return Response.json({ Organisations: [{ OrganisationID: tenantId, APIKey: "", ...about, ...set }] });
  }

  return [
    route("GET", "/api/api.xro/2.0/Contacts", listContacts),
    route("GET", "/api/api.xro/2.0/Contacts/:id", readContact),
    route("GET", "/api/api.xro/2.0/Contacts/:id/History", history),
    route("GET", "/api/api.xro/2.0/Organisation", readOrganisation),
  ];
}

const READS_CONTACTS = ["accounting.contacts.read", "accounting.contacts"];

/** 60 calls a minute for each organisation; the next is refused, and told how long to wait. */
function countCall(state: XeroState, tenantId: string, now: number): void {
  const recent = (state.calls[tenantId] ?? []).filter((at) => at > now - MINUTE_MS);
  if (recent.length >= CALLS_PER_MINUTE) {
    const waitMs = (recent[0] ?? now) + MINUTE_MS - now;
    const headers = { "retry-after": String(Math.ceil(waitMs / 1000)), "x-rate-limit-problem": "minute" };
    throw new Response(null, { status: 429, headers });
  }
  state.calls[tenantId] = [...recent, now];
}

function select(contacts: readonly Contact[], tenantId: string, { request, url }: SimulatedCall): Contact[] {
  const since = Date.parse(request.headers.get("if-modified-since") ?? "");
  const withArchived = url.searchParams.get("includeArchived") === "true";
  const ids = url.searchParams.get("IDs")?.toLowerCase().split(",");
  const found = contacts.filter(
    (contact) =>
      contact.tenantId === tenantId &&
      (ids?.includes(contact.contactId) ?? true) &&
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
