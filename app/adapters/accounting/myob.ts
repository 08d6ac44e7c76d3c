import * as z from "zod";
import { parseAbn } from "~/kernel/abn";
import { UpstreamError, type UpstreamErrorKind } from "~/kernel/app-error";
import {
  AccessExpired,
  AccessLost,
  type AccountingBill,
  type AccountingContact,
  type AccountingSystem,
  type Credentials,
  type Ledger,
} from "~/ports/accounting";
import type { Log } from "~/services-and-actor";
import { createHttpClient, type HttpClient, type Reached } from "../http-client";

export type MyobOptions = Reached & {
  /** The consent page: "https://secure.myob.com/oauth2/account/authorize". */
  authorizeUrl: string;
  /** "https://secure.myob.com/oauth2/v1/authorize" */
  tokenUrl: string;
  /** Without a trailing slash: "https://api.myob.com". */
  apiUrl: string;
  clientId: string;
  clientSecret: string;
  /** Called when MYOB refuses our own key, which an operator has to fix, not a customer. */
  log?: Pick<Log, "error">;
};

/** Granular scopes, which keys made after 12 March 2025 must request: the file's name, its suppliers and its bills. */
const SCOPE = "sme-company-file sme-contacts-supplier sme-purchases";
/**
 * A key allows eight calls a second for all its customers together. Calls that are sent evenly do not arrive evenly, so
 * this is lower.
 */
const CALL_EVERY_MS = 150;
/** MYOB gives at most 1,000. */
const SUPPLIERS_PER_PAGE = 400;
const BILLS_PER_PAGE = 400;
const MAX_PAGE_BYTES = 4 * 1024 * 1024;
/** MYOB writes times without a zone. Reading from this much earlier misses nothing in any zone. */
const ZONE_SPARE_MS = 15 * 60 * 60 * 1000;

const text = z.string().nullish();
const tokensSchema = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  expires_in: z.coerce.number().int().positive(),
});
const filesSchema = z.array(z.object({ Id: z.string(), Name: text }));
const supplierSchema = z.object({
  UID: z.string().min(1),
  CompanyName: text,
  FirstName: text,
  LastName: text,
  IsActive: z.boolean().nullish(),
  Addresses: z
    .array(
      z.object({
        Location: z.number().nullish(),
        Street: text,
        City: text,
        State: text,
        PostCode: text,
        Phone1: text,
        Email: text,
      }),
    )
    .nullish(),
  BuyingDetails: z.object({ ABN: text }).nullish(),
  PaymentDetails: z.object({ BSBNumber: text, BankAccountNumber: text, BankAccountName: text }).nullish(),
});
const suppliersSchema = z.object({ Items: z.array(supplierSchema), NextPageLink: text });
const billSchema = z.object({
  UID: z.string().min(1),
  Number: text,
  SupplierInvoiceNumber: text,
  Supplier: z.object({ UID: z.string().min(1), Name: text }),
  TotalAmount: z.number(),
  BalanceDueAmount: z.number(),
  ForeignCurrency: z.object({ Code: text }).nullish(),
});
const billsSchema = z.object({ Items: z.array(billSchema), NextPageLink: text });
const problemSchema = z.object({ Name: text, Message: text, error: text });
/** The documentation shows a single problem, a list of them, and a named list. */
const errorSchema = z.union([
  z.object({ Errors: z.array(problemSchema) }).transform(({ Errors }) => Errors),
  z.array(problemSchema),
  problemSchema.transform((problem) => [problem]),
]);

const present = (value: string | null | undefined): string | null => value?.trim() || null;

/**
 * MYOB Business, AccountRight API version 2 (developer.myob.com). It has no webhooks, no change history and no
 * revocation, and its payments do not name the account that was paid.
 */
export function createMyob(options: MyobOptions): AccountingSystem {
  const http = createMyobHttp(options);
  return {
    callEveryMs: CALL_EVERY_MS,
    ...consenting(options, http),
    ...readingSuppliers(options, http),
    ...readingBills(options, http),
  };
}

const headersOf = ({ clientId }: MyobOptions, accessToken: string) => ({
  authorization: `Bearer ${accessToken}`,
  "x-myobapi-key": clientId,
  "x-myobapi-version": "v2",
});

const MAX_FILE_NAME = 200;

const toLedger = ({ Id: id, Name: name }: { Id: string; Name?: string | null }): Ledger => ({
  id,
  name: present(name) ?? "A company file without a name",
  connectionId: null,
});

