/**
 * The contents of an invoice, as a person would see them. The reader has no database and no network: it turns bytes
 * into facts and does not judge the payee. The caller decides whether an account is the verified one.
 */

export type DocumentKind = "pdf" | "email" | "ubl";

/**
 * Why nothing could be read. None of them says that a document has no bank details.
 * - `picture`: the document has visible content but no text
 * - `encrypted`: a password is needed
 * - `damaged`: a document of a supported kind that is damaged
 * - `too_large`, `too_many_pages`, `too_slow`: it exceeds a limit or the reader's memory
 * - `not_a_document`: neither PDF, email nor an invoice of Peppol
 * - `reader_down`: the reader did not answer; trying again may help. The only one that says nothing about the document.
 */
export type UnreadableReason =
  | "picture"
  | "encrypted"
  | "damaged"
  | "too_large"
  | "too_many_pages"
  | "too_slow"
  | "not_a_document"
  | "reader_down";

/** In points from the upper left corner of the page as it is shown; only for a PDF. */
export type Box = { x: number; y: number; width: number; height: number };

/** Where something was read. */
type Place = {
  /** From 1. The body of an email and the XML of an invoice are page 1. */
  page: number;
  box?: Box;
  /** The document's own lines around it, in order, as a person reads them; at most five, each at most 200 characters. */
  lines: string[];
};

/**
 * Why an account (or another number) is not certain. `hidden_text`: a person cannot see its digits. `scanned`: they are
 * a text layer that somebody's software put over a picture. `text_over_text`: they are where other digits were.
 * `glyphs_differ`, `text_differs_from_picture`: what is painted looks like other digits. `look_alike_letters`: letters
 * are among the digits (O for 0). `turned_around`: direction marks reverse them. `no_label`: no word says which number
 * it is. `several_readings`: label and digits can be paired in more than one way. `form_field`, `annotation`,
 * `attachment`: the account is there and not on the page. `earlier_revision`: the document said something else before.
 * `not_painted`: the page was too large to paint, or an email's style has an unknown effect, so nothing was compared.
 * `qr_code`: the account is in a QR code and not in words.
 * `half_an_account`: BSB or account number alone, or digits that may be half of one. `differs_inside`: the invoice and
 * the document inside it name different accounts.
 */
export type Doubt =
  | "hidden_text"
  | "scanned"
  | "text_over_text"
  | "glyphs_differ"
  | "text_differs_from_picture"
  | "look_alike_letters"
  | "turned_around"
  | "no_label"
  | "several_readings"
  | "form_field"
  | "annotation"
  | "attachment"
  | "qr_code"
  | "earlier_revision"
  | "not_painted"
  | "half_an_account"
  | "differs_inside";

type Read = Place & {
  /** True: a person who looks at the document reads exactly this. */
  certain: boolean;
  /** Empty where it is certain. */
  doubts: Doubt[];
};

export type ReadAccount = Read & {
  /** Six digits; empty where only an account number was read (`half_an_account`). */
  bsb: string;
  /** Four to ten digits, leading zeros kept; empty where only a BSB was read. */
  accountNumber: string;
  accountName?: string;
  /** `customer`: the account of whoever gets the document, as in "we will debit your account". */
  whose: "payee" | "customer" | "unknown";
};

export type ReadBpay = Read & { billerCode: string; reference?: string; isCheckDigitRight?: boolean };
export type ReadPayId = Read & { payId: string; type: "email" | "phone" | "abn" | "organisation" | "unknown" };
/** Eleven digits whose check digits are right. */
export type ReadAbn = Read & { abn: string; whose: "supplier" | "customer" | "unknown" };
export type ReadEmailAddress = Place & { address: string };

/**
 * What somebody who looks closely would want to know. The mere structure of a file raises none.
 * Signs of tampering, strongest first:
 * - `hidden_text`: bank digits that nobody can see. `text_over_text`: two runs of digits on one spot.
 * - `glyphs_differ`: the font paints other digits than it claims. `text_differs_from_picture`: the page does.
 * - `later_revision_changed_account`: `digits` are those of an earlier revision, and are no longer there.
 * - `annotation_with_bank_details`, `attachment_with_bank_details`, `field_with_bank_details`: bank digits beside the page
 *   that are not those on it. `script_action`: a script runs when the document is opened.
 * - `qr_code_with_bank_details`: a QR code names an account, a PayID or a biller that the words do not.
 *   `qr_code_leads_elsewhere`: it leads to a site or to a wallet, `way`. Words that name the site prove nothing.
 * - `shown_differently`: parts of the file are given twice, and programs differ in which of them they show.
 * - `turned_around`: direction marks among digits. `hidden_in_email`: bank digits in the message that are not shown.
 * - `body_parts_differ`: the plain text of an email names another account than what is shown.
 * Signs that something was not read:
 * - `account_could_not_be_read`: something is painted around "BSB" or "account" and gives no digits, or only half.
 * - `number_without_label`: a number that may be an account, without a word that says what it is; with its digits where it
 *   is written like one.
 * - `number_written_otherwise`: a number written in words or with unusual characters, drawn with characters, dots or
 *   coloured cells, or counted by a list.
 * - `picture_could_not_be_read`: a picture beside the text has text that was not recognised, or was too large to look at,
 *   so it may contain a number.
 * - `qr_code_not_read`, `bar_code`: a QR code that could not be decoded; bars, which are not decoded.
 * - `remote_pictures`: an email shows pictures that are not in the message, so nobody looked at them. `only_pictures`: it
 *   has no words besides.
 * - `picture_without_text`: a part of the page is a picture that seems to contain text. `scanned_page`: the page is a
 *   picture with a text layer over it. `page_not_painted`: too large to paint.
 * - `attachment_not_read`: a file of an email could not be read. `encrypted_attachment`: it needs a password.
 * Other ways to pay, which the app compares with what it knows of the payee:
 * - `link_leads_elsewhere`: the words of a link name one site, and it leads to another, `way`.
 * - `payment_link`: the site `way`. `cheque_payee`: cheques in the name `way`. `collector`: somebody who collects for it.
 * The kind of document:
 * - `new_bank_details_words`: it announces new bank details. `several_accounts`: it names several accounts of the payee.
 * - `refused_account_words`: it says that its own account must not be paid, or asks to be paid in another way instead.
 * - `total_too_high`: the total is more than the subtotal and the GST right above it add up to.
 * - `abn_cannot_exist`: the supplier's ABN has wrong check digits.
 * - `iban_or_swift`: foreign bank details, those of New Zealand included. `credit_note`, `statement`.
 * - `asks_no_payment`: by its words it was paid, is collected, or is no bill, as a credit note or a statement.
 */
