import type { FoundAccount } from "@workers/reader/facts/accounts";
import type { DocumentRead, Doubt, Finding, ReadAbn, ReadAccount, ReadFacts } from "~/ports/document-reader";
import { readInvoiceFacts } from "../facts/invoice-facts";
import { findAnnounced, findKinds } from "../facts/kinds";
import { digitsOf, findNumbers } from "../facts/numbers";
import { findAbns, findEmails, findForeign, type WithChars } from "../facts/other-numbers";
import { findOtherWays } from "../facts/other-ways";
import { readPageFacts, reportSeveralAccounts } from "../facts/page-facts";
import { addCode } from "../facts/qr-codes";
import { type Char, isNamed, type Line, linesOfText, toLines } from "../layout/lines";
import { CannotRead, type Deadline, MAX_CHARS, MAX_PAGES, MAX_PAINTED_PAGES, MAX_REVISIONS } from "../limits";
import {
  type Aside,
  type AttachedFile,
  accountsInText,
  drawComments,
  drawFields,
  findPinnedFiles,
  hasScript,
  readAnnotations,
  readAttachedFiles,
  readProducer,
  readRevisionEnds,
  readTitles,
} from "./beside-the-page";
import { findPicturedWords, hasBarCode, judgePictures, type LookedAt } from "./judge-pictures";
import { readObjects } from "./page-objects";
import { readChars, readSpace } from "./page-text";
import type { Pdfium } from "./pdfium";
import { type PageRead, readPage } from "./read-page";
import { startBudget } from "./read-picture";
import type { screenPdf } from "./screen";

export type PicturesRead = Pick<PageRead, "pictures" | "codes">;

const WRONG_PASSWORD = 4;
const MAX_REVISION_PAGES = 10;

/** The accounts in an attached file. */
export type ReadAttached = (
  file: AttachedFile,
) => Promise<{ accounts: { bsb: string; accountNumber: string }[]; lines: string[]; isUnread: boolean }>;

/** Opens a document while `work` runs. Nothing is closed after an error, because an error ends the engine. */
async function withDocument<T>(
  engine: Pdfium,
  bytes: Uint8Array,
  work: (document: number, form: number) => Promise<T>,
): Promise<T> {
  const { memory } = engine;
  const pointer = memory.allocate(bytes.length);
  memory.bytes(pointer, bytes.length).set(bytes);
  const document = engine.FPDF_LoadMemDocument(pointer, bytes.length, "");
  if (document === 0) {
    const error = engine.FPDF_GetLastError();
    memory.free(pointer);
    throw new CannotRead(error === WRONG_PASSWORD ? "encrypted" : "damaged");
  }
  // Needed even without a form, because programs also show fields that belong to none.
  const info = engine.PDFiumExt_OpenFormFillInfo();
  const form = info === 0 ? 0 : engine.PDFiumExt_InitFormFillEnvironment(document, info);
  // The blue background that viewers put behind fields would change what is painted.
  if (form !== 0) engine.FPDF_SetFormFieldHighlightAlpha(form, 0);
  const result = await work(document, form);
  if (form !== 0) {
    engine.PDFiumExt_ExitFormFillEnvironment(form);
    engine.PDFiumExt_CloseFormFillInfo(info);
  }
  engine.FPDF_CloseDocument(document);
  memory.free(pointer);
  return result;
}

