import { findAccounts } from "@workers/reader/facts/accounts";
import { findLabels } from "../facts/labels";
import { findNumbers } from "../facts/numbers";
import { linesOfText } from "../layout/lines";
import { CannotRead, MAX_CHARS } from "../limits";
import { boxBetween, type PageSpace } from "./page-text";
import type { Pdfium } from "./pdfium";
import { namesScript } from "./screen";

/** The parts of a document besides its pages: comments, form fields, attached files and scripts. */
export type Aside = {
  place: "annotation" | "field";
  page: number;
  text: string;
  /** The value of a visible field. */
  shownValue?: string;
};

const WIDGET = 20;
const POPUP = 16;
const LINK = 2;
/** Invisible, hidden, and not for the screen. */
const NOT_SHOWN = 1 | 2 | 32;
const MAX_ATTACHMENT_BYTES = 2 * 1024 * 1024;
const MAX_ATTACHMENTS = 5;

/** Of one page. None of them may go unread, because every other program shows it. */
const MAX_ANNOTATIONS = 2_000;

/** What is read of each comment, link, field and so on of a page. */
function annotationsOf<T>(
  engine: Pdfium,
  page: number,
  read: (annotation: number, kind: number) => T | undefined,
): NonNullable<T>[] {
  const count = engine.FPDFPage_GetAnnotCount(page);
  if (count > MAX_ANNOTATIONS) throw new CannotRead("too_large");
  return Array.from({ length: count }, (_, index) => index).flatMap((index) => {
    const annotation = engine.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) return [];
    const value = read(annotation, engine.FPDFAnnot_GetSubtype(annotation));
    engine.FPDFPage_CloseAnnot(annotation);
    return value ?? [];
  });
}

export function readAnnotations(engine: Pdfium, page: number, pageNumber: number, form: number): Aside[] {
  let total = 0;
  // Many comments may share their words in the file.
  const aside = (place: Aside["place"], text: string): Aside => {
    total += text.length;
    if (total > MAX_CHARS) throw new CannotRead("too_large");
    return { place, page: pageNumber, text };
  };
  return annotationsOf<Aside>(engine, page, (annotation, kind) => {
    const read = (key: string) =>
      engine.memory.utf16((pointer, length) => engine.FPDFAnnot_GetStringValue(annotation, key, pointer, length));
    if (kind === WIDGET && form !== 0) {
      const value = engine.memory.utf16((pointer, length) =>
        engine.FPDFAnnot_GetFormFieldValue(form, annotation, pointer, length),
      );
      const name = engine.memory.utf16((pointer, length) =>
        engine.FPDFAnnot_GetFormFieldName(form, annotation, pointer, length),
      );
      const isShown = (engine.FPDFAnnot_GetFlags(annotation) & NOT_SHOWN) === 0;
      if (!value) return undefined;
      return {
        ...aside("field", `${name.replace(/[_.]/g, " ")}: ${value}`),
        ...(isShown ? { shownValue: value } : {}),
      };
    }
    if (kind === POPUP) return undefined;
    const texts = [read("Contents"), read("RC").replace(/<[^<>]{0,400}>/g, " "), read("OverlayText")];
    const text = texts.find((each) => each.trim());
    return text ? aside("annotation", text) : undefined;
  });
}

/** Where the page leads, and the part of it that a person clicks on. */
export function readLinks(engine: Pdfium, document: number, page: number, space: PageSpace) {
  const { memory } = engine;
  return annotationsOf(engine, page, (annotation, kind) => {
    const link = kind === LINK ? engine.FPDFAnnot_GetLink(annotation) : 0;
    const action = link === 0 ? 0 : engine.FPDFLink_GetAction(link);
    const length = action === 0 ? 0 : engine.FPDFAction_GetURIPath(document, action, 0, 0);
    // PDFium writes nothing where the whole address has no room: what another document left there would be read.
    if (length === 0 || length > LONGEST_LINK) return undefined;
    const target = memory.with(length, (pointer) => {
      engine.FPDFAction_GetURIPath(document, action, pointer, length);
      return new TextDecoder("latin1").decode(memory.bytes(pointer, Math.min(length - 1, LONGEST_TARGET)).slice());
    });
    const box = memory.with(16, (sides) => {
      engine.FPDFAnnot_GetRect(annotation, sides);
      const [left = 0, top = 0, right = 0, bottom = 0] = [0, 1, 2, 3].map((at) => memory.float32(sides, at));
      return boxBetween(space.toShown(left, top), space.toShown(right, bottom));
    });
    return target === "" ? undefined : { target, box };
  });
}
/** Bytes of an address that are read, and of those what is looked at: its site stands at its start. */
const LONGEST_LINK = 1_048_576;
const LONGEST_TARGET = 2_000;