type Consenting = Pick<AccountingSystem, "consentUrl" | "acceptConsent" | "refresh">;

function consenting(options: MyobOptions, http: HttpClient): Consenting {
  const { clientId, clientSecret, tokenUrl, apiUrl, clock } = options;

  async function askForTokens(form: Record<string, string>): Promise<Credentials> {
    const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, scope: SCOPE, ...form });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const call = { method: "POST" as const, url: tokenUrl, headers, body: body.toString() };
    const tokens = await http.callJson(call, tokensSchema).catch(nameLoss);
    return {
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token,
      accessUntil: clock.now() + tokens.expires_in * 1000,
    };
  }

  /** Keys created before 12 March 2025 list every company file that the person may open. */
  async function listFiles({ accessToken }: Credentials): Promise<Ledger[]> {
    const call = { method: "GET" as const, url: `${apiUrl}/accountright/`, headers: headersOf(options, accessToken) };
    return (await http.callJson(call, filesSchema).catch(nameLoss)).map(toLedger);
  }

  return {
    consentUrl({ state, returnUrl }) {
      const query = { client_id: clientId, redirect_uri: returnUrl, response_type: "code", scope: SCOPE, state };
      return `${options.authorizeUrl}?${new URLSearchParams({ ...query, prompt: "consent" })}`;
    },

    async acceptConsent({ code, returnUrl, query }) {
      const credentials = await askForTokens({ grant_type: "authorization_code", code, redirect_uri: returnUrl });
      const id = present(query.get("businessId"));
      const name = present(query.get("businessName"))?.slice(0, MAX_FILE_NAME) ?? null;
      if (id === null) return { credentials, ledgers: await listFiles(credentials) };
      if (name !== null) return { credentials, ledgers: [toLedger({ Id: id, Name: name })] };
      // The name is not essential: the file is connected without it too.
      const listed = await listFiles(credentials).catch(() => []);
      return { credentials, ledgers: [listed.find((file) => file.id === id) ?? toLedger({ Id: id })] };
    },

    refresh: (refreshToken) => askForTokens({ grant_type: "refresh_token", refresh_token: refreshToken }),
  };
}

function readingSuppliers(options: MyobOptions, http: HttpClient): Pick<AccountingSystem, "listContacts"> {
  return {
    async listContacts({ accessToken, ledgerId }, { page, since }) {
      const skip = Number(page ?? 0);
      const query = new URLSearchParams({ $top: String(SUPPLIERS_PER_PAGE), $skip: String(skip), $orderby: "UID" });
      if (since !== null) {
        const from = new Date(since - ZONE_SPARE_MS).toISOString().slice(0, "2026-01-01T00:00:00".length);
        query.set("$filter", `LastModified gt datetime'${from}'`);
      }
      const url = `${options.apiUrl}/accountright/${encodeURIComponent(ledgerId)}/Contact/Supplier?${query}`;
      const call = { method: "GET" as const, url, headers: headersOf(options, accessToken) };
      const answer = await http.callJson(call, suppliersSchema).catch(nameLoss);
      // Only the presence of the link counts: the token is never sent to an address in an answer.
      const next = present(answer.NextPageLink) === null ? null : String(skip + SUPPLIERS_PER_PAGE);
      return { contacts: answer.Items.map(toContact), next };
    },
  };
}

/** MYOB does not report deleted bills, so the open ones are always listed completely. */
function readingBills(options: MyobOptions, http: HttpClient): Pick<AccountingSystem, "listBills"> {
  return {
    async listBills({ accessToken, ledgerId }, { page, tag }) {
      const skip = Number(page ?? 0);
      const query = new URLSearchParams({
        $filter: "Status eq 'Open'",
        $top: String(BILLS_PER_PAGE),
        $skip: String(skip),
        $orderby: "UID",
      });
      const url = `${options.apiUrl}/accountright/${encodeURIComponent(ledgerId)}/Purchase/Bill?${query}`;
      const headers: Record<string, string> = headersOf(options, accessToken);
      if (tag !== null && skip === 0) headers["if-none-match"] = tag;
      const answer = await http.callTagged({ method: "GET", url, headers }, billsSchema).catch(nameLoss);
      if (!answer) return undefined;
      const next = present(answer.body.NextPageLink) === null ? null : String(skip + BILLS_PER_PAGE);
      return { bills: answer.body.Items.map(toBill), next, isWhole: true, tag: answer.tag };
    },
  };
}

