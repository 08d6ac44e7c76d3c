import * as z from "zod";
import { createHttpClient, type HttpClient, type Reached } from "~/adapters/http-client";
import { parseAbn } from "~/kernel/abn";
import { UpstreamError } from "~/kernel/app-error";
import { DAY_MS } from "~/kernel/dates";
import {
  type Access,
  AccessExpired,
  AccessLost,
  type AccountingBill,
  type AccountingContact,
  type AccountingPayment,
  type AccountingSystem,
  type ContactEdit,
  type Credentials,
} from "~/ports/accounting";

/** What we read of Xero's answers; everything else is left out. Source: Xero's OpenAPI description of the accounting API. */

const text = z.string().nullish();

const tokensSchema = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  expires_in: z.coerce.number().int().positive(),
});

const connectionsSchema = z.array(
  z.object({ id: z.string().min(1), tenantId: z.string().min(1), tenantType: z.string(), tenantName: text }),
);

const contactSchema = z.object({
  ContactID: z.string().min(1),
  ContactStatus: text,
  Name: z.string(),
  EmailAddress: text,
  TaxNumber: text,
  BankAccountDetails: text,
  BatchPayments: z.object({ BankAccountNumber: text, BankAccountName: text }).nullish(),
  Phones: z
    .array(z.object({ PhoneType: text, PhoneNumber: text, PhoneAreaCode: text, PhoneCountryCode: text }))
    .nullish(),
  Addresses: z
    .array(
      z.object({
        AddressType: text,
        AddressLine1: text,
        AddressLine2: text,
        AddressLine3: text,
        AddressLine4: text,
        City: text,
        Region: text,
        PostalCode: text,
      }),
    )
    .nullish(),
});
type XeroContact = z.infer<typeof contactSchema>;

/** If the number of pages is missing, a full page means that there is another. */
const pagination = z.object({ pageCount: z.number().nullish() }).nullish();

const contactsSchema = z.object({ Contacts: z.array(contactSchema), pagination });

const invoiceSchema = z.object({
  InvoiceID: z.string().min(1),
  InvoiceNumber: text,
  Status: z.string(),
  Contact: z.object({ ContactID: z.string().min(1), Name: text }),
  AmountDue: z.number().nullish(),
  AmountPaid: z.number().nullish(),
  CurrencyCode: text,
});
type XeroInvoice = z.infer<typeof invoiceSchema>;

const invoicesSchema = z.object({ Invoices: z.array(invoiceSchema), pagination });

const paymentSchema = z.object({
  PaymentID: z.string().min(1),
  Status: z.string(),
  Date: z.string(),
  Amount: z.number(),
  CurrencyRate: z.number().nullish(),
  IsReconciled: z.boolean().nullish(),
  BankAccountNumber: text,
  Invoice: z.object({ InvoiceNumber: text, Contact: z.object({ ContactID: z.string().min(1) }).nullish() }).nullish(),
});
type XeroPayment = z.infer<typeof paymentSchema>;

const paymentsSchema = z.object({ Payments: z.array(paymentSchema), pagination });

const historySchema = z.object({
  HistoryRecords: z.array(z.object({ Changes: text, DateUTC: text, User: text })),
});

const said = text.catch(undefined);
const errorSchema = z.object({ error: said, Title: said, Detail: said, Message: said });

const present = (text: string | null | undefined): string | null => text?.trim() || null;
const toCents = (amount: number | null | undefined): number => Math.round((amount ?? 0) * 100);

const BILL_STATUSES: Readonly<Record<string, AccountingBill["status"]>> = { AUTHORISED: "open", PAID: "paid" };

/** Converts a bill. Draft, voided and deleted bills count as not approved. */
const toBill = (invoice: XeroInvoice): AccountingBill => ({
  id: invoice.InvoiceID,
  contactId: invoice.Contact.ContactID,
  supplier: invoice.Contact.Name?.trim() ?? "",
  number: present(invoice.InvoiceNumber),
  status: BILL_STATUSES[invoice.Status] ?? "void",
  amountDue: toCents(invoice.AmountDue),
  amountPaid: toCents(invoice.AmountPaid),
  currency: present(invoice.CurrencyCode) ?? "AUD",
});

