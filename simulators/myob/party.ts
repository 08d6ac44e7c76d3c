import { consentRoutes, exchangeTokens, oauthError } from "../accounting/consent";
import { createGrants, type Grant, type Grants } from "../accounting/grants";
import { centsOf, html, money, page, seeOther } from "../html";
import type { Party, SimulatedCall, SimulatorContext } from "../party";
import { createRoutes, type Route, route } from "../routes";
import { type Bill, type MyobBooks, type MyobState, myobBooks, myobState, type Supplier } from "./state";

const MYOB_CLIENT_ID = "myob-simulator";

/** What a key made after 12 March 2025 may ask for; the older scope of the whole company file is refused. */
const SCOPES = new Set([
  "sme-company-file",
  "sme-company-settings",
  "sme-contacts-supplier",
  "sme-contacts-customer",
  "sme-contacts-employee",
  "sme-purchases",
  "sme-banking",
  "sme-general-ledger",
  "sme-sales",
]);

/** The consent page, on which an administrator picks one company file, and the token endpoint. */
function identityRoutes(state: MyobState, context: SimulatorContext, grants: Grants): Route[] {
  const choices = () => state.files.map(({ id, name }) => html`<option value="${id}">${name}</option>`);
  const at = "/oauth2/account/authorize";
  const consent = consentRoutes(context, grants, {
    ...{ name: "MYOB", path: at, address: `/myob${at}`, clientId: MYOB_CLIENT_ID, scopes: SCOPES, field: "businessId" },
    refuse: (query) => (query.get("prompt") === "consent" ? undefined : "prompt=consent is needed"),
    ids: () => state.files.map(({ id }) => id),
    choices: () => html`<label>Company file <select name="businessId">${choices()}</select></label>`,
    goBack: (back, [businessId = ""]) => {
      back.searchParams.set("businessId", businessId);
      back.searchParams.set("businessName", state.files.find(({ id }) => id === businessId)?.name ?? "");
    },
  });

  async function token({ body }: SimulatedCall): Promise<Response> {
    const form = new URLSearchParams(body);
    const isClient =
      form.get("client_id") === MYOB_CLIENT_ID && form.get("client_secret") === context.secrets.myobClientSecret;
    if (!isClient) return oauthError("invalid_client");
    const { grant, expires_in, ...tokens } = await exchangeTokens(grants, form);
    // MYOB writes the seconds as text.
    return Response.json({
      ...tokens,
      expires_in: String(expires_in),
      token_type: "bearer",
      scope: grant.scopes.join(" "),
    });
  }

  return [...consent, route("POST", "/oauth2/v1/authorize", token)];
}

const SHOWN = 200;

/** What a person does inside MYOB: edits suppliers and bills, connects apps. MYOB tells nobody of a change. */
function pageRoutes(
  state: MyobState,
  context: SimulatorContext,
  { grants, books }: { grants: Grants; books: MyobBooks },
): Route[] {
  function saveSupplier({ body }: SimulatedCall, { uid = "" }: Record<string, string>): Response {
    const form = new URLSearchParams(body);
    const known = state.suppliers.find((supplier) => supplier.uid === uid);
    const supplier = known ?? newSupplier(context.randomId(), state.files[0]?.id ?? "");
    if (!known) state.suppliers.push(supplier);
    if (form.get("intent") === "inactive") supplier.isActive = false;
    for (const field of ["name", "email", "bsb", "accountNumber", "accountName", "abn"] as const) {
      supplier[field] = (form.get(field) ?? supplier[field]).trim();
    }
    supplier.lastModified = context.now();
    context.save();
    return seeOther(`/myob/suppliers/${supplier.uid}`);
  }

  function revokeGrant(_call: SimulatedCall, { id = "" }: Record<string, string>): Response {
    grants.revoke(id);
    return seeOther("/myob");
  }

  const find = (uid = "") => state.suppliers.find((supplier) => supplier.uid === uid);
  return [
    ...billRoutes(state, books, context),
    route("GET", "", () => overviewPage(state, books)),
    route("POST", "/suppliers", (call) => saveSupplier(call, {})),
    route("GET", "/suppliers/:uid", (_call, { uid }) => supplierPage(find(uid))),
    route("POST", "/suppliers/:uid", saveSupplier),
    route("POST", "/grants/:id/revoke", revokeGrant),
    route("POST", "/key", ({ body }) => {
      state.isKeyInactive = new URLSearchParams(body).get("intent") === "deactivate";
      context.save();
      return seeOther("/myob");
    }),
  ];
}