export async function readPdf(
  engine: Pdfium,
  bytes: Uint8Array,
  deadline: Deadline,
  {
    hasPackedScript,
    hasLayers,
    isTwofold,
    description,
    readAttached,
  }: ReturnType<typeof screenPdf> & { readAttached: ReadAttached },
): Promise<DocumentRead> {
  const { pages, asides, attached, producer, scripted, ends, hasOwnDrawing } = await withDocument(
    engine,
    bytes,
    async (document, form) => {
      const count = engine.FPDF_GetPageCount(document);
      if (count > MAX_PAGES) throw new CannotRead("too_many_pages");
      if (count < 1) throw new CannotRead("damaged");
      const pages: PageRead[] = [];
      const asides: Aside[] = [];
      const pinned: number[] = [];
      const budget = startBudget();
      let total = 0;
      for (let index = 0; index < count; index += 1) {
        await deadline.rest();
        if (deadline.isHalfOver()) budget.pixels = 0;
        const page = engine.FPDF_LoadPage(document, index);
        if (page === 0) throw new CannotRead("damaged");
        if (form !== 0) engine.FORM_OnAfterLoadPage(page, form);
        const beside = readAnnotations(engine, page, index + 1, form);
        pinned.push(...findPinnedFiles(engine, page));
        const isDrawn = beside.some(({ place }) => place === "field") && drawFields(engine, page);
        if (form !== 0) engine.FORM_OnBeforeClosePage(page, form);
        engine.FPDF_ClosePage(page);
        asides.push(...beside);
        const open = { engine, document, form: isDrawn ? 0 : form, budget, hasLayers };
        const read = readPage(open, index, { mayPaint: index < MAX_PAINTED_PAGES || !deadline.isHalfOver() });
        total += beside.reduce((sum, { text }) => sum + text.length, read.charCount);
        if (total > MAX_CHARS) throw new CannotRead("too_large");
        if (isDrawn) doubtFields(read, beside);
        pages.push(read);
      }
      const pictures = pages.filter(({ isPicture }) => isPicture).map(({ number }) => number - 1);
      for (const index of pictures.length < count ? pictures : []) {
        await deadline.rest();
        const how = { mayPaint: true, isBesideText: true };
        pages[index] = readPage({ engine, document, form, budget, hasLayers }, index, how);
      }
      const attached = readAttachedFiles(engine, document, { bytes, pinned });
      for (const [index, page] of pages.entries()) {
        if (page.isReadableEverywhere || page.accounts.length > 0 || page.isPicture) continue;
        await deadline.rest();
        if (deadline.isHalfOver() || !drawComments(engine, document, index)) continue;
        const drawn = readPage({ engine, document, form: 0, budget, hasLayers }, index, { mayPaint: true });
        page.isReadableEverywhere = addsNothing(page, drawn);
      }
      return {
        pages,
        asides: [...asides, ...readTitles(engine, document, description)],
        attached,
        hasOwnDrawing: engine.FPDF_GetFormType(document) >= XFA_FORM,
        producer: readProducer(engine, document),
        scripted: hasPackedScript || hasScript(engine, document, bytes),
        ends: readRevisionEnds(engine, document, bytes.length),
      };
    },
  );
  if (pages.every(({ isPicture }) => isPicture)) return { status: "unreadable", reason: "picture", kind: "pdf" };
  addPictures(pages);
  const read = toFacts(pages, producer);
  const words = pages.flatMap(({ lines }) => lines.map(({ text }) => text)).join("\n");
  for (const { codes, number } of pages) for (const code of codes) addCode(read, code, words, number);
  if (scripted) doubtScripted(read, asides);
  addAsides(read, asides);
  if (attached.hasMore) sayUnread(read, []);
  if (hasOwnDrawing) doubtDrawing(read);
  if (isTwofold) doubtTwofold(read);
  // A page with pictures that nobody looked at may show any other account.
  if (pages.some(({ isUnseen }) => isUnseen)) doubtAll(read, "not_painted");
  for (const file of attached.files) {
    await deadline.rest();
    addAttached(read, file, await readAttached(file));
  }
  if (ends.length > 0) await addRevisions(engine, bytes, ends, read, deadline);
  return reportSeveralAccounts(read);
}

/** True if a page with its comments can be read everywhere, and they hold nothing that could be bank details. */
function addsNothing(page: PageRead, drawn: PageRead): boolean {
  const numbers = ({ lines }: PageRead) =>
    findNumbers(lines)
      .map(({ groups }) => digitsOf(groups))
      .filter(({ length }) => length >= LEAST_DIGITS)
      .sort();
  const said = (each: PageRead) =>
    JSON.stringify([
      numbers(each),
      each.accounts.length,
      each.bpay.map(({ billerCode, reference }) => [billerCode, reference]),
      each.payIds.map(({ payId }) => payId),
      [...each.findings, ...findKinds(each.lines), ...findOtherWays(each.lines), ...findForeign(each.lines)]
        .map((finding: Finding) => [finding.code, finding.way, finding.digits].join(" "))
        .sort(),
      each.codes.length,
    ]);
  return drawn.isReadableEverywhere && drawn.pictures.length <= page.pictures.length && said(page) === said(drawn);
}
/** Of a number that may be an account's, or a part of one. */
const LEAST_DIGITS = 4;

