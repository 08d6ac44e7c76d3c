import { ACCOUNT_NUMBER_WIDTH, maskAccountNumber, parseAccountNumber, parseBsb } from "~/kernel/bank-account";
import { cleanLine, clip, normalizeText } from "~/kernel/text";
import type { InvoiceFacts } from "~/modules/rules/invoices/facts";
import type {
  DocumentRead,
  Finding,
  FindingCode,
  ReadAttachment,
  ReadEmail,
  ReadFacts,
  UnreadableReason,
} from "~/ports/document-reader";

/** The reader's answer, as it is stored and as the rules see it. Pure. */

/** At most this many of each kind are kept: no person would look at more. */
const MOST = 20;
const LONGEST_NAME = 200;
const LONGEST_TEXT = 1_000;

/** The reading without the nested documents of an email: the lists for the whole email include theirs. */
export type StoredReading = Omit<ReadFacts, "email"> & {
  email?: Omit<ReadEmail, "attachments" | "text"> & {
    text: string;
    attachments: Pick<ReadAttachment, "fileName" | "sha256" | "size">[];
  };
};

const name = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : clip(text.trim(), LONGEST_NAME) || undefined;

/** What stops an invoice is kept, however much else was found. */
const gravestFirst = (findings: readonly Finding[]): Finding[] => {
  const rankOf = ({ code }: Finding) =>
    SHOWS_ACCOUNT.has(code) ? 0 : ["grave", "refused", undefined, "odd", "kind"].indexOf(NOTICED[code]?.weight);
  return [...findings].sort((one, other) => rankOf(one) - rankOf(other));
};

/** Each other way to pay once. Those that are left out are not forgotten: the last one is known by no acceptance. */
function waysOnce(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  const once = findings.filter(
    ({ code, way }) => way !== undefined && !seen.has(`${code} ${way}`) && seen.add(`${code} ${way}`),
  );
  const more: Finding[] = once.length > MOST ? [{ code: "payment_link", way: `one of more than ${MOST} places…` }] : [];
  return [...findings.filter(({ way }) => way === undefined), ...more, ...once.slice(0, MOST)];
}

/** Reduces an answer to what is stored, whose size does not grow with the document. */
export function toStored({ email, ...read }: ReadFacts): StoredReading {
  return {
    ...read,
    accounts: read.accounts.slice(0, MOST),
    bpay: read.bpay.slice(0, MOST),
    payIds: read.payIds.slice(0, MOST),
    abns: read.abns.slice(0, MOST),
    emails: read.emails.slice(0, MOST),
    findings: gravestFirst(waysOnce(read.findings)).slice(0, MOST * 2),
    supplierName: name(read.supplierName),
    customerName: name(read.customerName),
    invoiceNumber: name(read.invoiceNumber),
    producer: name(read.producer),
    email: email && {
      ...email,
      subject: clip(email.subject, LONGEST_NAME),
      to: email.to.slice(0, MOST),
      text: clip(email.text, LONGEST_TEXT),
      attachments: email.attachments
        .slice(0, MOST)
        .map(({ fileName, sha256, size }) => ({ fileName: clip(fileName, LONGEST_NAME), sha256, size })),
    },
  };
}

/** Why nothing could be read, worded as the end of a sentence. */
export const UNREADABLE: Readonly<Record<UnreadableReason, string>> = {
  picture: "it is a picture",
  encrypted: "it needs a password",
  damaged: "the file is damaged",
  too_large: "it is too large",
  too_many_pages: "it has too many pages",
  too_slow: "reading it took too long",
  not_a_document: "it is not a PDF, email or electronic invoice",
  reader_down: "the reader did not answer",
};

type Said = { weight: InvoiceFacts["noticed"][number]["weight"]; sentence: string };
/** A separate rule reports them, or they are compared with the payee or its earlier invoices. */
type SaidElsewhere =
  | "new_bank_details_words"
  | "several_accounts"
  | "payment_link"
  | "cheque_payee"
  | "asks_no_payment";