/** Converts a payment; none for one in a foreign currency or without a supplier. */
function toPayment(payment: XeroPayment): AccountingPayment[] {
  const contactId = payment.Invoice?.Contact?.ContactID;
  const at = parseXeroDate(payment.Date);
  if (!contactId || at === undefined || (payment.CurrencyRate ?? 1) !== 1) return [];
  return [
    {
      id: payment.PaymentID,
      contactId,
      amount: toCents(payment.Amount),
      paidAt: Math.floor(at / DAY_MS) * DAY_MS + DAY_MS / 2,
      accountText: present(payment.BankAccountNumber),
      billNumber: present(payment.Invoice?.InvoiceNumber),
      isReconciled: payment.IsReconciled === true,
      isDeleted: payment.Status !== "AUTHORISED",
    },
  ];
}

type XeroOptions = Reached & {
  /** The consent page: "https://login.xero.com/identity/connect/authorize". */
  authorizeUrl: string;
  /** Without a trailing slash: "https://identity.xero.com", "https://api.xero.com". */
  identityUrl: string;
  apiUrl: string;
  clientId: string;
  clientSecret: string;
};

/** Granular scopes, which apps of 2026 must request: read only. */
const XERO_SCOPES = [
  "openid",
  "profile",
  "email",
  "offline_access",
  "accounting.contacts.read",
  "accounting.invoices.read",
  "accounting.payments.read",
];
/** Writing notes requires the scope that also allows changing contacts, because Xero has no narrower one. */
const XERO_NOTES_SCOPE = "accounting.contacts";

/** Contacts, bills or payments per page; Xero allows 1,000 at most. About 2 KB each. */
const CONTACTS_PER_PAGE = 200;
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

type Wire = XeroOptions & { http: HttpClient };

/** Xero's accounting API, version 2.0, with the code flow of OAuth 2 (developer.xero.com/documentation/api/accounting). */
export function createXero(options: XeroOptions): AccountingSystem {
  const wire = { ...options, http: createXeroHttp(options) };
  return {
    ...consenting(wire),
    ...readingContacts(wire),
    ...readingBills(wire),
    ...writingNotes(wire),
    revoke: createRevoke(wire),
  };
}

