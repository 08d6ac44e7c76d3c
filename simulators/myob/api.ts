import type { Grant, Grants } from "../accounting/grants";
import type { SimulatedCall, SimulatorContext } from "../party";
import { type Route, route } from "../routes";
import { MYOB_CLIENT_ID } from "./identity";
import type { MyobState, Supplier } from "./state";

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

/** Company files and their suppliers. */
export function apiRoutes(state: MyobState, context: SimulatorContext, grants: Grants): Route[] {
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

  function listSuppliers(call: SimulatedCall, { businessId = "" }: Record<string, string>): Response {
    const grant = admit(call);
    if (grant instanceof Response) return grant;
    if (!grant.ledgerIds.includes(businessId)) return myobError(403, "AccessDenied");
    if (!grant.scopes.includes("sme-contacts-supplier")) return myobError(403, "AccessDenied");
    const query = call.url.searchParams;
    const found = select(state.suppliers, businessId, query);
    const top = Math.min(Number(query.get("$top") ?? DEFAULT_TOP), MAX_TOP);
    const skip = Number(query.get("$skip") ?? 0);
    const next = new URL(call.url);
    next.searchParams.set("$skip", String(skip + top));
    return Response.json({
      Items: found.slice(skip, skip + top).map(show),
      NextPageLink: skip + top < found.length ? next.toString() : null,
      Count: found.length,
    });
  }

  return [
    route("GET", "/accountright", listFiles),
    route("GET", "/accountright/:businessId/Contact/Supplier", listSuppliers),
  ];
}

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
