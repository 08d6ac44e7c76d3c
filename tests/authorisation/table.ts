import { PEOPLE, type Who, type World } from "./people";

/**
 * Who may call which endpoint. Each row names the endpoint's rule, and the rule gives the response for everybody. An
 * endpoint without a row, or a row without an endpoint, fails the test.
 */

type Statuses = Record<Who, number>;

const everybody = (status: number): Statuses => Object.fromEntries(PEOPLE.map((who) => [who, status])) as Statuses;

const TO_SIGN_IN = 302;
const LED_AWAY = 302;

/** Signed-out visitors, and people who cannot sign in any more. */
const outside = (status: number) => ({ anonymous: status, inactive: status });
/** Signed-in people who may not act, because of their own status or their organisation's. */
const CLOSED = { pending: 403, rejected: 403, suspended: 403 };

/**
 * The rules. `ok` is the response to those who are allowed. `elsewhere` is the response to people of another
 * organisation and to super admins: 404 if the row belongs to our organisation, otherwise like people who are allowed.
 */
const RULES = {
  /** Public. */
  public: (ok: number) => everybody(ok),
  /** A person's own account, whatever the state of their organisation. */
  page_person: (ok: number) => ({ ...everybody(ok), ...outside(TO_SIGN_IN) }),
  call_person: (ok: number) => ({ ...everybody(ok), ...outside(401) }),
  /** Reading an organisation's data. */
  page_look: (ok: number, elsewhere: number) => ({
    ...everybody(ok),
    ...outside(TO_SIGN_IN),
    ...CLOSED,
    other: elsewhere,
    super_admin: elsewhere,
  }),
  call_look: (ok: number, elsewhere: number) => ({
    ...everybody(ok),
    ...outside(401),
    ...CLOSED,
    other: elsewhere,
    super_admin: elsewhere,
  }),
  /** Changing an organisation's data: super admins belong to no organisation. */
  page_change: (ok: number, elsewhere: number) => ({
    ...everybody(ok),
    ...outside(TO_SIGN_IN),
    ...CLOSED,
    read_only: 403,
    other: elsewhere,
    super_admin: 403,
  }),
  call_change: (ok: number, elsewhere: number) => ({
    ...everybody(ok),
    ...outside(401),
    ...CLOSED,
    read_only: 403,
    other: elsewhere,
    super_admin: 403,
  }),
  /** Administering the organisation itself. */
  page_administer: (ok: number, elsewhere: number) => ({
    ...everybody(403),
    ...outside(TO_SIGN_IN),
    admin: ok,
    other: elsewhere,
  }),
  call_administer: (ok: number, elsewhere: number) => ({
    ...everybody(403),
    ...outside(401),
    admin: ok,
    other: elsewhere,
  }),
  /** The list of people: other roles are redirected to the dashboard. */
  page_people: (ok: number, elsewhere: number) => ({
    ...everybody(403),
    ...outside(TO_SIGN_IN),
    member: LED_AWAY,
    read_only: LED_AWAY,
    admin: ok,
    other: elsewhere,
    super_admin: ok,
  }),
  /** The list of organisations. */
  page_platform: (ok: number) => ({
    ...everybody(LED_AWAY),
    ...outside(TO_SIGN_IN),
    pending: 403,
    rejected: 403,
    super_admin: ok,
  }),
} satisfies Record<string, (ok: number, elsewhere: number) => Statuses>;

type Rule = keyof typeof RULES;

export type Sent = { json?: unknown; form?: Record<string, string>; text?: string };

type Options = {
  /** The response to those who are allowed; 200 by default. Posts without useful content get 400. */
  ok?: number;
  /** The URL; by default the endpoint's path, if it has no parameters. */
  at?: (world: World) => string;
  /** The request body. */
  send?: Sent;
  /** A row of our organisation, for which people of other organisations get 404, and the body they send. */
  ours?: Sent | true;
  /** Responses that differ from the rule, each with its reason. */
  but?: Partial<Statuses>;
};

export type Row = {
  endpoint: string;
  rule: Rule;
  at: (world: World) => string;
  send: Sent;
  ours: Sent | undefined;
  expected: Statuses;
};

function row(endpoint: string, rule: Rule, options: Options = {}): Row {
  const { ok = 200, ours, but = {}, send = {} } = options;
  const path = endpoint.slice(endpoint.indexOf(" ") + 1);
  const expected = { ...RULES[rule](ok, ours ? 404 : ok), ...but };
  return { endpoint, rule, at: options.at ?? (() => path), send, ours: ours === true ? {} : ours, expected };
}

/** An unknown id. */
const MISSING = "01a1f2b3-0b52-7a90-8f2b-000000000000";
const NOTHING_USEFUL = { json: { nothing: "useful" } };
const NOT_JSON = { text: "[" };
const NO_FIELDS = { form: { nothing: "useful" } };
const REASON = "It was never one of ours";