function billRoutes(state: MyobState, books: MyobBooks, context: SimulatorContext): Route[] {
  function addBill({ body }: SimulatedCall): Response {
    const form = new URLSearchParams(body);
    const supplier = state.suppliers.find(({ uid }) => uid === form.get("supplierUid"));
    const total = centsOf(form.get("amount"));
    if (!supplier || !(total > 0)) return page("Not added", html`<p>A bill needs a supplier and an amount.</p>`, 400);
    books.lastNumber += 1;
    books.bills.push({
      uid: context.randomId(),
      businessId: supplier.businessId,
      supplierUid: supplier.uid,
      number: String(books.lastNumber).padStart(8, "0"),
      supplierNumber: (form.get("supplierNumber") ?? "").trim(),
      total,
      balance: total,
    });
    context.save();
    return seeOther("/myob");
  }

  /** A deleted bill is gone: MYOB keeps no trace of it. */
  function saveBill({ body }: SimulatedCall, { uid = "" }: Record<string, string>): Response {
    const form = new URLSearchParams(body);
    const bill = books.bills.find((each) => each.uid === uid);
    if (!bill) return page("Not found", html`<p>There is no such bill.</p>`, 404);
    const intent = form.get("intent");
    if (intent === "pay") bill.balance = 0;
    else if (intent === "delete") books.bills = books.bills.filter((each) => each !== bill);
    else if (bill.balance > 0) bill.total = bill.balance = centsOf(form.get("amount"));
    context.save();
    return seeOther("/myob");
  }

  return [route("POST", "/bills", addBill), route("POST", "/bills/:uid", saveBill)];
}

const newSupplier = (uid: string, businessId: string): Supplier => ({
  uid,
  businessId,
  name: "",
  email: "",
  bsb: "",
  accountNumber: "",
  accountName: "",
  abn: "",
  isActive: true,
  lastModified: 0,
});

const fields = (
  supplier?: Supplier,
) => html`<label>Name <input name="name" required size="40" value="${supplier?.name ?? ""}"></label>
<label>Email <input name="email" size="40" value="${supplier?.email ?? ""}"></label>
<label>BSB <input name="bsb" value="${supplier?.bsb ?? ""}"></label>
<label>Bank account number <input name="accountNumber" value="${supplier?.accountNumber ?? ""}"></label>
<label>Bank account name <input name="accountName" size="40" value="${supplier?.accountName ?? ""}"></label>
<label>ABN <input name="abn" value="${supplier?.abn ?? ""}"></label>`;

function billsPart(state: MyobState, books: MyobBooks) {
  const nameOf = (id: string) => state.suppliers.find(({ uid }) => uid === id)?.name ?? "";
  const rows = books.bills.map(
    (bill) =>
      html`<tr><td>${bill.supplierNumber || bill.number}</td><td>${nameOf(bill.supplierUid)}</td><td>${bill.balance > 0 ? "Open" : "Closed"}</td><td><form method="post" action="/myob/bills/${bill.uid}"><input name="amount" value="${money(bill.balance)}"> <button class="quiet">Save</button> <button name="intent" value="pay" class="quiet">Pay</button> <button name="intent" value="delete" class="quiet">Delete</button></form></td></tr>`,
  );
  const suppliers = state.suppliers
    .slice(0, SHOWN)
    .map(({ uid, name }) => html`<option value="${uid}">${name}</option>`);
  return html`<h2>Bills</h2><table><tbody>${rows}</tbody></table>
<h2>Add a bill</h2><form method="post" action="/myob/bills"><label>Supplier <select name="supplierUid">${suppliers}</select></label>
<label>Supplier’s number <input name="supplierNumber"></label><label>Amount <input name="amount" required></label><button>Add</button></form>`;
}

function overviewPage(state: MyobState, books: MyobBooks): Response {
  const suppliers = state.suppliers
    .slice(0, SHOWN)
    .map(
      (each) =>
        html`<tr><td><a href="/myob/suppliers/${each.uid}">${each.name}</a></td><td>${each.bsb} ${each.accountNumber}</td><td>${each.isActive ? "active" : "inactive"}</td></tr>`,
    );
  const living = Object.values(state.grants).filter(({ isRevoked }) => !isRevoked);
  const apps = living.map(
    ({ id }) =>
      html`<li>PayeeProof <form method="post" action="/myob/grants/${id}/revoke"><button class="quiet">Withdraw consent</button></form></li>`,
  );
  return page(
    "MYOB",
    html`<h2>Suppliers</h2><table><tbody>${suppliers}</tbody></table>
<h2>Add a supplier</h2><form method="post" action="/myob/suppliers">${fields()}<button>Add</button></form>
${billsPart(state, books)}
<h2>Connected apps</h2><ul>${apps}</ul>
<form method="post" action="/myob/key"><button name="intent" value="${state.isKeyInactive ? "activate" : "deactivate"}" class="quiet">${state.isKeyInactive ? "Activate" : "Deactivate"} PayeeProof’s key</button></form>`,
  );
}

