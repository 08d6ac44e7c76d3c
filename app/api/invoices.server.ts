import * as z from "zod";
import { readDocument } from "~/http/body.server";
import { maskAccountNumber } from "~/kernel/bank-account";
import { INVOICE_DECISIONS, INVOICE_STATUSES, INVOICE_VERDICTS, MAIL_AUTHENTICATIONS } from "~/kernel/enums";
import { decideInvoice, deleteInvoice, invoiceDecisionSchema } from "~/modules/payments/invoices/decide-invoice.server";
import { DOCUMENT_TYPES, INVOICE_TABS, MAX_INVOICE_BYTES } from "~/modules/payments/invoices/invoice";
import {
  getInvoice,
  type ListedInvoice,
  listInvoices,
  readInvoicesQuery,
} from "~/modules/payments/invoices/invoice.server";
import { type StoredReading, supplierAbn } from "~/modules/payments/invoices/reading";
import { takeInInvoice } from "~/modules/payments/invoices/take-in-invoice.server";
import { FINDING_LEVELS } from "~/modules/rules/invoices";
import { PAYEE_BY } from "~/modules/rules/invoices/facts";
import {
  choice,
  count,
  cursor,
  EXAMPLE,
  endpoint,
  flag,
  id,
  idOf,
  instant,
  NAMES,
  nextCursor,
  reply,
  sha256,
  text,
  word,
} from "./endpoint.server";

const readAccount = z.object({
  bsb: text("062000", "Six digits; empty where only an account number was read."),
  accountNumber: text("•••••678", "Masked: only the last digits are shown."),
  accountName: text("Coral Sea Refrigeration Pty Ltd").nullable(),
  page: count(1),
  certain: flag(
    true,
    "Whether a person who looks at the document sees exactly this account. One that comes from something hidden, edited or contradicted is not certain.",
  ),
  whose: z.enum(["payee", "customer", "unknown"]),
});

const reading = z.object({
  accounts: z.array(readAccount),
  bpay: z.array(z.object({ billerCode: text("12345"), reference: text("600012342").nullable() })),
  payIds: z.array(text("accounts@coralsea.example")),
  supplierName: text("Coral Sea Refrigeration").nullable(),
  abn: text("51824753556", "Eleven digits.").nullable(),
  invoiceNumber: text("CSR-4471").nullable(),
  totalCents: count(1_859_000, "In the currency's smallest unit.").nullable(),
  currency: text("AUD"),
  issueDate: text("2026-11-20", "An ISO date.").nullable(),
  dueDate: text("2026-12-07", "An ISO date.").nullable(),
});

const finding = z.object({
  code: text("other_account", "More codes may be added."),
  level: z.enum(FINDING_LEVELS),
  message: text("The invoice asks for 083-170 •••••412. Coral Sea Refrigeration has 062-204 •••••905."),
  page: count(1).optional(),
});

const invoice = z
  .object({
    id: id(EXAMPLE.invoice),
    status: z.enum(INVOICE_STATUSES),
    fileName: text("csr-4471.pdf"),
    sha256,
    receivedAt: instant,
    from: z
      .object({ address: text("accounts@coralsea.example"), authentication: z.enum(MAIL_AUTHENTICATIONS) })
      .optional()
      .meta({
        description:
          "For an email. `authentication` is what the platform that received it found (DMARC); `unknown` where nobody has checked the sender, such as for an uploaded email.",
      }),
    read: reading
      .optional()
      .meta({ description: "Absent while the invoice is being read, where nothing could be read, and in lists." }),
    payee: z
      .object({ id: id(EXAMPLE.payee), by: z.enum(PAYEE_BY) })
      .optional()
      .meta({ description: "Which payee it is from, and how that was found." }),
    verdict: z.enum(INVOICE_VERDICTS).optional(),
    findings: z.array(finding),
    decision: z
      .object({
        decision: z.enum(INVOICE_DECISIONS),
        reason: text("Called the payee").nullable(),
        by: text("Mira Okafor").nullable(),
        at: instant.nullable(),
      })
      .optional(),
  })
  .register(NAMES, { id: "Invoice" });

const shownReading = (read: StoredReading) => ({
  accounts: read.accounts.map(({ bsb, accountNumber, accountName, page, certain, whose }) => ({
    ...{ bsb, page, certain, whose },
    accountNumber: maskAccountNumber(accountNumber),
    accountName: accountName ?? null,
  })),
  bpay: read.bpay.map(({ billerCode, reference }) => ({ billerCode, reference: reference ?? null })),
  payIds: read.payIds.map(({ payId }) => payId),
  supplierName: read.supplierName ?? null,
  abn: supplierAbn(read),
  invoiceNumber: read.invoiceNumber ?? null,
  totalCents: read.totalCents ?? null,
  currency: read.currency,
  issueDate: read.issueDate ?? null,
  dueDate: read.dueDate ?? null,
});

function shown(row: ListedInvoice & { read?: StoredReading | null }) {
  const { id, status, fileName, sha256, receivedAt, fromAddress, mailAuthentication, payeeId, payeeBy, verdict } = row;
  const { findings, decision, decisionReason, decidedBy, decidedAt, read } = row;
  return {
    ...{ id, status, fileName, sha256, receivedAt },
    ...(fromAddress !== null
      ? { from: { address: fromAddress, authentication: mailAuthentication ?? ("unknown" as const) } }
      : {}),
    ...(read ? { read: shownReading(read) } : {}),
    ...(payeeId !== null && payeeBy !== null ? { payee: { id: payeeId, by: payeeBy } } : {}),
    ...(verdict !== null ? { verdict } : {}),
    findings: findings.map(({ code, level, message, page }) => ({ code, level, message, page })),
    ...(decision !== null ? { decision: { decision, reason: decisionReason, by: decidedBy, at: decidedAt } } : {}),
  };
}