const payee = ({ payeeId }: World) => payeeId;
const verification = ({ verificationId }: World) => verificationId;
const payment = ({ paymentId }: World) => paymentId;
const paymentFile = ({ fileId }: World) => fileId;
const invoice = ({ invoiceId }: World) => invoiceId;
const webhookEndpoint = ({ endpointId }: World) => endpointId;
const bulkCheck = ({ bulkCheckId }: World) => bulkCheckId;
const payeeRequest = ({ requestId }: World) => requestId;
const payeeImport = ({ importId }: World) => importId;
const at =
  (before: string, id: (world: World) => string, after = "") =>
  (world: World) =>
    `${before}${id(world)}${after}`;

/** An API token acts in an organisation, so these calls accept one. */
const OF_NO_ORGANIZATION = { super_admin: 403 };
/** Super admins, who need no organisation, are redirected to their own pages. */
const SUPER_ADMIN_TO_ADMIN = { super_admin: 302 };
/** The refusal is shown instead of the page, within its layout. */
const NOTICE = { pending: 200, rejected: 200 };

export const TABLE: readonly Row[] = [
  ...[
    "/",
    "/about",
    "/blog",
    "/blog/rss.xml",
    "/careers",
    "/contact",
    "/faq",
    "/features",
    "/healthz",
    "/help",
    "/how-it-works",
    "/name-matching",
    "/partners",
    "/pricing",
    "/privacy",
    "/resources",
    "/robots.txt",
    "/security",
    "/sitemap.xml",
    "/status",
    "/terms",
    "/.well-known/security.txt",
  ].map((path) => row(`GET ${path}`, "public")),
  row("GET /healthz/status", "public", { ok: 401 }),
  row("GET /*", "public", { ok: 404, at: () => "/nowhere" }),
  row("POST /*", "public", { ok: 404, at: () => "/nowhere", send: NO_FIELDS }),
  row("GET /blog/:slug", "public", { ok: 404, at: () => "/blog/nothing" }),
  row("POST /contact", "public", { ok: 400, send: NO_FIELDS }),
  row("POST /features", "public", { ok: 400, send: NO_FIELDS }),
  row("POST /name-matching", "public", { ok: 400, send: NO_FIELDS }),
  row("GET /theme", "public", { ok: 302 }),
  row("POST /theme", "public", { ok: 303, send: NO_FIELDS }),

  row("GET /auth", "public", { ok: 302, but: { anonymous: 200, inactive: 200 } }),
  row("POST /auth", "public", { ok: 302, send: NO_FIELDS, but: { anonymous: 400, inactive: 400 } }),
  row("GET /auth/lookup", "public", { at: () => "/auth/lookup?email=kim@nobody.example" }),
  row("GET /auth/forgot", "public"),
  row("POST /auth/forgot", "public", { ok: 400, send: NO_FIELDS }),
  row("POST /auth/passkey", "public"),
  row("GET /auth/company", "public"),
  row("POST /auth/company", "public", { ok: 400, send: NO_FIELDS }),
  row("GET /auth/company/go", "public", { ok: 302 }),
  row("GET /auth/company/link", "public", { ok: 302 }),
  row("POST /auth/company/link", "public", { ok: 303, send: NO_FIELDS }),
  row("GET /auth/company/renew", "public", { ok: 302 }),
  row("GET /auth/company/:id/return", "public", {
    ok: 303,
    at: () => `/auth/company/${MISSING}/return?code=x&state=y`,
  }),
  // A directory comes with its organisation's own token; no session of a person opens this.
  row("GET /scim/v2/*", "public", { ok: 401, at: () => "/scim/v2/Users" }),
  row("POST /scim/v2/*", "public", { ok: 401, at: () => "/scim/v2/Users", send: NOTHING_USEFUL }),
  row("GET /auth/confirm", "page_person"),
  row("POST /auth/confirm", "page_person", { ok: 400, send: NO_FIELDS }),
  row("GET /auth/kept-form", "public", { ok: 302 }),
  row("POST /auth/kept-form", "public", { ok: 401, send: NO_FIELDS }),
  row("GET /auth/two-step", "public", { ok: 302 }),
  row("POST /auth/two-step", "public", { ok: 303, send: NO_FIELDS }),
  row("GET /logout", "page_person", { ok: 200 }),
  row("POST /logout", "public", { ok: 303, send: NO_FIELDS }),
  row("GET /certificates", "public"),
  row("GET /certificates/:id", "public", {
    ok: 404,
    at: () => `/certificates/00000000-0000-7000-8000-000000000000?hash=${"0".repeat(64)}`,
  }),
  row("GET /stop-emails/:token", "public", { ok: 404, at: () => "/stop-emails/unknown" }),
  row("POST /stop-emails/:token", "public", { ok: 404, at: () => "/stop-emails/unknown", send: NO_FIELDS }),
  row("GET /stop-emails/:token/at-once", "public", { ok: 302, at: () => "/stop-emails/unknown/at-once" }),
  row("POST /stop-emails/:token/at-once", "public", {
    ok: 400,
    at: () => "/stop-emails/unknown/at-once",
    send: NO_FIELDS,
  }),
  row("GET /confirm-contact/:token", "public", { ok: 404, at: () => "/confirm-contact/unknown" }),
  row("POST /confirm-contact/:token", "public", { ok: 404, at: () => "/confirm-contact/unknown", send: NO_FIELDS }),
  row("GET /confirm-email/:token", "public", { ok: 404, at: () => "/confirm-email/unknown" }),
  row("POST /confirm-email/:token", "public", { ok: 404, at: () => "/confirm-email/unknown", send: NO_FIELDS }),
  row("GET /email-change/:token", "public", { ok: 404, at: () => "/email-change/unknown" }),
  row("POST /email-change/:token", "public", { ok: 404, at: () => "/email-change/unknown", send: NO_FIELDS }),
  row("GET /reset-password/:token", "public", { ok: 404, at: () => "/reset-password/unknown" }),
  row("POST /reset-password/:token", "public", { ok: 400, at: () => "/reset-password/unknown", send: NO_FIELDS }),
  row("GET /invitation/:token", "public", { ok: 404, at: () => "/invitation/unknown" }),
  row("POST /invitation/:token", "public", {
    ok: 404,
    at: () => "/invitation/unknown",
    send: NO_FIELDS,
    but: { anonymous: 400, inactive: 400 },
  }),
  row("GET /verify/:token", "public", { ok: 404, at: () => "/verify/unknown?vid=1&pid=2" }),
  row("POST /verify/:token", "public", { ok: 400, at: () => "/verify/unknown?vid=1&pid=2", send: NO_FIELDS }),
  row("GET /details/:token", "public", { ok: 404, at: () => "/details/unknown" }),
  row("POST /details/:token", "public", { ok: 400, at: () => "/details/unknown", send: NO_FIELDS }),
  row("GET /report-message/:token", "public", { ok: 404, at: () => "/report-message/unknown" }),
  row("POST /report-message/:token", "public", { ok: 404, at: () => "/report-message/unknown", send: NO_FIELDS }),
  row("GET /bank-consent/continue", "public", { ok: 404 }),
  row("GET /bank-consent/return", "public"),

  row("GET /api/*", "public", { ok: 404, at: () => "/api/nothing" }),
  row("POST /api/*", "public", { ok: 404, at: () => "/api/nothing", send: NOTHING_USEFUL }),
  row("GET /api/openapi.json", "public"),
  row("GET /api/docs", "public"),
  row("GET /api/docs/:group", "public", { at: () => "/api/docs/payees" }),
  row("POST /api/contact", "public", { ok: 400, send: NOTHING_USEFUL }),
  row("POST /api/forgot-password", "public", { ok: 400, send: NOTHING_USEFUL }),
  row("POST /api/login", "public", { ok: 400, send: NOTHING_USEFUL }),
  row("POST /api/logout", "public", { ok: 204 }),
  row("POST /api/register", "public", { ok: 400, send: NOTHING_USEFUL }),
  row("POST /api/reset-password", "public", { ok: 400, send: NOTHING_USEFUL }),
  row("GET /api/organizations/:id", "public", { at: at("/api/organizations/", ({ admin }) => admin.organizationId) }),
  row("GET /api/organizations/by-domain/:domain", "public", {
    ok: 404,
    at: () => "/api/organizations/by-domain/nobody.example",
  }),
  row("GET /api/verify/:token", "public", { ok: 404, at: () => "/api/verify/unknown?vid=1&pid=2" }),
  row("POST /api/verify/:token", "public", { ok: 400, at: () => "/api/verify/unknown", send: NOTHING_USEFUL }),
  row("POST /webhooks/basiq", "public", { ok: 401, send: NOTHING_USEFUL }),
  row("POST /webhooks/mail", "public", { ok: 401, send: NOTHING_USEFUL }),
  row("POST /webhooks/sms", "public", { ok: 401, send: NOTHING_USEFUL }),
  row("POST /webhooks/stripe", "public", { ok: 401, send: NOTHING_USEFUL }),
  row("POST /webhooks/xero", "public", { ok: 401, send: NOTHING_USEFUL }),

  row("GET /profile", "page_person"),
  row("POST /profile", "page_person", { ok: 400, at: () => "/profile?index", send: NO_FIELDS }),
  row("GET /profile/alerts", "page_person"),
  row("POST /profile/alerts", "page_look", { ok: 400, send: NO_FIELDS, but: OF_NO_ORGANIZATION }),
  row("GET /profile/passkeys", "page_person"),
  row("POST /profile/passkeys", "page_person", { ok: 400, send: NO_FIELDS }),
  row("GET /profile/password", "page_person"),
  row("POST /profile/password", "page_person", { ok: 400, send: NO_FIELDS }),
  row("GET /profile/reviewing", "page_person"),
  row("POST /profile/reviewing", "page_person", { ok: 303, send: NO_FIELDS }),
  row("GET /profile/two-step", "page_person"),
  row("POST /profile/two-step", "page_person", { ok: 400, send: NO_FIELDS }),
  row("GET /profile/sessions", "page_person"),
  row("POST /profile/sessions", "page_person", { ok: 303, send: NO_FIELDS }),
  row("GET /profile/tokens", "page_person"),
  row("POST /profile/tokens", "page_person", { ok: 400, send: NO_FIELDS, but: OF_NO_ORGANIZATION }),
  row("GET /select-organization", "page_person"),
  row("POST /select-organization", "page_person", { ok: 303, send: NO_FIELDS }),
  row("GET /api/user", "call_person"),
  row("POST /api/select-organization", "call_person", { ok: 400, send: NOTHING_USEFUL }),

  row("GET /sample-data", "page_look"),
  row("POST /sample-data", "page_look", { ok: 400, send: NO_FIELDS }),
  row("GET /dashboard", "page_look", { but: { ...NOTICE, ...SUPER_ADMIN_TO_ADMIN } }),
  row("GET /alerts", "page_look"),
  row("POST /alerts", "page_look", { ok: 404, send: NO_FIELDS }),
  row("GET /audit", "page_look"),
  row("GET /audit/export.csv", "page_look"),
  row("GET /audit/seals", "page_look"),
  row("GET /reports", "page_look"),
  row("GET /reports/export.csv", "page_look", { at: () => "/reports/export.csv?report=money" }),
  row("GET /payees", "page_look"),
  row("POST /payees", "page_change", { ok: 400, at: () => "/payees?index", send: NO_FIELDS }),
  row("GET /payees/institution", "call_look", { at: () => "/payees/institution?bsb=062000" }),
  row("GET /payees/:id", "page_look", { at: at("/payees/", payee), ours: true }),
  row("POST /payees/:id", "page_change", {
    ok: 400,
    at: at("/payees/", payee),
    send: NO_FIELDS,
    ours: { form: { intent: "verify" } },
  }),
  row("GET /payees/:id/accounting", "page_look", { at: at("/payees/", payee, "/accounting"), ours: true }),
  row("POST /payees/:id/accounting", "page_change", {
    ok: 400,
    at: at("/payees/", payee, "/accounting"),
    send: NO_FIELDS,
  }),
  row("GET /payees/:id/edit", "page_change", { at: at("/payees/", payee, "/edit"), ours: true }),
  row("POST /payees/:id/edit", "page_change", {
    ok: 400,
    at: at("/payees/", payee, "/edit"),
    send: NO_FIELDS,
    ours: { form: { version: "1", name: "A name", accountName: "A name", bsb: "062000", accountNumber: "12345678" } },
  }),
  row("GET /payees/export", "page_look"),
  row("GET /payees/health", "page_look"),
  row("POST /payees/health", "page_change", { ok: 303, send: NO_FIELDS }),
  row("GET /payees/health/export", "page_look", { at: () => "/payees/health/export?kind=stale" }),
  row("GET /payees/import", "page_look"),
  row("POST /payees/import", "page_change", { ok: 400, at: () => "/payees/import?index", send: NO_FIELDS }),
  row("GET /payees/import/:id", "page_look", { at: at("/payees/import/", payeeImport), ours: true }),
  row("POST /payees/import/:id", "page_change", {
    ok: 400,
    at: at("/payees/import/", payeeImport),
    send: NO_FIELDS,
    ours: { form: { intent: "stop" } },
  }),
  row("GET /payees/import/:id/result", "page_look", { at: at("/payees/import/", payeeImport, "/result"), ours: true }),
  row("GET /payees/checks", "page_look"),
  row("POST /payees/checks", "page_change", { ok: 303, at: () => "/payees/checks?index", send: NO_FIELDS }),
  row("GET /payees/checks/:id", "page_look", { at: at("/payees/checks/", bulkCheck), ours: true }),
  row("POST /payees/checks/:id", "page_change", {
    ok: 400,
    at: at("/payees/checks/", bulkCheck),
    send: NO_FIELDS,
    ours: { form: { intent: "stop" } },
  }),
  row("POST /payees/known", "call_change", { ok: 400, send: NO_FIELDS }),
  row("GET /payees/requests", "page_look"),
  row("POST /payees/requests", "page_change", { ok: 400, send: NO_FIELDS }),
  row("GET /payees/verify", "page_change"),
  row("POST /payees/verify", "page_change", { ok: 400, send: NO_FIELDS }),
  row("GET /search", "page_look"),
  row("GET /verifications", "page_look"),
  row("GET /verifications/all", "page_look"),
  row("GET /verifications/export.csv", "page_look"),
  row("GET /verifications/pending", "page_look"),
  row("POST /verifications/pending", "page_look", { ok: 400, send: NO_FIELDS, but: OF_NO_ORGANIZATION }),
  row("GET /verifications/:id/notes", "page_look", { at: at("/verifications/", verification, "/notes"), ours: true }),
  row("POST /verifications/:id/notes", "page_change", {
    ok: 400,
    at: at("/verifications/", verification, "/notes"),
    send: NO_FIELDS,
    ours: { form: { intent: "comment", text: "A comment" } },
  }),
  row("GET /verifications/:id", "page_look", { at: at("/verifications/", verification), ours: true }),
  row("GET /verifications/:id/certificate", "page_look", {
    ok: 409,
    at: at("/verifications/", verification, "/certificate"),
    ours: true,
  }),
  row("POST /verifications/:id", "page_change", {
    ok: 400,
    at: at("/verifications/", verification),
    send: NO_FIELDS,
    ours: { form: { intent: "reject", reason: REASON } },
  }),
  row("GET /payments", "page_look"),
  row("POST /payments", "page_change", { ok: 400, at: () => "/payments?index", send: NO_FIELDS }),
  row("GET /payments.csv", "page_look"),
  row("GET /payees/trusted-next", "page_look"),
  row("GET /payments/new", "page_change"),
  row("POST /payments/new", "page_change", { ok: 400, send: NO_FIELDS }),
  row("GET /payments/:id", "page_look", { at: at("/payments/", payment), ours: true }),
  row("GET /payments/:id/replay", "page_look", { at: at("/payments/", payment, "/replay"), ours: true }),
  row("POST /payments/:id", "page_change", {
    ok: 400,
    at: at("/payments/", payment),
    send: NO_FIELDS,
    ours: { form: { intent: "reject", reason: REASON } },
  }),
  row("GET /payments/files", "page_look"),
  row("POST /payments/files", "page_change", { ok: 400, at: () => "/payments/files?index", send: NO_FIELDS }),
  row("GET /payments/files/prove", "page_look"),
  row("POST /payments/files/prove", "page_look", { ok: 400, send: NO_FIELDS }),
  row("GET /payments/files/settings", "page_change"),
  row("POST /payments/files/settings", "page_administer", { ok: 400, send: NO_FIELDS }),
  row("GET /payments/files/:id", "page_look", { at: at("/payments/files/", paymentFile), ours: true }),
  row("POST /payments/files/:id", "page_change", {
    ok: 400,
    at: at("/payments/files/", paymentFile),
    send: NO_FIELDS,
    ours: { form: { intent: "reject", reason: REASON, line: "2" } },
  }),
  row("GET /payments/files/:id/original", "page_look", {
    at: at("/payments/files/", paymentFile, "/original"),
    ours: true,
  }),
  row("GET /payments/files/:id/cleared", "page_look", {
    ok: 404,
    at: at("/payments/files/", paymentFile, "/cleared"),
    ours: true,
  }),
  row("GET /payments/files/:id/replay", "page_look", {
    at: at("/payments/files/", paymentFile, "/replay"),
    ours: true,
  }),
  row("GET /payments/files/:id/certificate", "page_look", {
    ok: 404,
    at: at("/payments/files/", paymentFile, "/certificate"),
    ours: true,
  }),
  row("GET /payments/files/:id/outcomes", "page_change", {
    at: at("/payments/files/", paymentFile, "/outcomes"),
    ours: true,
  }),
  row("POST /payments/files/:id/outcomes", "page_change", {
    ok: 409,
    at: at("/payments/files/", paymentFile, "/outcomes"),
    send: NO_FIELDS,
    ours: { form: { intent: "all" } },
  }),
  row("GET /invoices", "page_look"),
  row("POST /invoices", "page_change", { ok: 400, at: () => "/invoices?index", send: NO_FIELDS }),
  row("GET /invoices/settings", "page_administer"),
  row("POST /invoices/settings", "page_administer", { ok: 400, send: NO_FIELDS }),
  row("GET /invoices/:id", "page_look", { at: at("/invoices/", invoice), ours: true }),
  row("POST /invoices/:id", "page_change", {
    ok: 400,
    at: at("/invoices/", invoice),
    send: NO_FIELDS,
    ours: { form: { decision: "reject", reason: REASON } },
  }),
  row("GET /invoices/:id/replay", "page_look", { at: at("/invoices/", invoice, "/replay"), ours: true }),
  row("GET /invoices/:id/original", "page_look", { at: at("/invoices/", invoice, "/original"), ours: true }),
  row("GET /subscription", "page_look"),
  row("POST /subscription", "page_change", { ok: 409, send: { form: { intent: "resume" } } }),
  row("GET /subscription/cancel", "page_change", { ok: 302 }),
  row("POST /subscription/cancel", "page_change", { ok: 302, send: NO_FIELDS }),
  row("GET /subscription/stripe-redirect", "page_change", {
    ok: 302,
    at: () => "/subscription/stripe-redirect?to=nowhere",
  }),
  row("GET /subscription/invoices/:id", "page_look", { ok: 404, at: at("/subscription/invoices/", payee), ours: true }),

  row("POST /api/name-match", "public", { ok: 400, send: NOTHING_USEFUL }),
  row("GET /api/reports/:report", "call_look", { at: () => "/api/reports/money" }),
  row("GET /api/audit", "call_look"),
  row("GET /api/audit/export.ndjson", "call_look"),
  row("GET /api/audit/verify", "call_look"),
  row("GET /api/billing/subscription", "call_look", { but: { super_admin: 404 } }),
  row("POST /api/billing/create-subscription", "call_change", { ok: 400, send: NOT_JSON }),
  row("POST /api/billing/cancel-subscription", "call_change", { ok: 400, send: NOT_JSON }),
  row("GET /api/payees", "call_look"),
  row("POST /api/payees", "call_change", { ok: 400, send: NOTHING_USEFUL }),
  row("GET /api/payees/:id", "call_look", { at: at("/api/payees/", payee), ours: true }),
  row("GET /api/payees/:id/evidence", "call_look", { at: at("/api/payees/", payee, "/evidence"), ours: true }),
  row("GET /api/payees/:id/evidence.pdf", "call_look", { at: at("/api/payees/", payee, "/evidence.pdf"), ours: true }),
  row("PATCH /api/payees/:id", "call_change", {
    ok: 400,
    at: at("/api/payees/", payee),
    send: NOT_JSON,
    ours: { json: { name: "A name" } },
  }),
  row("POST /api/payees/:id/verifications", "call_change", {
    ok: 400,
    at: at("/api/payees/", payee, "/verifications"),
    send: NOT_JSON,
    ours: { json: {} },
  }),
  row("POST /api/payees/:id/whitelist", "call_change", {
    ok: 400,
    at: at("/api/payees/", payee, "/whitelist"),
    send: NOTHING_USEFUL,
    ours: { json: { reason: REASON } },
  }),
  row("DELETE /api/payees/:id/whitelist", "call_change", {
    ok: 400,
    at: at("/api/payees/", payee, "/whitelist"),
    send: NOTHING_USEFUL,
    ours: { json: { reason: REASON } },
  }),
  row("GET /api/payees/:id/ways-to-pay", "call_look", { at: at("/api/payees/", payee, "/ways-to-pay"), ours: true }),
  row("DELETE /api/payees/:id/ways-to-pay", "call_administer", {
    ok: 400,
    at: at("/api/payees/", payee, "/ways-to-pay"),
    send: NOTHING_USEFUL,
    ours: { json: { kind: "pay_id", value: "0417533236" } },
  }),
  row("GET /api/alerts", "call_look"),
  row("POST /api/alerts/read", "call_look", { ok: 400, send: NOTHING_USEFUL }),
  row("GET /api/integrations", "call_administer"),
  row("GET /api/integrations/:system", "call_administer", { at: () => "/api/integrations/xero" }),
  row("DELETE /api/integrations/:system", "call_administer", { ok: 404, at: () => "/api/integrations/xero" }),
  row("POST /api/integrations/:system/sync", "call_administer", {
    ok: 404,
    at: () => "/api/integrations/xero/sync",
    send: { json: {} },
  }),
  row("GET /api/webhook-endpoints", "call_administer"),
  row("POST /api/webhook-endpoints", "call_administer", { ok: 400, send: NOTHING_USEFUL }),
  row("GET /api/webhook-endpoints/:id", "call_administer", {
    at: at("/api/webhook-endpoints/", webhookEndpoint),
    ours: true,
  }),
  row("PATCH /api/webhook-endpoints/:id", "call_administer", {
    ok: 400,
    at: at("/api/webhook-endpoints/", webhookEndpoint),
    send: NOTHING_USEFUL,
    ours: { json: { active: true } },
  }),
  row("DELETE /api/webhook-endpoints/:id", "call_administer", {
    ok: 404,
    at: () => `/api/webhook-endpoints/${MISSING}`,
  }),
  row("POST /api/webhook-endpoints/:id/test-event", "call_administer", {
    ok: 202,
    at: at("/api/webhook-endpoints/", webhookEndpoint, "/test-event"),
    ours: true,
  }),
  row("POST /api/webhook-endpoints/:id/secret", "call_administer", {
    ok: 200,
    at: at("/api/webhook-endpoints/", webhookEndpoint, "/secret"),
    ours: true,
  }),
  row("DELETE /api/webhook-endpoints/:id/secret", "call_administer", {
    ok: 200,
    at: at("/api/webhook-endpoints/", webhookEndpoint, "/secret"),
    ours: true,
  }),
  row("GET /api/webhook-endpoints/:id/deliveries", "call_administer", {
    at: at("/api/webhook-endpoints/", webhookEndpoint, "/deliveries"),
    ours: true,
  }),
  row("POST /api/webhook-deliveries/:id/resend", "call_administer", {
    ok: 404,
    at: () => `/api/webhook-deliveries/${MISSING}/resend`,
  }),
  row("GET /api/payee-requests", "call_look"),
  row("POST /api/payee-requests", "call_change", { ok: 400, send: NOTHING_USEFUL }),
  row("GET /api/payee-requests/:id", "call_look", { at: at("/api/payee-requests/", payeeRequest), ours: true }),
  row("DELETE /api/payee-requests/:id", "call_change", {
    at: at("/api/payee-requests/", payeeRequest),
    ours: true,
  }),
  row("POST /api/imports/payees", "call_change", { ok: 415, send: NOT_JSON }),
  row("GET /api/imports/:id", "call_look", { at: at("/api/imports/", payeeImport), ours: true }),
  row("GET /api/imports/:id/result.csv", "call_look", {
    at: at("/api/imports/", payeeImport, "/result.csv"),
    ours: true,
  }),
  row("GET /api/bulk-checks", "call_look"),
  row("POST /api/bulk-checks", "call_change", { ok: 400, send: NOTHING_USEFUL }),
  row("GET /api/bulk-checks/:id", "call_look", { at: at("/api/bulk-checks/", bulkCheck), ours: true }),
  ...["start", "stop"].map((act) =>
    row(`POST /api/bulk-checks/:id/${act}`, "call_change", {
      ok: 400,
      at: at("/api/bulk-checks/", bulkCheck, `/${act}`),
      send: NOT_JSON,
      ours: { json: {} },
    }),
  ),
  row("GET /api/verifications", "call_look"),
  row("GET /api/verifications/pending", "call_look"),
  row("GET /api/verifications/:id", "call_look", { at: at("/api/verifications/", verification), ours: true }),
  row("GET /api/verifications/:id/certificate", "call_look", {
    ok: 409,
    at: at("/api/verifications/", verification, "/certificate"),
    ours: true,
  }),
  row("GET /api/verifications/:id/certificate.pdf", "call_look", {
    ok: 409,
    at: at("/api/verifications/", verification, "/certificate.pdf"),
    ours: true,
  }),
  row("POST /api/verifications/:id/review", "call_change", {
    ok: 400,
    at: at("/api/verifications/", verification, "/review"),
    send: NOTHING_USEFUL,
    ours: { json: { approved: false, reason: REASON } },
  }),
  row("POST /api/verifications/bulk", "call_change", { ok: 400, send: NOTHING_USEFUL }),
  row("POST /api/verifications/:id/assignment", "call_change", {
    ok: 400,
    at: at("/api/verifications/", verification, "/assignment"),
    send: NOTHING_USEFUL,
    ours: { json: { assigneeId: null } },
  }),
  row("POST /api/verifications/:id/comments", "call_change", {
    ok: 400,
    at: at("/api/verifications/", verification, "/comments"),
    send: NOTHING_USEFUL,
    ours: { json: { text: "The invoice has another ABN." } },
  }),
  row("POST /api/verifications/:id/calls", "call_change", {
    ok: 400,
    at: at("/api/verifications/", verification, "/calls"),
    send: NOTHING_USEFUL,
    ours: { json: { number: "02 9374 4000", source: "website", outcome: "no_answer" } },
  }),
  row("POST /api/verifications/:id/send-link", "call_change", {
    ok: 400,
    at: at("/api/verifications/", verification, "/send-link"),
    send: NOT_JSON,
    ours: { json: { channel: "email" } },
  }),
  row("POST /api/verifications/:id/check", "call_change", {
    ok: 400,
    at: at("/api/verifications/", verification, "/check"),
    send: NOT_JSON,
    ours: { json: {} },
  }),
  row("POST /api/verifications/:id/verify-basiq", "call_change", {
    ok: 400,
    at: at("/api/verifications/", verification, "/verify-basiq"),
    send: NOT_JSON,
    ours: { json: {} },
  }),
  row("GET /api/payments", "call_look"),
  row("POST /api/payments", "call_change", { ok: 400, send: NOTHING_USEFUL }),
  row("POST /api/payments/bulk", "call_change", { ok: 400, send: NOTHING_USEFUL }),
  row("GET /api/payments/:id", "call_look", { at: at("/api/payments/", payment), ours: true }),
  row("GET /api/payments/:id/evidence", "call_look", { at: at("/api/payments/", payment, "/evidence"), ours: true }),
  row("GET /api/payments/:id/evidence.pdf", "call_look", {
    at: at("/api/payments/", payment, "/evidence.pdf"),
    ours: true,
  }),
  row("GET /api/payments/:id/replay", "call_look", { at: at("/api/payments/", payment, "/replay"), ours: true }),
  row("POST /api/payments/:id/decision", "call_change", {
    ok: 400,
    at: at("/api/payments/", payment, "/decision"),
    send: NOTHING_USEFUL,
    ours: { json: { decision: "reject", reason: REASON } },
  }),
  row("POST /api/payments/:id/outcome", "call_change", {
    ok: 400,
    at: at("/api/payments/", payment, "/outcome"),
    send: NOTHING_USEFUL,
    ours: { json: { status: "successful" } },
  }),

  row("GET /api/invoices", "call_look"),
  row("POST /api/invoices", "call_change", { ok: 415, send: NOT_JSON }),
  row("GET /api/invoices/:id", "call_look", { at: at("/api/invoices/", invoice), ours: true }),
  row("DELETE /api/invoices/:id", "call_change", {
    ok: 204,
    at: at("/api/invoices/", invoice),
    ours: true,
    // The administrator deleted it a moment before.
    but: { member: 404 },
  }),
  row("POST /api/invoices/:id/decision", "call_change", {
    ok: 400,
    at: at("/api/invoices/", invoice, "/decision"),
    send: NOTHING_USEFUL,
    ours: { json: { decision: "reject", reason: REASON } },
  }),

  row("GET /api/payment-files", "call_look"),
  row("POST /api/payment-files", "call_change", { ok: 415, send: NOT_JSON }),
  row("GET /api/payment-files/:id", "call_look", { at: at("/api/payment-files/", paymentFile), ours: true }),
  row("GET /api/payment-files/:id/replay", "call_look", {
    at: at("/api/payment-files/", paymentFile, "/replay"),
    ours: true,
  }),
  row("POST /api/payment-files/prove", "call_look", { ok: 400, send: NOTHING_USEFUL }),
  row("GET /api/payment-files/:id/cleared.aba", "call_look", {
    ok: 404,
    at: at("/api/payment-files/", paymentFile, "/cleared.aba"),
    ours: true,
  }),
  row("POST /api/payment-files/:id/clear", "call_change", {
    ok: 400,
    at: at("/api/payment-files/", paymentFile, "/clear"),
    send: NOT_JSON,
    ours: { json: {} },
  }),
  row("POST /api/payment-files/:id/abandon", "call_change", {
    ok: 400,
    at: at("/api/payment-files/", paymentFile, "/abandon"),
    send: NOT_JSON,
    ours: { json: {} },
  }),
  row("POST /api/payment-files/:id/outcomes", "call_change", {
    ok: 400,
    at: at("/api/payment-files/", paymentFile, "/outcomes"),
    send: NOTHING_USEFUL,
    ours: { json: { status: "successful" } },
  }),
  row("POST /api/payment-files/:id/lines/:line/decision", "call_change", {
    ok: 400,
    at: at("/api/payment-files/", paymentFile, "/lines/2/decision"),
    send: NOTHING_USEFUL,
    ours: { json: { decision: "reject", reason: REASON } },
  }),
  row("GET /api/payment-files/:id/lines", "call_look", {
    at: at("/api/payment-files/", paymentFile, "/lines"),
    ours: true,
  }),

  row("GET /settings", "page_look"),
  row("POST /settings", "page_administer", { ok: 400, at: () => "/settings?index", send: NO_FIELDS }),
  row("GET /settings/members", "page_look"),
  row("POST /settings/members", "page_administer", { ok: 400, send: NO_FIELDS }),
  row("GET /settings/domains", "page_look"),
  row("POST /settings/domains", "page_administer", { ok: 400, send: NO_FIELDS }),
  row("GET /settings/policies", "page_look"),
  row("POST /settings/policies", "page_administer", { ok: 400, send: NO_FIELDS }),
  row("GET /integrations", "page_administer"),
  row("GET /integrations/:system", "page_administer", { at: () => "/integrations/xero" }),
  row("POST /integrations/:system", "page_administer", { ok: 400, at: () => "/integrations/xero", send: NO_FIELDS }),
  row("GET /integrations/:system/connect", "page_administer", { at: () => "/integrations/xero/connect" }),
  row("GET /integrations/:system/return", "page_administer", { ok: 303, at: () => "/integrations/xero/return" }),
  row("GET /settings/export.ndjson", "page_administer"),
  row("GET /settings/single-sign-on", "page_administer"),
  row("POST /settings/single-sign-on", "page_administer", { ok: 400, send: NO_FIELDS }),
  row("GET /settings/webhooks", "page_administer"),
  row("POST /settings/webhooks", "page_administer", { ok: 400, send: NO_FIELDS }),
  row("GET /settings/webhooks/:id", "page_administer", { at: at("/settings/webhooks/", webhookEndpoint), ours: true }),
  row("POST /settings/webhooks/:id", "page_administer", {
    ok: 400,
    at: at("/settings/webhooks/", webhookEndpoint),
    send: NO_FIELDS,
    ours: { form: { intent: "pause" } },
  }),
  row("GET /settings/stopped-addresses", "page_administer"),
  row("POST /settings/stopped-addresses", "page_administer", { ok: 400, send: NO_FIELDS }),
  row("GET /settings/staff-accounts", "page_administer"),
  row("POST /settings/staff-accounts", "page_administer", { ok: 400, send: NO_FIELDS }),
  row("GET /admin/users", "page_people"),
  row("POST /admin/users", "page_people", { ok: 400, send: NO_FIELDS }),
  row("GET /admin/organizations", "page_platform"),
  row("POST /admin/organizations", "page_platform", { ok: 400, send: NO_FIELDS }),
  row("GET /admin/operations", "page_platform"),
  row("POST /admin/operations", "page_platform", { ok: 400, send: NO_FIELDS }),
  row("GET /admin/bsb-directory", "page_platform"),
  row("POST /admin/bsb-directory", "page_platform", { ok: 400, send: NO_FIELDS }),
  row("GET /admin/data-requests", "page_platform"),
  row("POST /admin/data-requests", "page_platform", { ok: 400, send: NO_FIELDS }),
  row("GET /admin/restores", "page_platform"),
  row("POST /admin/restores", "page_platform", { ok: 400, send: NO_FIELDS }),
];
