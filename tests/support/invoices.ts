import { takeInInvoice } from "~/modules/payments/invoices/take-in-invoice.server";
import type { DocumentRead, DocumentReader, ReadAccount, ReadFacts } from "~/ports/document-reader";
import type { Actor } from "~/services-and-actor";
import type { TestServices } from "./services";

/** Invoices whose facts are written by the test: the test's reader takes them from the document itself. */

/** A document's facts if the reader found nothing. */
export const someFacts = (given: Partial<ReadFacts> = {}): ReadFacts => ({
  status: "read",
  kind: "pdf",
  pages: 1,
  accounts: [],
  bpay: [],
  payIds: [],
  abns: [],
  currency: "AUD",
  emails: [],
  findings: [],
  isReadableEverywhere: true,
  ...given,
});

/** An account that a person sees on page 1. */
export const anAccount = (given: Partial<ReadAccount> & { bsb: string; accountNumber: string }): ReadAccount => ({
  page: 1,
  lines: ["Please pay to", `BSB ${given.bsb} Account ${given.accountNumber}`],
  certain: true,
  doubts: [],
  whose: "payee",
  ...given,
});

const encoder = new TextEncoder();
let made = 0;

/** A file that starts like a PDF and contains these facts. No two have the same bytes. */
export const aDocument = (read: DocumentRead): Uint8Array<ArrayBuffer> =>
  encoder.encode(`%PDF-1.7 ${++made}\n${JSON.stringify(read)}`);

/** Reads the facts that `aDocument` wrote; any other document has none. */
export const handReader: DocumentReader = {
  async read({ bytes, contentType }) {
    const text = new TextDecoder().decode(bytes);
    const json = text.slice(text.indexOf("\n") + 1);
    if (json.startsWith("{")) return JSON.parse(json) as DocumentRead;
    const kind = contentType === "application/pdf" ? "pdf" : contentType === "message/rfc822" ? "email" : "ubl";
    return someFacts({ kind });
  },
};

/** A received invoice. */
export async function anInvoice(services: TestServices, actor: Actor, read: Partial<ReadFacts> | DocumentRead = {}) {
  const facts = "status" in read && read.status === "unreadable" ? read : someFacts(read as Partial<ReadFacts>);
  const invoice = { fileName: "invoice.pdf", bytes: aDocument(facts), source: "upload" as const };
  return (await takeInInvoice(services, actor, invoice)).invoiceId;
}
