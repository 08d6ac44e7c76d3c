import { isXml, readUbl } from "@workers/reader/ubl/read-ubl";
import type { DocumentKind, DocumentRead, DocumentToRead } from "~/ports/document-reader";
import { readEmail, readWords } from "./email/read-email";
import { CannotRead, type Deadline, MAX_BYTES, MAX_DEPTH, type Reading, startDeadline } from "./limits";
import { accountsInText } from "./pdf/beside-the-page";
import type { Pdfium, PdfiumKeeper } from "./pdf/pdfium";
import { lookAtPictures, readPdf } from "./pdf/read-pdf";
import { screenPdf } from "./pdf/screen";

/** Reads a document of any kind. Its bytes decide the kind; its file name does not. */
export async function readDocument(document: DocumentToRead, keeper: PdfiumKeeper): Promise<DocumentRead> {
  return new Desk(keeper, startDeadline()).read(document, 0);
}

/** Reads one document and everything inside it. */
class Desk {
  /** The engine while it reads a PDF; documents inside that PDF use the same one. */
  private engine: Pdfium | undefined;

  constructor(
    private readonly keeper: PdfiumKeeper,
    private readonly deadline: Deadline,
  ) {}

  async read(document: DocumentToRead, depth: number): Promise<DocumentRead> {
    const kind = kindOf(document);
    try {
      if (document.bytes.length > MAX_BYTES || depth > MAX_DEPTH) throw new CannotRead("too_large");
      this.deadline.check();
      const reading: Reading = {
        deadline: this.deadline,
        readInside: (inner) => this.read(inner, depth + 1),
        lookAtPictures: (pdf) => this.withEngine((engine) => lookAtPictures(engine, pdf, this.deadline)),
      };
      if (kind === "pdf") return withFileName(await this.readPdf(document.bytes, reading), document);
      if (kind === "ubl") return withFileName(await readUbl(document.bytes, reading), document);
      if (kind === "email") return withFileName(await readEmail(document.bytes, reading), document);
      throw new CannotRead("not_a_document");
    } catch (error) {
      if (this.engine) this.engine.isSpoiled = true;
      const reason = error instanceof CannotRead ? error.reason : "damaged";
      return { status: "unreadable", reason, ...(kind ? { kind } : {}) };
    }
  }

  private async readPdf(bytes: Uint8Array, reading: Reading): Promise<DocumentRead> {
    const screened = screenPdf(bytes);
    return this.withEngine((engine) =>
      readPdf(engine, bytes, this.deadline, { ...screened, readAttached: (file) => readAttached(file, reading) }),
    );
  }

  private async withEngine<T>(work: (engine: Pdfium) => Promise<T>): Promise<T> {
    if (this.engine) return work(this.engine);
    return this.keeper.lend(async (engine) => {
      this.engine = engine;
      try {
        return await work(engine);
      } finally {
        this.engine = undefined;
      }
    });
  }
}

/** People read the name of a file too, so an account in it is compared with those in the file. */
function withFileName(read: DocumentRead, { fileName }: DocumentToRead): DocumentRead {
  if (read.status === "unreadable") return read;
  for (const { bsb, accountNumber } of accountsInText(fileName.replace(/\.\w{1,5}$/, "").replaceAll("_", " "))) {
    if (read.accounts.some((one) => one.bsb === bsb && one.accountNumber === accountNumber)) continue;
    const lines = [fileName.slice(0, LONGEST_NAME)];
    read.findings.push({ code: "annotation_with_bank_details", page: 1, digits: `${bsb}${accountNumber}`, lines });
  }
  return read;
}
const LONGEST_NAME = 200;

/** A file attached to a PDF: a document of a kind that is read, or words. */
async function readAttached(file: { name: string; bytes: Uint8Array }, reading: Reading) {
  const document = { bytes: file.bytes, contentType: "", fileName: file.name };
  if (kindOf(document)) {
    const read = await reading.readInside(document);
    if (read.status === "unreadable") return { accounts: numbersInXml(file.bytes), lines: [], isUnread: true };
    // Attachments and unreadable parts of an inner document belong to the outer document too.
    const inside = read.findings.filter(({ code }) => code === "attachment_with_bank_details");
    const deeper = inside.map(({ digits = "" }) => ({ bsb: digits.slice(0, 6), accountNumber: digits.slice(6) }));
    const isUnread = read.findings.some(({ code }) => code === "attachment_not_read");
    return { accounts: [...read.accounts, ...deeper], lines: [], isUnread };
  }
  const words = readWords({ mimeType: "", filename: file.name }, file.bytes);
  const accounts = words?.accounts ?? accountsInText(new TextDecoder("utf-8").decode(file.bytes));
  const isUnread = words ? !words.isReadableEverywhere : accounts.length === 0 && file.bytes.includes(0);
  return { accounts, lines: accounts.flatMap(({ lines }) => lines).slice(0, 4), isUnread };
}

/** Elements of invoices in other XML that hold the number of an account or a bank. Longer names would take too long to search. */
const XML_NUMBER =
  /<(?:[\w-]{1,40}:)?[\w.-]{0,60}(?:account|proprietary|bsb|branch|bic)[\w.-]{0,60}(?:\s[^<>]{0,400})?>\s*(\d[\d -]{4,24})\s*</gi;

export function numbersInXml(bytes: Uint8Array): { bsb: string; accountNumber: string }[] {
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, MAX_XML)).replaceAll("\0", "");
  return [...text.matchAll(XML_NUMBER)].map(([, number = ""]) => ({
    bsb: "",
    accountNumber: number.replace(/\D/g, ""),
  }));
}
const MAX_XML = 200_000;

const HEAD = 1_024;
const HEADER_LINE = /^(?:[\x21-\x39\x3b-\x7e]+:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*\r?\n){2}/;
const MAIL_HEADERS = /^(?:from|to|subject|date|message-id|received|mime-version|return-path|delivered-to)\s*:/im;

/** PDF by its mark in the first kilobyte, XML by its first element, email by its headers. */
function kindOf({ bytes }: DocumentToRead): DocumentKind | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, HEAD));
  const isMail = /^[\x21-\x39\x3b-\x7e]+:[^\r\n]*\r?\n/.test(head) && MAIL_HEADERS.test(head);
  if (head.includes("%PDF-") && !isMail) return "pdf";
  if (isXml(bytes)) return "ubl";
  const top = new TextDecoder("latin1")
    .decode(bytes.subarray(0, 16 * HEAD))
    .replace(/^(?:\s*\r?\n)*(?:From [^\r\n]*\r?\n)?/, "");
  if (HEADER_LINE.test(`${top}\n`) && MAIL_HEADERS.test(top.split(/\r?\n\r?\n/)[0] ?? "")) return "email";
  return undefined;
}