/** Reports pictures that show, or may show, an account other than those that the pages name in words. */
function addPictures(pages: readonly PageRead[]): void {
  const known = pages.flatMap(({ accounts }) => accounts);
  for (const page of pages) {
    const { pictures, findings, number } = page;
    if (pictures.some(hasBarCode)) findings.push({ code: "bar_code", page: number });
    findings.push(...findPicturedWords(pictures).map((finding) => ({ ...finding, page: number })));
    const { accounts, unread } = judgePictures(pictures, known);
    const place = ({ box, picture }: Pick<LookedAt, "box" | "picture">) => ({
      ...{ page: number, box },
      ...(picture ? { picture } : {}),
    });
    // A person sees another account there, and nothing compares it.
    if (known.length > 0)
      findings.push(...accounts.map((one) => ({ code: "account_could_not_be_read" as const, ...place(one) })));
    findings.push(...unread.map((one) => ({ code: "picture_could_not_be_read" as const, ...place(one) })));
    const isShownOnly = known.length === 0 && accounts.length > 0;
    page.isReadableEverywhere &&= unread.length === 0 && !isShownOnly;
    const [account] = accounts;
    if (!account) continue;
    const named = findings.find(({ code }) => code === "picture_without_text");
    if (named) named.box = account.box;
    else findings.push({ code: "picture_without_text", page: number, box: account.box });
  }
}

/** Looks for writing and for codes in a document whose pages are pictures. */
export function lookAtPictures(engine: Pdfium, bytes: Uint8Array, deadline: Deadline): Promise<PicturesRead> {
  return withDocument(engine, bytes, async (document, form) => {
    const budget = startBudget();
    const found: PicturesRead = { pictures: [], codes: [] };
    for (let index = 0; index < engine.FPDF_GetPageCount(document); index += 1) {
      await deadline.rest();
      const how = { mayPaint: true, isBesideText: true };
      const { pictures, codes } = readPage({ engine, document, form, budget, hasLayers: false }, index, how);
      found.pictures.push(...pictures);
      found.codes.push(...codes);
    }
    return found;
  });
}

/**
 * A field that shows other digits than its value: programs differ in which they show. And a field that names another
 * account than the page around it: whoever filled it in did not write the page.
 */
function doubtFields(page: PageRead, fields: readonly Aside[]): void {
  const shown = page.lines.map(({ text }) => text.replace(/\D/g, "")).join(" ");
  const values = fields.map(({ shownValue = "" }) => shownValue.replace(/\D/g, "")).filter(({ length }) => length >= 4);
  const differs = values.some((digits) => !shown.includes(digits));
  const isOther = ({ accountNumber }: FoundAccount) =>
    page.accounts.length > 1 && values.some((digits) => digits.endsWith(accountNumber));
  for (const { bsb, accountNumber, page: number, lines } of page.accounts.filter(isOther)) {
    const digits = `${bsb}${accountNumber}`;
    page.findings.push({ code: ASIDE_CODES.field, page: number, digits, lines });
  }
  page.accounts = page.accounts.map((account) =>
    differs || isOther(account)
      ? { ...account, certain: false, doubts: [...account.doubts, ASIDE_DOUBTS.field] }
      : account,
  );
}

/** A script may write other digits into a field as soon as somebody opens the document. */
function doubtScripted(read: ReadFacts, asides: readonly Aside[]): void {
  read.findings.push({ code: "script_action" });
  const values = asides.map(({ shownValue = "" }) => shownValue.replace(/\D/g, "")).filter(Boolean);
  const isOfField = ({ bsb, accountNumber }: ReadAccount) =>
    values.some((digits) => digits.includes(accountNumber) || digits === bsb);
  read.accounts = read.accounts.map((account) =>
    isOfField(account) ? { ...account, certain: false, doubts: [...account.doubts, ASIDE_DOUBTS.field] } : account,
  );
}