const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` });

/** A form post in the format of Xero's identity server, with the app's credentials. */
const postForm = ({ clientId, clientSecret }: Wire, form: Record<string, string>) => ({
  method: "POST" as const,
  headers: {
    authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
    "content-type": "application/x-www-form-urlencoded",
  },
  body: new URLSearchParams(form).toString(),
});

function consenting(wire: Wire): Pick<AccountingSystem, "consentUrl" | "acceptConsent" | "refresh"> {
  const { http, clock, identityUrl, apiUrl } = wire;

  async function askForTokens(form: Record<string, string>): Promise<Credentials> {
    const asked = http.callJson({ ...postForm(wire, form), url: `${identityUrl}/connect/token` }, tokensSchema);
    const tokens = await asked.catch(nameLoss);
    return {
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token,
      accessUntil: clock.now() + tokens.expires_in * 1000,
    };
  }

  return {
    consentUrl({ state, codeChallenge, returnUrl, writesNotes }) {
      const query = {
        response_type: "code",
        client_id: wire.clientId,
        redirect_uri: returnUrl,
        scope: [...XERO_SCOPES, ...(writesNotes ? [XERO_NOTES_SCOPE] : [])].join(" "),
        state,
        code_challenge: codeChallenge,
        code_challenge_method: "S256",
      };
      return `${wire.authorizeUrl}?${new URLSearchParams(query)}`;
    },

    async acceptConsent({ code, codeVerifier, returnUrl }) {
      const form = { grant_type: "authorization_code", code, redirect_uri: returnUrl, code_verifier: codeVerifier };
      const credentials = await askForTokens(form);
      const call = { method: "GET" as const, url: `${apiUrl}/connections`, headers: bearer(credentials.accessToken) };
      const connections = await http.callJson(call, connectionsSchema).catch(nameLoss);
      const organizations = connections.filter(({ tenantType }) => tenantType === "ORGANISATION");
      return {
        credentials,
        ledgers: organizations.map(({ id, tenantId, tenantName }) => ({
          id: tenantId,
          name: tenantName?.trim() || "An organisation without a name",
          connectionId: id,
        })),
      };
    },

    refresh: (refreshToken) => askForTokens({ grant_type: "refresh_token", refresh_token: refreshToken }),
  };
}

const headersOf = ({ accessToken, ledgerId }: Access): Record<string, string> => ({
  ...bearer(accessToken),
  "xero-tenant-id": ledgerId,
});

/** Rounded down to whole seconds, as the header requires; a second too early only repeats something. */
const modifiedSince = (since: number | null): Record<string, string> =>
  since === null ? {} : { "if-modified-since": new Date(Math.floor(since / 1000) * 1000).toUTCString() };

type Paged = { pagination?: { pageCount?: number | null } | null };

/** The number of the next page; null after the last. */
function nextPage(number: number, answer: Paged, found: number): string | null {
  const pageCount = answer.pagination?.pageCount;
  const hasMore = pageCount === undefined || pageCount === null ? found === CONTACTS_PER_PAGE : number < pageCount;
  return hasMore ? String(number + 1) : null;
}

function readingContacts({ http, apiUrl }: Wire): Pick<AccountingSystem, "listContacts" | "listEdits"> {
  const accounting = `${apiUrl}/api.xro/2.0`;
  return {
    async listContacts(access, { page, since }) {
      const number = Number(page ?? 1);
      const query = new URLSearchParams({
        page: String(number),
        pageSize: String(CONTACTS_PER_PAGE),
        includeArchived: "true",
        order: "ContactID ASC",
      });
      const headers = { ...headersOf(access), ...modifiedSince(since) };
      const call = { method: "GET" as const, url: `${accounting}/Contacts?${query}`, headers };
      const answer = await http.callJson(call, contactsSchema).catch(nameLoss);
      return { contacts: answer.Contacts.map(toContact), next: nextPage(number, answer, answer.Contacts.length) };
    },

    async listEdits(access, contactId) {
      const url = `${accounting}/Contacts/${encodeURIComponent(contactId)}/History`;
      const call = { method: "GET" as const, url, headers: headersOf(access) };
      return toEdits(await http.callJson(call, historySchema).catch(nameLoss));
    },
  };
}

function readingBills({ http, apiUrl }: Wire): Pick<AccountingSystem, "listBills" | "listPayments"> {
  const accounting = `${apiUrl}/api.xro/2.0`;
  const pageOf = (page: string | null, where: string, order: string) =>
    new URLSearchParams({ page: page ?? "1", pageSize: String(CONTACTS_PER_PAGE), where, order });
  return {
    async listBills(access, { page, since }) {
      const query = pageOf(page, 'Type=="ACCPAY"', "InvoiceID ASC");
      if (since === null) query.set("Statuses", "AUTHORISED");
      const headers = { ...headersOf(access), ...modifiedSince(since) };
      const call = { method: "GET" as const, url: `${accounting}/Invoices?${query}`, headers };
      const answer = await http.callJson(call, invoicesSchema).catch(nameLoss);
      const next = nextPage(Number(page ?? 1), answer, answer.Invoices.length);
      return { bills: answer.Invoices.map(toBill), next, isWhole: since === null, tag: null };
    },

    async listPayments(access, { page, since }) {
      const query = pageOf(page, 'PaymentType=="ACCPAYPAYMENT"', "PaymentID ASC");
      const headers = { ...headersOf(access), ...modifiedSince(since) };
      const call = { method: "GET" as const, url: `${accounting}/Payments?${query}`, headers };
      const answer = await http.callJson(call, paymentsSchema).catch(nameLoss);
      const next = nextPage(Number(page ?? 1), answer, answer.Payments.length);
      return { payments: answer.Payments.flatMap(toPayment), next };
    },
  };
}

function writingNotes({ http, apiUrl }: Wire): Pick<AccountingSystem, "addNote"> {
  return {
    async addNote(access, { contactId, text, key }) {
      const url = `${apiUrl}/api.xro/2.0/Contacts/${encodeURIComponent(contactId)}/History`;
      const headers = { ...headersOf(access), "content-type": "application/json", "idempotency-key": key };
      const body = JSON.stringify({ HistoryRecords: [{ Details: text }] });
      await http.callWithoutAnswer({ method: "PUT", url, headers, body }).catch(nameLoss);
    },
  };
}

/** The consent may cover organisations of other customers of ours, so it is only revoked with the last of them. */
function createRevoke(wire: Wire): Required<AccountingSystem>["revoke"] {
  const { http, identityUrl, apiUrl } = wire;
  return async ({ accessToken, refreshToken }, connectionIds) => {
    const call = { method: "GET" as const, url: `${apiUrl}/connections`, headers: bearer(accessToken) };
    const connections = await http.callJson(call, connectionsSchema).catch(nameLoss);
    for (const { id } of connections.filter((each) => connectionIds.includes(each.id))) {
      await http.callWithoutAnswer({ ...call, method: "DELETE", url: `${call.url}/${id}` }).catch(nameLoss);
    }
    if (connections.some(({ id }) => !connectionIds.includes(id))) return;
    const url = `${identityUrl}/connect/revocation`;
    await http.callWithoutAnswer({ ...postForm(wire, { token: refreshToken }), url });
  };
}

function createXeroHttp({ fetch, clock, timeoutMs }: XeroOptions): HttpClient {
  return createHttpClient({
    party: "xero",
    fetch,
    clock,
    timeoutMs,
    maxAnswerBytes: MAX_PAGE_BYTES,
    describeError: (body) => {
      const error = errorSchema.safeParse(body).data;
      return { code: error?.error ?? error?.Detail?.split(":")[0] ?? undefined, detail: error?.Message ?? undefined };
    },
  });
}

/** Maps refusals that need a new consent, and an expired token, to the port's errors. */
function nameLoss(error: unknown): never {
  if (!(error instanceof UpstreamError)) throw error;
  const { httpStatus, code } = error.options;
  if (code === "invalid_grant") throw new AccessLost("consent_ended", error.message);
  if (httpStatus === 401 && code === "AuthorizationUnsuccessful") throw new AccessLost("not_permitted", error.message);
  if (httpStatus === 401 && code !== "invalid_client") throw new AccessExpired(error.message);
  if (httpStatus === 403) throw new AccessLost("ledger_removed", error.message);
  throw error;
}

/**
 * Converts a contact. The account for batch payments takes precedence over the one in the contact's details, because it
 * is the one that is paid.
 */
function toContact(contact: XeroContact): AccountingContact {
  const { BatchPayments: batch } = contact;
  const account = present(batch?.BankAccountNumber) ?? present(contact.BankAccountDetails);
  const taxNumber = present(contact.TaxNumber);
  return {
    id: contact.ContactID,
    name: contact.Name.trim(),
    email: present(contact.EmailAddress),
    phone: phoneOf(contact),
    address: addressOf(contact),
    // Xero stores other tax numbers in the same field, so only a valid ABN counts.
    abn: taxNumber === null ? null : (parseAbn(taxNumber) ?? null),
    accountName: present(batch?.BankAccountName),
    account: account === null ? null : { text: account },
    isArchived: contact.ContactStatus !== undefined && contact.ContactStatus !== "ACTIVE",
  };
}

function phoneOf({ Phones: phones }: XeroContact): string | null {
  for (const type of ["DEFAULT", "MOBILE", "DDI"]) {
    const phone = phones?.find(({ PhoneType }) => PhoneType === type);
    const number = present(phone?.PhoneNumber);
    if (!phone || number === null) continue;
    const country = present(phone.PhoneCountryCode)?.replace(/\D/g, "");
    const parts = [country ? `+${country}` : null, present(phone.PhoneAreaCode), number];
    return parts.filter((part) => part !== null).join(" ");
  }
  return null;
}

function addressOf({ Addresses: addresses }: XeroContact): string | null {
  const address = addresses?.find(({ AddressType }) => AddressType === "POBOX") ?? addresses?.[0];
  if (!address) return null;
  const { AddressLine1, AddressLine2, AddressLine3, AddressLine4, City, Region, PostalCode } = address;
  const place = [City, Region, PostalCode].map(present).filter((part) => part !== null);
  const lines = [AddressLine1, AddressLine2, AddressLine3, AddressLine4, place.join(" ")];
  return present(
    lines
      .map(present)
      .filter((line) => line !== null)
      .join(", "),
  );
}

/** `/Date(1518685950940+0000)/`: epoch milliseconds, whatever the zone beside them says. */
function parseXeroDate(text: string | null | undefined): number | undefined {
  const [, ms] = /^\/Date\((\d+)(?:[+-]\d{4})?\)\/$/.exec(text ?? "") ?? [];
  return ms === undefined ? undefined : Number(ms);
}

/** The values of `Changes` for an edit of the contact itself. */
const EDITS: ReadonlySet<string> = new Set(["created", "edited"]);

/**
 * Entries that record an edit of the contact. All others ("Credit Applied", "Invoice Created", "Attached a file",
 * notes, unknown values) name people who did something else.
 */
const toEdits = ({ HistoryRecords: records }: z.infer<typeof historySchema>): ContactEdit[] =>
  records.flatMap(({ Changes, DateUTC, User }) => {
    const at = parseXeroDate(DateUTC);
    return at === undefined || !EDITS.has(Changes?.trim().toLowerCase() ?? "") ? [] : [{ by: present(User), at }];
  });