export type FindingCode =
  | "hidden_text"
  | "text_over_text"
  | "glyphs_differ"
  | "text_differs_from_picture"
  | "later_revision_changed_account"
  | "annotation_with_bank_details"
  | "attachment_with_bank_details"
  | "field_with_bank_details"
  | "qr_code_with_bank_details"
  | "qr_code_leads_elsewhere"
  | "qr_code_not_read"
  | "bar_code"
  | "script_action"
  | "shown_differently"
  | "turned_around"
  | "hidden_in_email"
  | "body_parts_differ"
  | "account_could_not_be_read"
  | "picture_without_text"
  | "picture_could_not_be_read"
  | "remote_pictures"
  | "only_pictures"
  | "number_without_label"
  | "number_written_otherwise"
  | "scanned_page"
  | "page_not_painted"
  | "attachment_not_read"
  | "encrypted_attachment"
  | "payment_link"
  | "link_leads_elsewhere"
  | "cheque_payee"
  | "collector"
  | "new_bank_details_words"
  | "refused_account_words"
  | "total_too_high"
  | "abn_cannot_exist"
  | "several_accounts"
  | "iban_or_swift"
  | "credit_note"
  | "statement"
  | "asks_no_payment";

export type Finding = {
  code: FindingCode;
  page?: number;
  box?: Box;
  /** The digits that it is about, never more than one number; for IBAN and SWIFT the code itself. */
  digits?: string;
  /** A site (with its path where that says who is paid, "/…" where nothing does), a wallet or a name, for another way to pay. */
  way?: string;
  /** The document's own words around it. */
  lines?: string[];
  /** For a picture: equal for equal bytes from which the same was read, such as those of a letterhead. */
  picture?: string;
};

export type MailAddress = { name: string; address: string };

export type ReadAttachment = {
  fileName: string;
  /** Of its bytes, in hexadecimal digits. */
  sha256: string;
  size: number;
  read: DocumentRead;
};

/**
 * The message around an invoice. Nothing here was authenticated: only the server that received it can say who really
 * sent it.
 */
export type ReadEmail = {
  from?: MailAddress;
  replyTo?: MailAddress;
  to: MailAddress[];
  /** As the header says, in ISO 8601. */
  date?: string;
  subject: string;
  messageId?: string;
  /** An auto-reply, a bounce or a mailing-list message, which must never be answered. */
  isAutoReply: boolean;
  /** What is shown of the message, at most 4,000 characters. */
  text: string;
  /** PDFs, emails and invoices of Peppol; other files are left out. At most ten. */
  attachments: ReadAttachment[];
};

export type ReadFacts = {
  status: "read";
  kind: DocumentKind;
  pages: number;
  /** For an email: from its body and all its attachments, each once. */
  accounts: ReadAccount[];
  bpay: ReadBpay[];
  payIds: ReadPayId[];
  abns: ReadAbn[];
  supplierName?: string;
  customerName?: string;
  invoiceNumber?: string;
  totalCents?: number;
  gstCents?: number;
  /** AUD unless the document says another. */
  currency: string;
  /** ISO dates without time. */
  issueDate?: string;
  dueDate?: string;
  emails: ReadEmailAddress[];
  /** The software that wrote a PDF, from the PDF's metadata. */
  producer?: string;
  findings: Finding[];
  email?: ReadEmail;
  /**
   * All visible parts were read as text. Only then do empty lists mean that there are no bank details; otherwise an
   * image may contain some.
   */
  isReadableEverywhere: boolean;
};

export type DocumentRead = { status: "unreadable"; reason: UnreadableReason; kind?: DocumentKind } | ReadFacts;

export type DocumentToRead = {
  bytes: Uint8Array;
  /** The sender's file name; the kind is determined from the bytes. */
  contentType: string;
  fileName: string;
};

export interface DocumentReader {
  /** Never throws because of a document's content: unreadable documents have an answer too. */
  read(document: DocumentToRead): Promise<DocumentRead>;
}