function toFacts(pages: readonly PageRead[], producer: string | undefined): ReadFacts {
  const lines = pages.flatMap((page) => page.lines);
  const own = <T>(find: (lines: readonly Line[]) => WithChars<T>[]) =>
    pages.flatMap((page) => find(page.lines).map(({ chars: _, ...value }) => ({ ...value, page: page.number })));
  const invoice = readInvoiceFacts(lines);
  const findings: Finding[] = pages.flatMap((page) => [
    ...page.findings,
    ...[...findForeign(page.lines), ...findOtherWays(page.lines)].map((finding) => ({ ...finding, page: page.number })),
  ]);
  findings.push(...findKinds(lines));
  const accounts = mergePages(pages.flatMap((page) => page.accounts)).map(withoutChars);
  return {
    status: "read",
    kind: "pdf",
    pages: pages.length,
    accounts,
    bpay: unique(
      pages.flatMap(({ bpay }) => bpay.map(withoutChars)),
      ({ billerCode }) => billerCode,
    ),
    payIds: unique(
      pages.flatMap(({ payIds }) => payIds.map(withoutChars)),
      ({ payId }) => payId,
    ),
    abns: oneSupplier(
      unique(own(findAbns), ({ abn }) => abn),
      accounts,
    ),
    ...invoice,
    emails: unique(
      pages.flatMap((page) => findEmails(page.lines).map((email) => ({ ...email, page: page.number }))),
      ({ address }) => address,
    ),
    ...(producer ? { producer } : {}),
    findings,
    isReadableEverywhere: pages.every((page) => page.isReadableEverywhere),
  };
}

const withoutChars = <T>({ chars: _, ...value }: WithChars<T>) => value;

/**
 * The first ABN of each page was taken for the supplier's, but a document has one supplier: whoever's ABN stands in the line of
 * the account or of its name, else the first.
 */
function oneSupplier(abns: readonly ReadAbn[], accounts: readonly ReadAccount[]): ReadAbn[] {
  const names = accounts.flatMap(({ accountName, whose }) => (accountName && whose === "payee" ? [accountName] : []));
  const isBesideAccount = ({ abn, whose, lines }: ReadAbn) =>
    whose !== "customer" &&
    lines.some(
      (line) =>
        line.replace(/\D/g, "").includes(abn) && (/\bbsb\b/i.test(line) || names.some((name) => line.includes(name))),
    );
  const beside = abns.findIndex(isBesideAccount);
  const first = beside >= 0 ? beside : abns.findIndex(({ whose }) => whose === "supplier");
  return abns.map((abn, index) => {
    if (index === first) return { ...abn, whose: "supplier" };
    return abn.whose === "supplier" ? { ...abn, whose: "unknown" } : abn;
  });
}

function unique<T>(values: readonly T[], keyOf: (value: T) => string): T[] {
  const seen = new Set<string>();
  return values.filter((value) => !seen.has(keyOf(value)) && seen.add(keyOf(value)));
}

/** Merges the same account on several pages; it is certain if it was read with certainty once. */
function mergePages(found: readonly FoundAccount[]): FoundAccount[] {
  const merged: FoundAccount[] = [];
  for (const account of found) {
    const same = merged.find((one) => one.bsb === account.bsb && one.accountNumber === account.accountNumber);
    if (!same) merged.push({ ...account });
    else {
      if (account.certain && !same.certain)
        Object.assign(same, account, { accountName: account.accountName ?? same.accountName });
      else same.accountName ??= account.accountName;
      if (same.whose !== account.whose) same.whose = "payee";
    }
  }
  // Half of an account that is already known adds nothing.
  return merged.filter(
    (one) =>
      !one.doubts.includes("half_an_account") ||
      !merged.some(
        (other) =>
          other !== one &&
          other.bsb !== "" &&
          other.accountNumber !== "" &&
          (one.bsb === other.bsb || one.accountNumber === other.accountNumber),
      ),
  );
}

const sameAccount = (one: { bsb: string; accountNumber: string }, other: { bsb: string; accountNumber: string }) =>
  one.bsb === other.bsb && one.accountNumber === other.accountNumber;

const ASIDE_CODES = { annotation: "annotation_with_bank_details", field: "field_with_bank_details" } as const;
const ASIDE_DOUBTS = { annotation: "annotation", field: "form_field" } as const;

/**
 * Reports comments and fields with another account than the page's, and what they announce. A form has a field for each part of an
 * account.
 */
function addAsides(read: ReadFacts, asides: readonly Aside[]): void {
  for (const { text, page } of asides)
    read.findings.push(...findAnnounced(linesOfText(text)).map((finding) => ({ ...finding, page })));
  for (const place of ["annotation", "field"] as const) {
    const texts = asides.filter((aside) => aside.place === place);
    const groups = place === "field" ? [texts.map(({ text }) => text).join("\n")] : texts.map(({ text }) => text);
    for (const text of groups) {
      for (const account of accountsInText(text)) {
        if (read.accounts.some((one) => sameAccount(one, account))) continue;
        const page = texts.find((aside) => text.includes(aside.text))?.page ?? 1;
        read.findings.push({
          code: ASIDE_CODES[place],
          page,
          digits: `${account.bsb}${account.accountNumber}`,
          lines: account.lines,
        });
        read.accounts.push(doubtful(account, page, ASIDE_DOUBTS[place]));
      }
    }
  }
}