function supplierPage(supplier: Supplier | undefined): Response {
  if (!supplier) return page("Not found", html`<p>There is no such supplier.</p>`, 404);
  return page(
    supplier.name,
    html`<p><a href="/myob">All suppliers</a></p><form method="post">${fields(supplier)}<button>Save</button></form>
<form method="post"><button name="intent" value="inactive" class="quiet">Make inactive</button></form>`,
  );
}

const CALLS_PER_SECOND = 8;
const SECOND_MS = 1_000;
const DEFAULT_TOP = 400;
const MAX_TOP = 1_000;

const HTTP_STATUS = {
  AccessDenied: 403,
  DeveloperInactive: 403,
  OAuthTokenIsInvalid: 401,
  RateLimitError: 403,
} as const;
const MESSAGES: Readonly<Record<string, string>> = {
  AccessDenied: "Access denied",
  DeveloperInactive: "API key is missing or inactive",
  RateLimitError: "API key has exceeded the per-second rate limit",
};

/** As MYOB's page of error messages writes it (tests/conformance/myob). */
const myobError = (Name: string, status: number) => {
  const AdditionalDetails = Name === "RateLimitError" || Name === "DeveloperInactive" ? "Header: x-myobapi-key" : "";
  const error = { Name, Message: MESSAGES[Name] ?? Name, AdditionalDetails, ErrorCode: null, Severity: "Error" };
  return Response.json({ Errors: [{ ...error, LearnMore: null }] }, { status });
};

const refusal = (name: keyof typeof HTTP_STATUS) => myobError(name, HTTP_STATUS[name]);

const myobFault = (status: number): Response =>
  status === 429 ? refusal("RateLimitError") : myobError("SimulatedFault", status);

/** Company files, their suppliers, and their bills. */
function apiRoutes(
  state: MyobState,
  context: SimulatorContext,
  { grants, books }: { grants: Grants; books: MyobBooks },
): Route[] {
  /** Finds the grant of a call's access token, or throws the refusal. */
  function admit({ request }: SimulatedCall): Grant {
    const { headers } = request;
    if (state.isKeyInactive || headers.get("x-myobapi-key") !== MYOB_CLIENT_ID) throw refusal("DeveloperInactive");
    if (headers.get("x-myobapi-version") !== "v2") throw myobError("UnsupportedVersion", 400);
    const grant = grants.of(request);
    if (!grant || grant === "expired") throw refusal("OAuthTokenIsInvalid");
    const now = context.now();
    state.calls = state.calls.filter((at) => at > now - SECOND_MS);
    if (state.calls.length >= CALLS_PER_SECOND) throw refusal("RateLimitError");
    state.calls.push(now);
    return grant;
  }

  /** Throws the refusal if the call's grant does not allow this for this company file. */
  function open(call: SimulatedCall, businessId: string, scope: string): void {
    const { ledgerIds, scopes } = admit(call);
    if (!ledgerIds.includes(businessId) || !scopes.includes(scope)) throw refusal("AccessDenied");
  }

  return [
    // For a key created after 12 March 2025, the redirect names the company file, and this list is empty.
    route("GET", "/accountright/", (call) => {
      admit(call);
      return Response.json([]);
    }),
    route("GET", "/accountright/:businessId/Contact/Supplier", (call, { businessId = "" }) => {
      open(call, businessId, "sme-contacts-supplier");
      return Response.json(listOf(select(state.suppliers, businessId, call.url.searchParams).map(show), call));
    }),
    route("GET", "/accountright/:businessId/Purchase/Bill", (call, { businessId = "" }) => {
      open(call, businessId, "sme-purchases");
      return listBills({ state, books }, call, businessId);
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

const MINUTE_MS = 60_000;

/** Access 20 minutes, refresh 7 days; a replaced refresh token is not accepted again. */
const RULES = {
  accessSeconds: 1_200,
  refreshMs: 7 * 24 * 60 * MINUTE_MS,
  graceMs: 0,
  codeMs: 2 * MINUTE_MS,
  refreshScope: null,
};

/** MYOB Business: consent to one company file, and its suppliers. It has no webhooks and no history. */
export function myobParty(context: SimulatorContext): Party {
  const state = myobState(context);
  const grants = createGrants(state, context, RULES);
  const books = myobBooks(context);
  return {
    name: "myob",
    links: [{ href: "/myob", text: "Play a person in MYOB: suppliers, bills, and apps that are connected" }],
    isAppCall: ({ path }) => path === "/oauth2/v1/authorize" || path.startsWith("/accountright"),
    app: createRoutes(
      [
        ...identityRoutes(state, context, grants),
        ...apiRoutes(state, context, { grants, books }),
        ...pageRoutes(state, context, { grants, books }),
      ],
      () => myobFault(404),
    ),
    errorAnswer: (status) => myobFault(status),
    summarise: ({ path }) => (path.startsWith("/oauth2/") ? "(a secret)" : ""),
  };
}