const NOT_ANYWHERE = 1 | 2;
const PRINTED = 4;

/** True where a comment or a stamp is shown on the screen alone, or on paper alone. */
export function differsOnPaper(engine: Pdfium, page: number): boolean {
  const differs = annotationsOf(engine, page, (annotation, kind) => {
    const flags = engine.FPDFAnnot_GetFlags(annotation);
    const isOnScreen = (flags & NOT_SHOWN) === 0;
    const isOnPaper = (flags & PRINTED) !== 0 && (flags & NOT_ANYWHERE) === 0;
    return kind !== LINK && kind !== POPUP && isOnScreen !== isOnPaper;
  });
  return differs.includes(true);
}

/** What a page holds besides its own content. */
const kindsBeside = (engine: Pdfium, page: number): number[] => annotationsOf(engine, page, (_, kind) => kind);

const flatten = (engine: Pdfium, page: number): boolean => engine.FPDFPage_Flatten(page, FLAT_NORMAL) === FLATTENED;

/**
 * Makes the fields of a form that was filled in a part of its page, as they are shown, so that they are read and looked at as
 * any other text. A page with comments stays as it is: they would become part of it too.
 */
export function drawFields(engine: Pdfium, page: number): boolean {
  const kinds = kindsBeside(engine, page);
  const isFormOnly = kinds.every((kind) => kind === WIDGET || kind === LINK || kind === POPUP);
  return isFormOnly && kinds.includes(WIDGET) && flatten(engine, page);
}

/** Makes comments a part of their page, for good, so that their words are read as they are shown. */
export function drawComments(engine: Pdfium, document: number, index: number): boolean {
  const page = engine.FPDF_LoadPage(document, index);
  if (page === 0) return false;
  const hasComments = kindsBeside(engine, page).some((kind) => ![0, WIDGET, LINK, POPUP, PIN].includes(kind));
  const isDrawn = hasComments && !differsOnPaper(engine, page) && flatten(engine, page);
  engine.FPDF_ClosePage(page);
  return isDrawn;
}
const FLAT_NORMAL = 0;
const FLATTENED = 1;

export type AttachedFile = { name: string; bytes: Uint8Array };

/** The files that are pinned to a page. @returns the engine's number of each, 0 where it finds no file */
export const findPinnedFiles = (engine: Pdfium, page: number): number[] =>
  annotationsOf(engine, page, (annotation, kind) =>
    kind === PIN ? engine.FPDFAnnot_GetFileAttachment(annotation) : undefined,
  );
const PIN = 17;

/** @returns the files, and whether there are others that were not read: too large, too many, or belonging to nothing */
export function readAttachedFiles(
  engine: Pdfium,
  document: number,
  { bytes, pinned }: { bytes: Uint8Array; pinned: readonly number[] },
): { files: AttachedFile[]; hasMore: boolean } {
  const { memory } = engine;
  const count = engine.FPDFDoc_GetAttachmentCount(document);
  const own = Array.from({ length: Math.min(count, MAX_ATTACHMENTS) }, (_, index) =>
    engine.FPDFDoc_GetAttachment(document, index),
  );
  const found: AttachedFile[] = [];
  for (const attachment of [...own, ...pinned].slice(0, MAX_ATTACHMENTS)) {
    if (attachment === 0) continue;
    const name = memory.utf16((pointer, length) => engine.FPDFAttachment_GetName(attachment, pointer, length));
    const size = memory.with(8, (length) =>
      engine.FPDFAttachment_GetFile(attachment, 0, 0, length) ? memory.int32(length) : 0,
    );
    if (size <= 0 || size > MAX_ATTACHMENT_BYTES) continue;
    const bytes = memory.with(size, (pointer) =>
      memory.with(8, (length) =>
        engine.FPDFAttachment_GetFile(attachment, pointer, size, length)
          ? memory.bytes(pointer, size).slice()
          : undefined,
      ),
    );
    if (bytes) found.push({ name, bytes });
  }
  // Streams are never packed into other streams, so embedded files can be counted in the bytes.
  const said = new TextDecoder("latin1").decode(bytes).match(/\/Type\s*\/EmbeddedFile\b/g)?.length ?? 0;
  const hasMore = Math.max(count + pinned.length, said) > found.length;
  return { files: found, hasMore };
}