function doubtful(
  account: { bsb: string; accountNumber: string; lines: string[] },
  page: number,
  doubt: Doubt,
): ReadAccount {
  const { bsb, accountNumber, lines } = account;
  return { bsb, accountNumber, lines, page, certain: false, doubts: [doubt], whose: "unknown" };
}

/** An XFA form, which some programs show instead of the pages. */
const XFA_FORM = 2;

function doubtDrawing(read: ReadFacts): void {
  read.findings.push({ code: "page_not_painted", page: 1 });
  doubtAll(read, ASIDE_DOUBTS.field);
}

function doubtAll(read: ReadFacts, doubt: Doubt): void {
  read.isReadableEverywhere = false;
  read.accounts = read.accounts.map((account) => ({ ...account, certain: false, doubts: [...account.doubts, doubt] }));
}

/** Another program may show other pages than these. */
function doubtTwofold(read: ReadFacts): void {
  read.findings.push({ code: "shown_differently" });
  doubtAll(read, "differs_inside");
}

function sayUnread(read: ReadFacts, lines: string[]): void {
  read.findings.push({ code: "attachment_not_read", lines });
  read.isReadableEverywhere = false;
}

function addAttached(read: ReadFacts, file: AttachedFile, found: Awaited<ReturnType<ReadAttached>>): void {
  if (found.isUnread) sayUnread(read, [file.name.slice(0, 200)]);
  for (const account of found.accounts) {
    const digits = `${account.bsb}${account.accountNumber}`;
    const isKnown = ({ bsb, accountNumber }: ReadAccount) =>
      account.bsb === "" ? `${bsb}${accountNumber}`.includes(digits) : digits === `${bsb}${accountNumber}`;
    if (read.accounts.some(isKnown)) continue;
    read.findings.push({
      code: "attachment_with_bank_details",
      digits,
      lines: [file.name.slice(0, 200), ...found.lines],
    });
  }
}

/** Earlier revisions of the document: does one of them name another account? */
async function addRevisions(
  engine: Pdfium,
  bytes: Uint8Array,
  ends: readonly number[],
  read: ReadFacts,
  deadline: Deadline,
): Promise<void> {
  const now = read.accounts.filter(({ bsb, accountNumber }) => bsb && accountNumber);
  for (const end of ends.slice(-MAX_REVISIONS)) {
    await deadline.rest();
    const before = await readAccountsOnly(engine, bytes.subarray(0, end)).catch((error: unknown) => {
      // In a file that is laid out for the web, the first part is not a revision.
      if (error instanceof CannotRead && (error.reason === "damaged" || error.reason === "encrypted")) return [];
      throw error;
    });
    const changed = before.filter(
      (account) => account.bsb && account.accountNumber && !now.some((one) => sameAccount(one, account)),
    );
    // Nothing changes for the person who pays if an account was only removed, or an empty form filled in.
    if (changed.length === 0) continue;
    for (const account of changed) {
      read.findings.push({
        code: "later_revision_changed_account",
        page: account.page,
        digits: `${account.bsb}${account.accountNumber}`,
        lines: account.lines,
      });
    }
    read.accounts = read.accounts.map((account) =>
      before.some((one) => sameAccount(one, account))
        ? account
        : { ...account, certain: false, doubts: [...account.doubts, "earlier_revision" as const] },
    );
    return;
  }
}

async function readAccountsOnly(engine: Pdfium, bytes: Uint8Array): Promise<FoundAccount[]> {
  return withDocument(engine, bytes, async (document) => {
    const found: FoundAccount[] = [];
    const count = Math.min(engine.FPDF_GetPageCount(document), MAX_REVISION_PAGES);
    for (let index = 0; index < count; index += 1) {
      const page = engine.FPDF_LoadPage(document, index);
      if (page === 0) continue;
      readObjects(engine, page);
      const textPage = engine.FPDFText_LoadPage(page);
      const chars: Char[] = readChars(engine, textPage, readSpace(engine, page)).chars;
      found.push(
        ...readPageFacts(toLines(chars.filter(isNamed))).accounts.map((account) => ({ ...account, page: index + 1 })),
      );
      engine.FPDFText_ClosePage(textPage);
      engine.FPDF_ClosePage(page);
    }
    return found;
  });
}
