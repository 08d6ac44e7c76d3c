import { findBpay, findPayIds, hasRightCheckDigit, NEW_ZEALAND } from "@workers/reader/facts/other-numbers";
import { CannotRead, type Reading } from "@workers/reader/limits";
import { SaxesParser } from "saxes";
import { hasElevenDigits, parseAbn } from "~/kernel/abn";
import type {
  DocumentRead,
  Doubt,
  Finding,
  ReadAbn,
  ReadAccount,
  ReadBpay,
  ReadFacts,
  ReadPayId,
} from "~/ports/document-reader";
import { addPictures, sheetOf } from "../email/pictures";
import { readWords } from "../email/read-email";
import { findKinds } from "../facts/kinds";
import { findLooseNumbers } from "../facts/loose-numbers";
import { findOtherWays } from "../facts/other-ways";
import { readPageFacts, reportSeveralAccounts } from "../facts/page-facts";
import { isLink, siteOf } from "../facts/shared-sites";
import { linesOfText } from "../layout/lines";

/** Invoices and credit notes in UBL, as Peppol carries them in Australia and New Zealand: PINT A-NZ, and BIS 3 before it. */

const HEAD = 4_096;
const CREDIT_TRANSFERS = new Set(["30", "31", "42", "57", "58"]);
const MAX_EMBEDDED = 3;

export function isXml(bytes: Uint8Array): boolean {
  const head = decodeXml(bytes.subarray(0, HEAD), false).trimStart();
  return /^<(?:\?xml|!--|[A-Za-z_])/.test(head) && !/^<(?:!doctype\s+)?html/i.test(head);
}

