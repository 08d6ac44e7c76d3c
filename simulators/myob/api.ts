import type { Grant, Grants } from "../accounting/grants";
import type { SimulatedCall, SimulatorContext } from "../party";
import { type Route, route } from "../routes";
import { MYOB_CLIENT_ID } from "./identity";
import type { Bill, MyobBooks, MyobState, Supplier } from "./state";

const CALLS_PER_SECOND = 8;
const SECOND_MS = 1_000;
const DEFAULT_TOP = 400;
const MAX_TOP = 1_000;

const myobError = (status: number, Name: string, headers: HeadersInit = {}) =>
  Response.json(
    { Errors: [{ Name, Message: Name, AdditionalDetails: "", ErrorCode: 0, Severity: "Error", LearnMore: null }] },
    { status, headers },
  );

export const myobFault = (status: number): Response =>
  myobError(status, "SimulatedFault", status === 429 ? { "retry-after": "1" } : {});

/** Company files, their suppliers, and their bills. */
export function apiRoutes(
  state: MyobState,
  context: SimulatorContext,
  { grants, books }: { grants: Grants; books: MyobBooks },
): Route[] {
  /** A refusal, or the grant that a call stands for. */
  function admit({ request }: SimulatedCall): Grant | Response {
    const { headers } = request;
    if (headers.get("x-myobapi-key") !== MYOB_CLIENT_ID) return myobError(401, "ApiKeyIsInvalid");
    if (headers.get("x-myobapi-version") !== "v2") return myobError(400, "UnsupportedVersion");
    const grant = grants.of(request);
    if (!grant || grant === "expired") return myobError(401, "OAuthTokenIsInvalid");
    const now = context.now();
    state.calls = state.calls.filter((at) => at > now - SECOND_MS);
    if (state.calls.length >= CALLS_PER_SECOND) return myobError(429, "ApiKeyOverLimit", { "retry-after": "1" });
    state.calls.push(now);
    return grant;
  }

  function listFiles(call: SimulatedCall): Response {
    const grant = admit(call);
    if (grant instanceof Response) return grant;
    if (!grant.scopes.includes("sme-company-file")) return myobError(403, "AccessDenied");
    const own = state.files.filter(({ id }) => grant.ledgerIds.includes(id));
    return Response.json(own.map(({ id, name }) => ({ Id: id, Name: name, Country: "AU" })));
  }

  /** A refusal, or nothing: the grant opens this company file for this. */
  function refuse(call: SimulatedCall, businessId: string, scope: string): Response | undefined {
    const grant = admit(call);
    if (grant instanceof Response) return grant;
    const isAllowed = grant.ledgerIds.includes(businessId) && grant.scopes.includes(scope);
    return isAllowed ? undefined : myobError(403, "AccessDenied");
  }

  function listSuppliers(call: SimulatedCall, { businessId = "" }: Record<string, string>): Response {
    const refusal = refuse(call, businessId, "sme-contacts-supplier");
    if (refusal) return refusal;
    const query = call.url.searchParams;
    const found = select(state.suppliers, businessId, query);
    return Response.json(listOf(found.map(show), call));
  }

  return [
    route("GET", "/accountright", listFiles),
    route("GET", "/accountright/:businessId/Contact/Supplier", listSuppliers),
    route("GET", "/accountright/:businessId/Purchase/Bill", (call, { businessId = "" }) => {
      const refusal = refuse(call, businessId, "sme-purchases");
      return refusal ?? listBills({ state, books }, call, businessId);
    }),
  ];
}

type Books = { state: MyobState; books: MyobBooks };

async function listBills({ state, books }: Books, call: SimulatedCall, businessId: string): Promise<Response> {
  const isOpenOnly = call.url.searchParams.get("$filter") === "Status eq 'Open'";
  const found = books.bills
    .filter((bill) => bill.businessId === businessId && (!isOpenOnly || bill.balance > 0))
    .sort((a, b) => (a.uid < b.uid ? -1 : 1));
  const nameOf = (id: string) => state.suppliers.find(({ uid }) => uid === id)?.name ?? "";
  const shown = found.map((bill) => showBill(bill, nameOf(bill.supplierUid)));
  return tagged(call.request, JSON.stringify(listOf(shown, call)));
}

/** A page of a list, as OData asks for it. */
function listOf<Item>(found: readonly Item[], { url }: SimulatedCall) {
  const top = Math.min(Number(url.searchParams.get("$top") ?? DEFAULT_TOP), MAX_TOP);
  const skip = Number(url.searchParams.get("$skip") ?? 0);
  const next = new URL(url);
  next.searchParams.set("$skip", String(skip + top));
  return {
    Items: found.slice(skip, skip + top),
    NextPageLink: skip + top < found.length ? next.toString() : null,
    Count: found.length,
  };
}

/** An answer with its ETag; 304 when the caller has it already. */
async function tagged(request: Request, body: string): Promise<Response> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body));
  const etag = `"${[...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}"`;
  if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers: { etag } });
  return new Response(body, { headers: { "content-type": "application/json", etag } });
}

const showBill = (bill: Bill, name: string) => ({
  UID: bill.uid,
  Number: bill.number,
  SupplierInvoiceNumber: bill.supplierNumber,
  Supplier: { UID: bill.supplierUid, Name: name },
  TotalAmount: bill.total / 100,
  BalanceDueAmount: bill.balance / 100,
  Status: bill.balance > 0 ? "Open" : "Closed",
  ForeignCurrency: null,
});

function select(suppliers: readonly Supplier[], businessId: string, query: URLSearchParams): Supplier[] {
  const [, since] = /^LastModified gt datetime'([^']+)'$/.exec(query.get("$filter") ?? "") ?? [];
  const sinceMs = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(`${since}Z`);
  const found = suppliers.filter((each) => each.businessId === businessId && each.lastModified > sinceMs);
  const key = (supplier: Supplier) => (query.get("$orderby") === "UID" ? supplier.uid : supplier.name);
  return found.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

const show = (supplier: Supplier) => ({
  UID: supplier.uid,
  CompanyName: supplier.name,
  LastName: null,
  FirstName: null,
  IsIndividual: false,
  DisplayID: "*None",
  IsActive: supplier.isActive,
  Addresses: [{ Location: 1, Street: "", City: "", State: "", PostCode: "", Phone1: null, Email: supplier.email }],
  BuyingDetails: { ABN: supplier.abn },
  PaymentDetails: {
    BSBNumber: supplier.bsb || null,
    BankAccountNumber: supplier.accountNumber || null,
    BankAccountName: supplier.accountName || null,
  },
  LastModified: new Date(supplier.lastModified).toISOString().slice(0, -1),
  RowVersion: "0",
});