const byId = { id: idOf("invoice", EXAMPLE.invoice) };
const oneInvoice = z.object({ invoice });
const UBL = {
  type: "application/xml",
  text: '<?xml version="1.0" encoding="UTF-8"?><Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>',
};

export const INVOICE_CALLS = [
  endpoint({
    id: "listInvoices",
    group: "invoices",
    at: "GET /api/invoices",
    needs: "payments:read",
    title: "List invoices",
    query: {
      q: word(
        "Words from the names of the supplier, the payee or the file, from the invoice number or from the sender's address.",
        "coral",
      ),
      status: choice(
        "Only invoices with this status. `stopped`: with a stop finding that nobody has decided.",
        INVOICE_TABS,
      ),
      cursor,
    },
    answers: {
      200: {
        text: "A page of invoices, newest first, without what was read.",
        schema: z.object({ invoices: z.array(invoice), nextCursor }),
      },
    },
    examples: [{ title: "All invoices", status: 200 }],
    run: async ({ services, actor, asked }) => {
      const page = await listInvoices(services, actor, readInvoicesQuery(asked));
      return { invoices: page.invoices.map(shown), nextCursor: page.next ?? null };
    },
  }),
  endpoint({
    id: "takeInInvoice",
    group: "invoices",
    at: "POST /api/invoices",
    needs: "payments:write",
    title: "Check an invoice",
    text: "Send the document as the body: a PDF, an email, or an electronic invoice (Peppol), up to 10 MB and 50 pages. Put the file's name in the header `x-file-name`. The invoice is read and compared with the verified payees. If that takes more than four seconds, the answer is 202: read the invoice until its status is no longer `reading`. Sending the same bytes again returns the same invoice.",
    files: DOCUMENT_TYPES,
    answers: {
      200: { text: "These bytes were sent before: the existing invoice.", schema: oneInvoice },
      201: { text: "The invoice and what was found.", schema: oneInvoice },
      202: { text: "The invoice is being read.", schema: oneInvoice },
    },
    refusals: ["INVALID_DOCUMENT", "SUBSCRIPTION_REQUIRED"],
    examples: [{ title: "An electronic invoice", status: 201, file: UBL }],
    run: async ({ services, actor, request }) => {
      const { name, bytes } = await readDocument(request, DOCUMENT_TYPES, MAX_INVOICE_BYTES);
      const { invoiceId, isNew } = await takeInInvoice(services, actor, { fileName: name, bytes, source: "api" });
      const row = await getInvoice(services, actor, invoiceId);
      const status = row.status === "reading" ? 202 : isNew ? 201 : 200;
      return reply({ invoice: shown(row) }, { status });
    },
  }),
  endpoint({
    id: "readInvoice",
    group: "invoices",
    at: "GET /api/invoices/{id}",
    needs: "payments:read",
    title: "Read an invoice",
    path: byId,
    answers: { 200: { text: "The invoice with what was read and found.", schema: oneInvoice } },
    examples: [{ title: "One invoice", status: 200, path: { id: EXAMPLE.invoice } }],
    run: async ({ services, actor, path }) => ({ invoice: shown(await getInvoice(services, actor, path.id)) }),
  }),
  endpoint({
    id: "decideInvoice",
    group: "invoices",
    at: "POST /api/invoices/{id}/decision",
    needs: "payments:write",
    title: "Decide an invoice",
    text: "Accepting an invoice that has a stop finding or names a new way to pay (`new_way_to_pay`) needs a reason and, where the organisation requires it, a second person. It changes no payee and no account.",
    isIdempotent: true,
    path: byId,
    body: invoiceDecisionSchema,
    answers: { 200: { text: "The invoice.", schema: oneInvoice } },
    refusals: ["SECOND_PERSON_REQUIRED", "INVOICE_READING", "ALREADY_DECIDED", "INVOICE_CHANGED"],
    examples: [
      {
        title: "Stop it",
        status: 200,
        path: { id: EXAMPLE.invoice },
        json: { decision: "reject", reason: "The payee has not changed its account" },
      },
    ],
    run: async ({ services, actor, path, body, idempotencyKey }) => {
      await decideInvoice(services, actor, { invoiceId: path.id, ...body, idempotencyKey });
      return { invoice: shown(await getInvoice(services, actor, path.id)) };
    },
  }),
  endpoint({
    id: "deleteInvoice",
    group: "invoices",
    at: "DELETE /api/invoices/{id}",
    needs: "payments:write",
    title: "Delete an invoice",
    text: "Deletes its document too. A stopped invoice stays.",
    path: byId,
    answers: { 204: { text: "The invoice is deleted." } },
    refusals: ["INVOICE_STOPPED", "INVOICE_READING", "INVOICE_CHANGED"],
    examples: [{ title: "Delete", status: 204, path: { id: EXAMPLE.invoice } }],
    run: async ({ services, actor, path }) => {
      await deleteInvoice(services, actor, path.id);
      return undefined;
    },
  }),
];