/** The XML declares its encoding, but a byte order mark takes precedence. */
function decodeXml(bytes: Uint8Array, isStrict = true): string {
  const [first, second] = bytes;
  const marked =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : undefined;
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
  const declared = /^[^<]*<\?xml[^>]*encoding=["']([A-Za-z0-9._-]+)["']/.exec(head)?.[1];
  const isLatin = /^(?:iso-8859-1|windows-1252|latin1)$/i.test(declared ?? "");
  try {
    return new TextDecoder(marked ?? (isLatin ? "windows-1252" : "utf-8"), { fatal: isStrict }).decode(bytes);
  } catch {
    throw new CannotRead("damaged");
  }
}

export async function readUbl(bytes: Uint8Array, reading: Reading): Promise<DocumentRead> {
  const { document, styles } = parseXml(straighten(decodeXml(bytes)));
  const invoice = findInvoice(document);
  if (!invoice) throw new CannotRead("not_a_document");
  const facts = readInvoice(invoice);
  readNotes(invoice, facts);
  if (styles.some((style) => OWN_STYLE.test(style))) {
    facts.findings.push({ code: "shown_differently", lines: styles.map((style) => style.slice(0, 200)).slice(0, 3) });
    facts.accounts = facts.accounts.map((account) => doubted(account, "differs_inside"));
  }
  await compareEmbedded(invoice, facts, reading);
  return reportSeveralAccounts(facts);
}

/** A style sheet in the file itself or from the network decides what a browser shows; one beside the file is not there. */
const OWN_STYLE = /href\s*=\s*["']\s*(?:data:|#|(?:https?:)?\/\/)/i;

/** Repairs a comment whose opening mark is reversed, as in one of the published examples. */
const straighten = (text: string) => text.replace(/^(\s*<\?xml[^>]*\?>\s*)<--!/, "$1<!--");

/** The invoice itself, or inside the envelope that the network puts around it. */
function findInvoice(root: Element): Element | undefined {
  const isInvoice = ({ name }: Element) => name === "Invoice" || name === "CreditNote";
  const isUbl = (element: Element) => element.children.some(({ name }) => name === "AccountingSupplierParty");
  const candidates = [root, ...root.children, ...root.children.flatMap(({ children }) => children)];
  const invoices = candidates.filter((element) => isInvoice(element) && isUbl(element));
  // With several invoices, nothing says which is meant.
  return invoices.length === 1 ? invoices[0] : undefined;
}

function readInvoice(invoice: Element): ReadFacts {
  const supplier = find(invoice, "AccountingSupplierParty", "Party");
  const customer = find(invoice, "AccountingCustomerParty", "Party");
  const payments = readPayments(invoice);
  const kinds: Finding[] = [];
  const type = textOf(invoice, "InvoiceTypeCode") ?? textOf(invoice, "CreditNoteTypeCode");
  if (invoice.name === "CreditNote" || type === "381") kinds.push({ code: "credit_note" }, { code: "asks_no_payment" });
  const registered = find(supplier, "PartyLegalEntity", "CompanyID");
  const isAbn = registered?.attributes.schemeID === AUSTRALIAN && hasElevenDigits(registered.text);
  if (isAbn && !parseAbn(registered.text)) kinds.push({ code: "abn_cannot_exist", page: 1 });
  const values = {
    supplierName: nameOf(supplier),
    customerName: nameOf(customer),
    invoiceNumber: textOf(invoice, "ID"),
    totalCents: cents(textOf(invoice, "LegalMonetaryTotal", "PayableAmount")),
    gstCents: cents(textOf(invoice, "TaxTotal", "TaxAmount")),
    issueDate: dateOf(textOf(invoice, "IssueDate")),
    dueDate: dateOf(textOf(invoice, "DueDate") ?? textOf(invoice, "PaymentMeans", "PaymentDueDate")),
  };
  const known = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  const email = textOf(supplier, "Contact", "ElectronicMail");
  return {
    status: "read",
    kind: "ubl",
    pages: 1,
    ...payments,
    abns: readAbns(supplier, customer, find(invoice, "PayeeParty")),
    ...known,
    currency: textOf(invoice, "DocumentCurrencyCode") ?? "AUD",
    emails: email?.includes("@")
      ? [{ page: 1, lines: [`ElectronicMail: ${email}`], address: email.toLowerCase() }]
      : [],
    findings: [...payments.findings, ...kinds],
    isReadableEverywhere: true,
  };
}

/** The scheme of ABNs. */
const AUSTRALIAN = "0151";

const nameOf = (party: Element | undefined) =>
  textOf(party, "PartyLegalEntity", "RegistrationName") ?? textOf(party, "PartyName", "Name");

function cents(text: string | undefined): number | undefined {
  return text !== undefined && /^-?\d{1,12}(?:\.\d{1,4})?$/.test(text) ? Math.round(Number(text) * 100) : undefined;
}

const dateOf = (text: string | undefined) => (text && /^\d{4}-\d{2}-\d{2}/.test(text) ? text.slice(0, 10) : undefined);

type Payments = Pick<ReadFacts, "accounts" | "bpay" | "payIds" | "findings">;

function readPayments(invoice: Element): Payments {
  const found: Payments = { accounts: [], bpay: [], payIds: [], findings: [] };
  const isCreditNote = invoice.name === "CreditNote" || textOf(invoice, "InvoiceTypeCode") === "389";
  // Without its hyphens, an account of New Zealand has as many digits as a BSB and an account number may have.
  const currency = textOf(invoice, "DocumentCurrencyCode") ?? "AUD";
  const supplier = find(invoice, "AccountingSupplierParty", "Party");
  const country = textOf(supplier, "PostalAddress", "Country", "IdentificationCode") ?? "AU";
  const isOfNewZealand = currency === "NZD" || country === "NZ";
  // A sort code has six digits too, and is no BSB.
  const isElsewhere = country !== "AU" && currency !== "AUD";
  for (const means of childrenOf(invoice, "PaymentMeans")) {
    const code = textOf(means, "PaymentMeansCode") ?? "";
    for (const payee of childrenOf(means, "PayeeFinancialAccount"))
      readPayee(found, { means, payee, code, isOfNewZealand, isElsewhere });
    const payer = find(means, "PaymentMandate", "PayerFinancialAccount");
    const account = payer && toAccount(payer, "customer");
    if (account && account.doubts.length === 0 && !isCreditNote) found.accounts.push(account);
  }
  // Only some programs recognise an account given with the supplier, or with whoever is paid instead.
  for (const party of [supplier, find(invoice, "PayeeParty")]) {
    const beside = find(party, "FinancialAccount");
    const account = beside && toAccount(beside, "payee");
    const isNew = (one: ReadAccount) =>
      !found.accounts.some(({ bsb, accountNumber }) => bsb === one.bsb && accountNumber === one.accountNumber);
    if (account && isNew(account)) found.accounts.push(doubted(account, "differs_inside"));
  }
  // Nothing says which account is to be paid.
  if (found.accounts.length > 0) {
    const [foreign] = found.findings.filter(({ code }) => code === "iban_or_swift");
    if (foreign) found.findings.push({ code: "number_without_label", page: 1, lines: foreign.lines ?? [] });
  }
  return found;
}

const doubted = <T extends Pick<ReadAccount, "doubts">>(account: T, doubt: Doubt) => ({
  ...account,
  certain: false,
  doubts: [...new Set([...account.doubts, doubt])],
});

type PayeePlace = { means: Element; payee: Element; code: string; isOfNewZealand: boolean; isElsewhere: boolean };

/** As sort codes of the United Kingdom are written. */
const SORT_CODE = /^\d{2}-\d{2}-\d{2}$/;

function readPayee(found: Payments, { means, payee, code, isOfNewZealand, isElsewhere }: PayeePlace): void {
  const before = found.accounts.length;
  const id = textOf(payee, "ID") ?? "";
  const branch = (textOf(payee, "FinancialInstitutionBranch", "ID") ?? "").replace(/[\s-]/g, "");
  const scheme = find(payee, "ID")?.attributes.schemeID ?? "";
  const lines = linesOf(means, payee, code);
  const place = { page: 1, lines, certain: true, doubts: [] };
  if (/^bpay/i.test(branch) || /^bpay/i.test(scheme)) {
    const reference = /^[\d\s-]{2,30}$/.exec(textOf(means, "PaymentID") ?? "")?.[0].replace(/\D/g, "");
    const bpay: ReadBpay = {
      ...place,
      billerCode: id.replace(/\D/g, ""),
      ...(reference ? { reference, isCheckDigitRight: hasRightCheckDigit(reference) } : {}),
    };
    if (bpay.billerCode) found.bpay.push(bpay);
  } else if (/^(?:payid|npp|osko)/i.test(branch) || /^payid/i.test(scheme)) {
    found.payIds.push({ ...place, payId: id.toLowerCase(), type: payIdType(id) });
  } else if (isLink(id) || /^(?:uri|url|website)$/i.test(branch)) {
    found.findings.push({ code: "payment_link", way: siteOf(id), page: 1, lines });
  } else if (/^(?:billpay|postbillpay)$/i.test(branch)) {
    // A counter is not an account.
  } else if (
    /^(?:IBAN|[A-Z]{2}\d{2}[A-Z0-9]{6})[A-Z0-9]{4,}$/.test(id.replaceAll(" ", "")) ||
    /^[A-Z]{6}[A-Z0-9]{2}/.test(branch) ||
    id.match(NEW_ZEALAND) ||
    (isOfNewZealand && /^\d{15,16}$/.test(id)) ||
    SORT_CODE.test(textOf(payee, "FinancialInstitutionBranch", "ID") ?? "") ||
    (isElsewhere && !isOfNewZealand)
  ) {
    found.findings.push({ code: "iban_or_swift", page: 1, digits: id.replaceAll(" ", "").slice(0, 40), lines });
  } else {
    const account = toAccount(payee, "payee", lines);
    if (account.bsb || account.accountNumber) found.accounts.push(account);
    else found.findings.push({ code: "account_could_not_be_read", page: 1, lines });
  }
  const isTransfer = CREDIT_TRANSFERS.has(code) || code === "1" || code === "ZZZ";
  if (!isTransfer && /^(?:49|59)$/.test(code))
    for (const account of found.accounts.slice(before)) account.whose = "customer";
}

function payIdType(id: string): ReadPayId["type"] {
  if (id.includes("@")) return "email";
  const digits = id.replace(/\D/g, "");
  if (parseAbn(digits)) return "abn";
  return /^\+?[\d\s-]{8,}$/.test(id) ? "phone" : "organisation";
}

function linesOf(means: Element, payee: Element, code: string): string[] {
  const values = {
    PaymentMeansCode: code,
    PaymentID: textOf(means, "PaymentID"),
    "Account name": textOf(payee, "Name"),
    Branch: textOf(payee, "FinancialInstitutionBranch", "ID"),
    Account: textOf(payee, "ID"),
  };
  return Object.entries(values).flatMap(([label, value]) => (value ? [`${label}: ${value}`.slice(0, 200)] : []));
}

/** BSB in the branch and the number in the account, as the guidance says; or both in one, as some programs write them. */
function toAccount(element: Element, whose: ReadAccount["whose"], lines: string[] = []): ReadAccount {
  const branch = (textOf(element, "FinancialInstitutionBranch", "ID") ?? "").replace(/[\s-]/g, "");
  const id = (textOf(element, "ID") ?? "").trim();
  const compact = id.replace(/[\s-]/g, "");
  const hasBsb = /^\d{6}$/.test(branch);
  const isBoth = /^\d{3}[- ]?\d{3}[\s/-]+\d{4,9}$/.test(id) || (!hasBsb && /^\d{12,15}$/.test(compact));
  // If both are in one field, the branch must agree.
  const bsb = isBoth && (!hasBsb || compact.startsWith(branch)) ? compact.slice(0, 6) : hasBsb ? branch : "";
  const number = isBoth && compact.startsWith(bsb) && bsb ? compact.slice(6) : compact;
  const accountNumber = /^\d{4,10}$/.test(number) ? number : "";
  const accountName = textOf(element, "Name")?.slice(0, 140);
  const isWhole = bsb !== "" && accountNumber !== "";
  // If a field has two numbers, or nested elements, programs differ in which they use.
  const branches = childrenOf(element, "FinancialInstitutionBranch");
  const places = [element, ...branches].map((place) => childrenOf(place, "ID"));
  const isOnce =
    branches.length <= 1 &&
    places.every((ids) => ids.length <= 1 && ids.every(({ children }) => children.length === 0));
  return {
    bsb,
    accountNumber,
    ...(accountName ? { accountName } : {}),
    page: 1,
    lines,
    certain: isWhole && isOnce,
    doubts: [...(isWhole ? [] : ["half_an_account" as const]), ...(isOnce ? [] : ["several_readings" as const])],
    whose,
  };
}

function readAbns(supplier: Element | undefined, customer: Element | undefined, payee: Element | undefined): ReadAbn[] {
  const found: ReadAbn[] = [];
  const add = (party: Element | undefined, whose: ReadAbn["whose"]) => {
    const ids = [
      find(party, "PartyLegalEntity", "CompanyID"),
      find(party, "EndpointID"),
      find(party, "PartyIdentification", "ID"),
      find(party, "PartyTaxScheme", "CompanyID"),
    ];
    for (const id of ids) {
      const abn = id && parseAbn(id.text.trim());
      if (!abn || found.some((one) => one.abn === abn)) continue;
      found.push({ page: 1, lines: [`ABN: ${id.text.trim()}`], certain: true, doubts: [], abn, whose });
    }
  };
  add(supplier, "supplier");
  add(payee, "supplier");
  add(customer, "customer");
  return found;
}

/** Elements with numbers, codes and files, which are read elsewhere. */
const NO_WORDS = new Set(["PayerFinancialAccount", "EmbeddedDocumentBinaryObject"]);

/** All words that programs show: notes, terms and line descriptions, also in attributes, and pairs of a name and its value. */
function wordsOf({ name, text, children, attributes }: Element): string[] {
  if (NO_WORDS.has(name)) return [];
  const named = /\s/.test(attributes.name ?? "") ? [attributes.name ?? ""] : [];
  if (children.length > 0) {
    const [label, value] = ["Name", "Value"].map((part) => children.find((child) => child.name === part)?.text.trim());
    return [...named, ...children.flatMap(wordsOf), ...(label && value ? [`${label}: ${value}`] : [])];
  }
  return [...named, ...(/\s|bsb/i.test(text.trim()) ? [text] : [])];
}

/** A number of an account where its name should be. */
const hasOddName = (element: Element): boolean =>
  (/FinancialAccount$/.test(element.name) &&
    childrenOf(element, "AliasName").some(({ text }) => text.replace(/\D/g, "").length >= 5)) ||
  element.children.some(hasOddName);

/** Reads the invoice's notes. What they name counts like what has a field, unless accounts differ. */
function readNotes(invoice: Element, facts: ReadFacts): void {
  const lines = linesOfText(wordsOf(invoice).join("\n"));
  facts.findings.push(...findOtherWays(lines).map((finding) => ({ ...finding, page: 1 })));
  for (const { chars: _, box: __, ...payId } of findPayIds(lines))
    if (!facts.payIds.some((own) => own.payId === payId.payId)) facts.payIds.push({ ...payId, page: 1 });
  for (const { chars: _, box: __, ...bpay } of findBpay(lines))
    if (!facts.bpay.some((own) => own.billerCode === bpay.billerCode)) facts.bpay.push({ ...bpay, page: 1 });
  facts.findings.push(...findKinds(lines).filter(({ code }) => /_words$|^collector$|^asks_no_payment$/.test(code)));
  const pageFacts = readPageFacts(lines);
  if (hasOddName(invoice)) facts.findings.push({ code: "number_without_label", page: 1 });
  facts.findings.push(
    ...findLooseNumbers(lines, pageFacts, true).map(({ box: _, ...finding }) => ({ ...finding, page: 1 })),
  );
  const named = pageFacts.accounts.filter(
    ({ bsb, accountNumber }) =>
      !facts.accounts.some((own) => own.bsb === bsb && own.accountNumber === accountNumber) && bsb && accountNumber,
  );
  const own = facts.accounts.filter(({ whose }) => whose !== "customer");
  const differ = named.some(({ whose }) => whose !== "customer") && own.length > 0;
  for (const { chars: _, box: __, ...account } of named) facts.accounts.push({ ...account, page: 1 });
  if (differ) facts.accounts = facts.accounts.map((account) => doubted(account, "differs_inside"));
}

const PDF_TYPE = /^application\/pdf$/i;

/** Compares the embedded PDFs and pictures, which people look at. If one names a different account, no account is certain. */
async function compareEmbedded(invoice: Element, facts: ReadFacts, reading: Reading): Promise<void> {
  const references = childrenOf(invoice, "AdditionalDocumentReference");
  const objects = references
    .map((reference) => find(reference, "Attachment", "EmbeddedDocumentBinaryObject"))
    .filter((object) => object !== undefined);
  const isPdf = ({ attributes }: Element) =>
    PDF_TYPE.test(attributes.mimeCode ?? "") || /\.pdf$/i.test(attributes.filename ?? "");
  const isOutside = references.some((reference) => find(reference, "Attachment", "ExternalReference"));
  facts.isReadableEverywhere &&= !isOutside && objects.length <= MAX_EMBEDDED;
  const pictures: Uint8Array[] = [];
  for (const object of objects.slice(0, MAX_EMBEDDED)) {
    const bytes = fromBase64(object.text);
    const fileName = object.attributes.filename ?? "attachment.pdf";
    if (bytes && /^image\//i.test(object.attributes.mimeCode ?? "") && typeof sheetOf(bytes) === "object") {
      pictures.push(bytes);
      continue;
    }
    const file = { mimeType: object.attributes.mimeCode ?? "", filename: object.attributes.filename ?? "" };
    const asPdf = { bytes: bytes ?? new Uint8Array(), contentType: "application/pdf", fileName };
    const read = bytes && (isPdf(object) ? await reading.readInside(asPdf) : readWords(file, bytes));
    if (!read || read.status === "unreadable") {
      facts.findings.push({ code: "attachment_not_read", lines: [fileName.slice(0, 200)] });
      facts.isReadableEverywhere = false;
      continue;
    }
    facts.isReadableEverywhere &&= read.isReadableEverywhere;
    for (const account of read.accounts) {
      const isSame = facts.accounts.some(
        ({ bsb, accountNumber }) => bsb === account.bsb && accountNumber === account.accountNumber,
      );
      if (isSame || account.whose === "customer" || !(account.bsb && account.accountNumber)) continue;
      facts.findings.push({
        code: "attachment_with_bank_details",
        page: account.page,
        digits: `${account.bsb}${account.accountNumber}`,
        lines: account.lines,
      });
      facts.accounts = facts.accounts.map((own) => doubted(own, "differs_inside"));
      facts.accounts.push({ ...account, certain: false, doubts: [...account.doubts, "attachment"] });
    }
    facts.findings.push(
      ...read.findings.filter(
        ({ code }) => !["credit_note", "statement", "asks_no_payment", "several_accounts"].includes(code),
      ),
    );
  }
  if (pictures.length === 0) return;
  const words = [...wordsOf(invoice), ...facts.emails.map(({ address }) => address)].join("\n");
  await addPictures(facts, pictures, reading, words);
}

function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text.replace(/\s+/g, "")), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

const UBL =
  /^urn:oasis:names:specification:ubl:schema:xsd:(?:Invoice|CreditNote|CommonBasicComponents|CommonAggregateComponents)-2$/;

/** The name of an element. Outside UBL's name spaces the prefix stays, so that nothing takes it for one of UBL's. */
type Element = { name: string; attributes: Record<string, string>; text: string; children: Element[] };

const MAX_DEPTH = 40;
const MAX_ELEMENTS = 60_000;

/**
 * Parses XML into a tree, with what it says about its style sheets. A document type declaration is refused, so entities cannot
 * be expanded.
 */
function parseXml(text: string): { document: Element; styles: string[] } {
  const parser = new SaxesParser({ xmlns: true });
  const root: Element = { name: "", attributes: {}, text: "", children: [] };
  const open = [root];
  const styles: string[] = [];
  let count = 0;
  parser.on("processinginstruction", ({ target, body }) => {
    if (target === "xml-stylesheet") styles.push(body);
  });
  parser.on("error", () => {
    throw new CannotRead("damaged");
  });
  parser.on("doctype", () => {
    throw new CannotRead("damaged");
  });
  parser.on("opentag", ({ local, uri, attributes }) => {
    count += 1;
    if (count > MAX_ELEMENTS || open.length > MAX_DEPTH) throw new CannotRead("too_large");
    const element = {
      name: UBL.test(uri) ? local : `${uri} ${local}`,
      attributes: Object.fromEntries(Object.values(attributes).map((one) => [one.local, one.value])),
      text: "",
      children: [],
    };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("closetag", () => open.pop());
  const addText = (piece: string) => {
    const element = open.at(-1);
    if (element) element.text += piece;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  const STEP = 65_536;
  for (let at = 0; at < text.length; at += STEP) parser.write(text.slice(at, at + STEP));
  parser.close();
  const [document] = root.children;
  if (!document) throw new CannotRead("damaged");
  return { document, styles };
}

const childrenOf = (element: Element | undefined, name: string): Element[] =>
  element?.children.filter((child) => child.name === name) ?? [];

/** Finds the first element along a path of names. */
function find(element: Element | undefined, ...path: string[]): Element | undefined {
  return path.reduce<Element | undefined>((at, name) => at?.children.find((child) => child.name === name), element);
}

function textOf(element: Element | undefined, ...path: string[]): string | undefined {
  return (
    find(element, ...path)
      ?.text.trim()
      .replace(/\s+/g, " ")
      .slice(0, 400) || undefined
  );
}