/** The finding for each thing that the reader noticed. */
const NOTICED: Readonly<Record<Exclude<FindingCode, SaidElsewhere>, Said> & { [code in SaidElsewhere]?: never }> = {
  hidden_text: { weight: "grave", sentence: "It has bank digits that a person cannot see" },
  text_over_text: { weight: "grave", sentence: "Digits were put over other digits" },
  glyphs_differ: { weight: "grave", sentence: "The digits a person sees are not those that the file holds" },
  text_differs_from_picture: { weight: "grave", sentence: "Its text and its picture show different digits" },
  later_revision_changed_account: {
    weight: "grave",
    sentence: "The file was changed later, including its bank details",
  },
  annotation_with_bank_details: {
    weight: "grave",
    sentence: "A note, or the title or the name of the file, holds different bank details from its page",
  },
  attachment_with_bank_details: {
    weight: "grave",
    sentence: "A file inside it holds different bank details from its page",
  },
  field_with_bank_details: { weight: "grave", sentence: "A form field holds different bank details from its page" },
  qr_code_with_bank_details: {
    weight: "grave",
    sentence: "A QR code on it names bank details that its words do not",
  },
  qr_code_leads_elsewhere: {
    weight: "odd",
    sentence: "A QR code on it leads to a site: do not pay through it before you have asked",
  },
  link_leads_elsewhere: {
    weight: "odd",
    sentence: "A link on it shows one site and leads to another: do not pay through it",
  },
  collector: {
    weight: "odd",
    sentence: "It says that somebody else collects for whoever sent it: call them on a number you know before you pay",
  },
  qr_code_not_read: { weight: "odd", sentence: "A QR code on it could not be read: do not pay through it" },
  bar_code: { weight: "kind", sentence: "It seems to have a bar code, which was not read" },
  turned_around: { weight: "grave", sentence: "Hidden characters reverse its digits" },
  hidden_in_email: { weight: "grave", sentence: "The email holds bank digits that it does not show" },
  body_parts_differ: { weight: "grave", sentence: "The email's text and what it shows name different accounts" },
  shown_differently: {
    weight: "grave",
    sentence:
      "Parts of the file are given twice, or a style sheet in it decides what is shown, and programs differ in what they show",
  },
  script_action: { weight: "odd", sentence: "The file runs a script or starts a program" },
  account_could_not_be_read: {
    weight: "odd",
    sentence: "Something beside “BSB” or “account” could not be read",
  },
  picture_without_text: { weight: "kind", sentence: "Part of it is a picture that seems to contain text" },
  picture_could_not_be_read: {
    weight: "odd",
    sentence: "A picture on it may contain text that could not be read: look at the document yourself before you pay",
  },
  remote_pictures: {
    weight: "kind",
    sentence: "The email shows pictures that are not in the message, and those were not looked at",
  },
  only_pictures: { weight: "kind", sentence: "The email has pictures and hardly any words" },
  number_without_label: {
    weight: "odd",
    sentence:
      "A number on it may be a bank account, and nothing says what it is: compare it with the account that was read",
  },
  number_written_otherwise: {
    weight: "odd",
    sentence:
      "It shows a number in words, with unusual signs or as a drawing, which may be a bank account: look at it yourself before you pay",
  },
  scanned_page: { weight: "kind", sentence: "It is a scanned page" },
  page_not_painted: {
    weight: "odd",
    sentence:
      "A page was not checked, because it is too large or the document is too long: look at the document yourself",
  },
  attachment_not_read: { weight: "odd", sentence: "An attachment could not be read, or not all of it" },
  encrypted_attachment: { weight: "odd", sentence: "An attachment of the email needs a password" },
  refused_account_words: {
    weight: "refused",
    sentence:
      "Its words say not to pay the account on it, or to pay in another way: call the payee on a number you know before you pay",
  },
  total_too_high: { weight: "odd", sentence: "Its total is more than its subtotal and its GST add up to" },
  abn_cannot_exist: {
    weight: "odd",
    sentence: "An ABN on it cannot be right: its check digits are wrong",
  },
  iban_or_swift: {
    weight: "kind",
    sentence: "It names bank details for payments from abroad, such as an IBAN, which are not compared",
  },
  credit_note: { weight: "kind", sentence: "It is a credit note" },
  statement: { weight: "kind", sentence: "It is a statement of several invoices" },
};

/** Masks account numbers such as "062-000 12345678", which are never shown in full. */
const maskDigits = (digits: string): string => {
  const plain = digits.replace(/\D/g, "");
  return plain.length < 4 ? "" : maskAccountNumber(plain.slice(-ACCOUNT_NUMBER_WIDTH));
};

const maskNumbers = (text: string): string => text.replace(/\d[\d -]{6,}\d/g, maskDigits);

/** A document's own words, without signs that nobody sees and with account numbers masked. */
export const maskedWords = (text: string): string => maskNumbers(cleanLine(normalizeText(text, "NFKC")));

const LONGEST_SUBJECT = 90;

type Named = {
  invoiceNumber: string | null;
  supplierName: string | null;
  /** Of the email that it is. */
  subject: string | null;
  fileName: string;
};

/**
 * What an invoice is called: its supplier, else what its email says it is about, else its file's name. A subject may
 * hold anything, so it stands in quotation marks and keeps its reading direction to itself (U+2068, U+2069).
 */
export function nameInvoice({ supplierName, subject, fileName }: Omit<Named, "invoiceNumber">): string {
  const about = clip(maskedWords(subject ?? ""), LONGEST_SUBJECT);
  return supplierName ?? (about ? `“\u2068${about}\u2069”` : fileName);
}

/** The same after its number. */
export const nameWithNumber = ({ invoiceNumber, ...invoice }: Named): string =>
  !invoiceNumber
    ? nameInvoice(invoice)
    : `${invoiceNumber}${invoice.supplierName ? ` from ${invoice.supplierName}` : ""}`;