const toCents = (amount: number): number => Math.round(amount * 100);

const toBill = (bill: z.infer<typeof billSchema>): AccountingBill => ({
  id: bill.UID,
  contactId: bill.Supplier.UID,
  supplier: bill.Supplier.Name?.trim() ?? "",
  number: present(bill.SupplierInvoiceNumber) ?? present(bill.Number),
  status: "open",
  amountDue: toCents(bill.BalanceDueAmount),
  amountPaid: toCents(bill.TotalAmount - bill.BalanceDueAmount),
  currency: present(bill.ForeignCurrency?.Code) ?? "AUD",
});

function toContact(supplier: z.infer<typeof supplierSchema>): AccountingContact {
  const { PaymentDetails: payment, Addresses: addresses } = supplier;
  const address = addresses?.find(({ Location }) => Location === 1) ?? addresses?.[0];
  const person = [supplier.FirstName, supplier.LastName].map(present).filter((part) => part !== null);
  const bsb = present(payment?.BSBNumber);
  const accountNumber = present(payment?.BankAccountNumber);
  const place = [address?.City, address?.State, address?.PostCode].map(present).filter((part) => part !== null);
  const lines = [present(address?.Street), present(place.join(" "))].filter((line) => line !== null);
  const abn = present(supplier.BuyingDetails?.ABN);
  return {
    id: supplier.UID,
    name: present(supplier.CompanyName) ?? person.join(" "),
    email: present(address?.Email),
    phone: present(address?.Phone1),
    address: present(lines.join(", ")),
    abn: abn === null ? null : (parseAbn(abn) ?? null),
    accountName: present(payment?.BankAccountName),
    account: bsb === null && accountNumber === null ? null : { bsb: bsb ?? "", accountNumber: accountNumber ?? "" },
    isArchived: supplier.IsActive === false,
  };
}

function createMyobHttp({ fetch, clock, log, timeoutMs }: MyobOptions): HttpClient {
  return createHttpClient({
    party: "myob",
    fetch,
    clock,
    timeoutMs,
    maxAnswerBytes: MAX_PAGE_BYTES,
    describeError: (body) => {
      const [first] = errorSchema.safeParse(body).data ?? [];
      const said = { code: first?.error ?? first?.Name ?? undefined, detail: first?.Message ?? undefined };
      return isLimit(said) ? { ...said, retryAfterMs: /daily/i.test(said.detail ?? "") ? HOUR_MS : SECOND_MS } : said;
    },
    classify: (answer) => {
      if (OUR_KEY.has(answer.code ?? "")) log?.error("myob.key_refused", { status: answer.status, code: answer.code });
      return kindOf(answer);
    },
  });
}

type Refusal = { code?: string; detail?: string };

/** Both are about our key, whichever company file was requested: it is inactive or missing. */
const OUR_KEY = new Set(["DeveloperInactive", "ApiKeyIsInvalid"]);
const LIMITS = new Set(["RateLimitError", "ApiKeyOverLimit"]);
const SECOND_MS = 1_000;
const HOUR_MS = 60 * 60 * SECOND_MS;

/** The limits are per second and per day; no header says how long to wait. */
const isLimit = ({ code, detail }: Refusal) => LIMITS.has(code ?? "") || /rate limit/i.test(detail ?? "");

/** MYOB answers 403 for exceeded limits, for an inactive key of ours, and for missing access. */
function kindOf(refusal: Refusal & { status: number }): UpstreamErrorKind | undefined {
  if (isLimit(refusal)) return "rate_limited";
  return refusal.status === 403 ? "unavailable" : undefined;
}

/**
 * Maps refusals that need a new consent, and an expired token, to the port's errors. Only an answer that says so ends
 * our access (developer.myob.com, "API Error Messages"); any other 403 may be temporary.
 */
function nameLoss(error: unknown): never {
  if (!(error instanceof UpstreamError)) throw error;
  const { message, options } = error;
  const { httpStatus, code } = options;
  if (code === "invalid_grant") throw new AccessLost("consent_ended", message);
  if (OUR_KEY.has(code ?? "") || code === "invalid_client") throw error;
  if (httpStatus === 401) throw new AccessExpired(message);
  if (httpStatus === 403 && /access.?denied/i.test(message)) throw new AccessLost("not_permitted", message);
  throw error;
}