/** True if a script of the document runs by itself. An action that only opens the document at a certain page is none. */
export function hasScript(engine: Pdfium, document: number, bytes: Uint8Array): boolean {
  if (engine.FPDFDoc_GetJavaScriptActionCount(document) > 0) return true;
  return namesScript(new TextDecoder("latin1").decode(bytes));
}

const MAX_BOOKMARKS = 1_000;

/** The titles of a document's outline, which programs show beside its pages. */
function* readBookmarks(engine: Pdfium, document: number): Generator<string> {
  const open = [engine.FPDFBookmark_GetFirstChild(document, 0)];
  // A damaged outline may lead back to where it started.
  for (let count = 0; count < MAX_BOOKMARKS; count += 1) {
    const bookmark = open.pop();
    if (bookmark === undefined) return;
    if (bookmark === 0) continue;
    yield engine.memory.utf16((pointer, length) => engine.FPDFBookmark_GetTitle(bookmark, pointer, length), 1_024);
    open.push(engine.FPDFBookmark_GetNextSibling(document, bookmark));
    open.push(engine.FPDFBookmark_GetFirstChild(document, bookmark));
  }
}

/** The titles that programs show above or beside a document: its own, the one in its description in XML, and its outline's. */
export function readTitles(engine: Pdfium, document: number, description: string): Aside[] {
  const { memory } = engine;
  const title = memory.utf16((pointer, length) => engine.FPDF_GetMetaText(document, "Title", pointer, length), 1_024);
  const described = description.matchAll(/<dc:title\b[^>]{0,200}>([\s\S]{0,2000}?)<\/dc:title>/g);
  const texts = [title, ...[...described].map(([, words = ""]) => words.replace(/<[^>]{0,400}>/g, " "))];
  const titles = [...new Set(texts.map((text) => text.trim()).filter(Boolean))].slice(0, MAX_ATTACHMENTS);
  // An account may go on from one title of the outline to the next.
  const outline = [...readBookmarks(engine, document)].join("\n").trim();
  return [...titles, ...(outline ? [outline] : [])].map((text) => ({ place: "annotation", page: 1, text }));
}

/** The program that wrote the PDF, or else the one that made the original. */
export function readProducer(engine: Pdfium, document: number): string | undefined {
  const read = (key: string) =>
    engine.memory.utf16((pointer, length) => engine.FPDF_GetMetaText(document, key, pointer, length), 1_024).trim();
  return read("Producer") || read("Creator") || undefined;
}

/** Finds accounts in text without positions. */
export function accountsInText(text: string): { bsb: string; accountNumber: string; lines: string[] }[] {
  const lines = linesOfText(text.slice(0, 100_000));
  return findAccounts(lines, findLabels(lines), findNumbers(lines))
    .accounts.filter(({ bsb, accountNumber }) => bsb && accountNumber)
    .map(({ bsb, accountNumber, lines: around }) => ({ bsb, accountNumber, lines: around }));
}

/** The end positions of all revisions except the last. */
export function readRevisionEnds(engine: Pdfium, document: number, size: number): number[] {
  const { memory } = engine;
  const count = engine.FPDF_GetTrailerEnds(document, 0, 0);
  if (count < 2 || count > 200) return [];
  const ends = memory.with(count * 4, (pointer) => {
    engine.FPDF_GetTrailerEnds(document, pointer, count);
    return Array.from({ length: count }, (_, index) => memory.int32(pointer, index));
  });
  return [...new Set(ends)].filter((end) => end > 0 && end < size - 16).sort((a, b) => a - b);
}