export function noticedOf({ code, digits, page, lines = [] }: Finding): InvoiceFacts["noticed"] {
  const said = NOTICED[code];
  if (!said) return [];
  const which = digits && code !== "iban_or_swift" && maskDigits(digits);
  const quoted = code === "refused_account_words" ? ` (“${maskNumbers(lines.join(" "))}”)` : "";
  const message = `${said.sentence}${which ? `: ${which}` : ""}${quoted}.`;
  return [{ code, weight: said.weight, message, page: page ?? null }];
}

/** The facts that come from the document itself; the others come from the organisation's data. */
export type DocumentFacts = Pick<
  InvoiceFacts,
  | "unreadable"
  | "isIncomplete"
  | "hasUnreadAccount"
  | "bpayCount"
  | "payIdCount"
  | "supplierName"
  | "abn"
  | "invoiceNumber"
  | "totalCents"
  | "chargesGst"
  | "announcements"
  | "noticed"
  | "software"
> & { accounts: Omit<InvoiceFacts["accounts"][number], "holder">[] };

const NOTHING_READ: DocumentFacts = {
  unreadable: null,
  accounts: [],
  isIncomplete: true,
  hasUnreadAccount: false,
  bpayCount: 0,
  payIdCount: 0,
  supplierName: null,
  abn: null,
  invoiceNumber: null,
  totalCents: null,
  chargesGst: false,
  announcements: [],
  noticed: [],
  software: null,
};

/** The supplier's ABN: the one labelled as such, otherwise the only ABN that is not the customer's. */
export function supplierAbn({ abns }: Pick<StoredReading, "abns">): string | null {
  const own = abns.filter(({ whose }) => whose === "supplier");
  const unknown = [...new Set(abns.filter(({ whose }) => whose === "unknown").map(({ abn }) => abn))];
  return own[0]?.abn ?? (unknown.length === 1 ? (unknown[0] ?? null) : null);
}

/** Integer cents of Australian dollars; null: no total was read, or it is in another currency. */
export const totalOf = ({ totalCents, currency }: Pick<StoredReading, "totalCents" | "currency">): number | null =>
  currency === "AUD" && totalCents !== undefined ? totalCents : null;

/** Only a complete account with a plausible number of digits can be compared. */
const isWhole = ({ bsb, accountNumber }: { bsb: string; accountNumber: string }): boolean =>
  parseBsb(bsb) !== undefined && parseAccountNumber(accountNumber) !== undefined;

/** A person sees an account there that was not read. */
const SHOWS_ACCOUNT: ReadonlySet<FindingCode> = new Set(["account_could_not_be_read", "number_written_otherwise"]);

/**
 * A person sees digits there, so "no bank account" would be wrong even where none was read. A number that is not written
 * like an account does not count where other ways to pay were read.
 */
const SHOWS_DIGITS: ReadonlySet<FindingCode> = new Set([
  "glyphs_differ",
  "text_differs_from_picture",
  "text_over_text",
  "number_without_label",
]);

export function documentFacts(read: Extract<DocumentRead, { status: "unreadable" }> | StoredReading): DocumentFacts {
  if (read.status === "unreadable") return { ...NOTHING_READ, unreadable: UNREADABLE[read.reason] };
  const { findings } = read;
  const whole = read.accounts.filter(isWhole);
  const hasOtherWay = read.bpay.length > 0 || findings.some(({ code }) => code === "iban_or_swift");
  const showsDigits = ({ code, digits }: Finding) =>
    SHOWS_DIGITS.has(code) && !(code === "number_without_label" && hasOtherWay && !digits);
  return {
    unreadable: null,
    accounts: whole.map(({ bsb, accountNumber, accountName, page, certain, whose }) => ({
      ...{ bsb, accountNumber, page, certain, whose },
      accountName: accountName ?? null,
    })),
    isIncomplete: !read.isReadableEverywhere,
    hasUnreadAccount:
      read.accounts.some((account) => account.whose !== "customer" && !isWhole(account)) ||
      findings.some((finding) => SHOWS_ACCOUNT.has(finding.code) || (whole.length === 0 && showsDigits(finding))),
    bpayCount: read.bpay.length,
    payIdCount: read.payIds.length,
    supplierName: read.supplierName ?? null,
    abn: supplierAbn(read),
    invoiceNumber: read.invoiceNumber ?? null,
    totalCents: totalOf(read),
    chargesGst: (read.gstCents ?? 0) > 0,
    announcements: findings
      .filter(({ code }) => code === "new_bank_details_words")
      .map(({ lines, page }) => ({
        text: clip((lines ?? []).join(" ").replace(/[.\s]+$/, "") || "new bank details", LONGEST_NAME),
        page: page ?? null,
      })),
    noticed: findings.flatMap(noticedOf),
    software: read.producer ?? null,
  };
}
