import { Unzip, UnzipInflate } from "fflate";
import { SaxesParser } from "saxes";

/** Unpacks parts of a ZIP archive in small pieces: no archive can fill the memory or the processor's time. Pure. */

/** The archive cannot be read; the message is for the person who uploaded it. */
export class UnreadableWorkbook extends Error {}

/** Thrown by a part's reader that needs no more data, to stop unpacking. */
class EnoughRead extends Error {}

/** How many bytes parts may unpack to, alone or together. */
export type Allowance = { readonly bytes: number; used: number };

export const allow = (bytes: number): Allowance => ({ bytes, used: 0 });

/** Receives the unpacked data of one part, piece by piece. */
export type PartReader = { allowance: Allowance; read: (piece: Uint8Array) => void; end: () => void };

export const DAMAGED =
  "This workbook is damaged and cannot be read. Open it in your spreadsheet program, save it again, and upload that file.";

/** A packed byte expands to at most about a thousand, so one piece unpacks to at most 4 MiB. */
const PIECE_BYTES = 4 * 1024;
const MAX_PARTS = 1_000;
const MEBIBYTE = 1024 * 1024;

/**
 * Reads an archive and unpacks the parts that have a reader. Sizes that the archive states are not trusted: the output
 * is counted.
 * @returns the names of all parts
 * @throws UnreadableWorkbook for an archive that is damaged or becomes too large
 */
export function unpackParts(bytes: Uint8Array, readerOf: (name: string) => PartReader | undefined): Set<string> {
  const names = new Set<string>();
  const unzip = new Unzip((file) => {
    if (names.has(file.name)) throw new UnreadableWorkbook(DAMAGED);
    if (names.size === MAX_PARTS) {
      throw new UnreadableWorkbook(`This workbook has more than ${MAX_PARTS} parts inside. Save it as “CSV UTF-8”.`);
    }
    names.add(file.name);
    const reader = readerOf(file.name);
    if (!reader) return;
    file.ondata = countBytes(reader);
    file.start();
  });
  unzip.register(UnzipInflate);
  try {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      unzip.push(bytes.subarray(at, at + PIECE_BYTES), at + PIECE_BYTES >= bytes.length);
    }
  } catch (error) {
    if (error instanceof EnoughRead) return names;
    // The library's own error messages are written for programmers.
    throw error instanceof UnreadableWorkbook ? error : new UnreadableWorkbook(DAMAGED);
  }
  return names;
}

function countBytes(reader: PartReader) {
  const { allowance } = reader;
  return (error: Error | null, piece: Uint8Array | null, isLast: boolean) => {
    if (error) throw error;
    allowance.used += piece?.length ?? 0;
    if (allowance.used > allowance.bytes) {
      const limit = `${allowance.bytes / MEBIBYTE} MB`;
      throw new UnreadableWorkbook(
        `This workbook unpacks to more than ${limit} and is not read further. Save the sheet as “CSV UTF-8” and upload that file.`,
      );
    }
    if (piece) reader.read(piece);
    if (isLast) reader.end();
  };
}

/** Reads the XML of a workbook's part as it is unpacked. Pure. */

export type Attributes = Readonly<Record<string, string>>;

/** Callbacks for the elements of a part; names come without their namespace prefix. */
export type ElementHandlers = {
  open?: (name: string, attributes: Attributes) => void;
  close?: (name: string) => void;
  text?: (text: string) => void;
};

/** Nested elements: workbooks need about six levels. */
const MAX_DEPTH = 50;
/** Between two tags there is at most one cell's text, so longer stretches are not a workbook. */
const MAX_BETWEEN_TAGS = 1024 * 1024;

const withoutPrefix = (name: string) => name.slice(name.indexOf(":") + 1);

/**
 * Creates a reader for one part. It accepts only XML's five predefined entities and no document type, so that a small
 * file cannot expand.
 * @throws UnreadableWorkbook for damaged XML
 */
export function readXml(allowance: Allowance, { open, close, text }: ElementHandlers): PartReader {
  const parser = new SaxesParser();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let depth = 0;
  let sinceTag = 0;
  parser.on("error", () => {
    throw new UnreadableWorkbook(DAMAGED);
  });
  parser.on("doctype", () => {
    throw new UnreadableWorkbook(DAMAGED);
  });
  parser.on("opentag", ({ name, attributes }) => {
    sinceTag = 0;
    if (++depth > MAX_DEPTH) throw new UnreadableWorkbook(DAMAGED);
    open?.(withoutPrefix(name), attributes);
  });
  parser.on("closetag", ({ name }) => {
    sinceTag = 0;
    depth--;
    close?.(withoutPrefix(name));
  });
  if (text) {
    parser.on("text", text);
    parser.on("cdata", text);
  }
  const write = (decoded: string) => {
    sinceTag += decoded.length;
    parser.write(decoded);
    if (sinceTag > MAX_BETWEEN_TAGS) throw new UnreadableWorkbook(DAMAGED);
  };
  return {
    allowance,
    read: (piece) => write(decode(() => decoder.decode(piece, { stream: true }))),
    end: () => {
      write(decode(() => decoder.decode()));
      parser.close();
    },
  };
}

/** Stops reading the part and the archive. */
export const stopReading = (): never => {
  throw new EnoughRead();
};

function decode(run: () => string): string {
  try {
    return run();
  } catch {
    throw new UnreadableWorkbook(DAMAGED);
  }
}

/** A workbook's index parts: its sheets, the strings that cells share, and which formats are dates. Pure. */

export type Sheet = { name: string; part: string };

export type WorkbookIndex = {
  /** The visible sheets, in order. */
  sheets: Sheet[];
  /** Days are counted from 1904 instead of 1900. */
  is1904: boolean;
  sharedStringsPart: string | undefined;
  stylesPart: string | undefined;
};

const WORKBOOK_PART = "xl/workbook.xml";
const RELATIONS_PART = "xl/_rels/workbook.xml.rels";
const SMALL_BYTES = 4 * 1024 * 1024;
const SHARED_BYTES = 32 * 1024 * 1024;
/** The limits of strings, and of their characters, kept in memory for one sheet. */
const MAX_SHARED = 500_000;
const MAX_SHARED_CHARACTERS = 12_000_000;

const NO_WORKBOOK =
  "This file is a ZIP archive, and no Excel workbook (.xlsx) is in it. Upload the table itself, as .xlsx or “CSV UTF-8”.";

/** @throws UnreadableWorkbook for an archive that is not a workbook */
export function readIndex(bytes: Uint8Array): WorkbookIndex {
  const found: { name: string; relation: string }[] = [];
  const relations = new Map<string, { type: string; part: string }>();
  let is1904 = false;
  const readers: Record<string, () => PartReader> = {
    [WORKBOOK_PART]: () =>
      readXml(allow(SMALL_BYTES), {
        open(name, { state = "visible", date1904, ...attributes }) {
          if (name === "workbookPr") is1904 = date1904 === "1" || date1904 === "true";
          const relation = Object.entries(attributes).find(([key]) => /(^|:)id$/.test(key))?.[1];
          if (name === "sheet" && state === "visible" && relation) {
            found.push({ name: attributes.name ?? "", relation });
          }
        },
      }),
    [RELATIONS_PART]: () =>
      readXml(allow(SMALL_BYTES), {
        open(name, { Id, Type = "", Target = "" }) {
          if (name === "Relationship" && Id) relations.set(Id, { type: Type, part: partOf(Target) });
        },
      }),
  };
  const names = unpackParts(bytes, (name) => readers[name]?.());
  if (!names.has(WORKBOOK_PART)) throw new UnreadableWorkbook(NO_WORKBOOK);
  const ofType = (type: string) => [...relations.values()].find((each) => each.type.endsWith(`/${type}`))?.part;
  return {
    sheets: found.flatMap(({ name, relation }) => {
      const target = relations.get(relation);
      return target?.type.endsWith("/worksheet") ? [{ name, part: target.part }] : [];
    }),
    is1904,
    sharedStringsPart: ofType("sharedStrings"),
    stylesPart: ofType("styles"),
  };
}

const partOf = (target: string) => (target.startsWith("/") ? target.slice(1) : `xl/${target}`);

export type CellTexts = ReturnType<typeof readCellTexts>;

/** The shared strings that cells refer to by number, and the numbers of styles that display a date. */
export function readCellTexts(bytes: Uint8Array, index: WorkbookIndex, maxCell: number) {
  const shared: string[] = [];
  const dateStyles = new Set<number>();
  const zeroStyles = new Map<number, string>();
  unpackParts(bytes, (name) => {
    if (name === index.sharedStringsPart) return sharedStringsReader(shared, maxCell);
    if (name === index.stylesPart) return stylesReader(dateStyles, zeroStyles);
    return undefined;
  });
  return { shared, dateStyles, zeroStyles };
}

/** A string with several formats is stored in several pieces; phonetic guides are not part of it. */
function sharedStringsReader(shared: string[], maxCell: number): PartReader {
  let current = "";
  let characters = 0;
  let isText = false;
  let isPronunciation = false;
  return readXml(allow(SHARED_BYTES), {
    open(name) {
      if (name === "si") current = "";
      if (name === "rPh") isPronunciation = true;
      isText = name === "t" && !isPronunciation;
    },
    text(text) {
      // Keep one character more than allowed, so that the row is refused for a too long cell.
      if (isText && current.length <= maxCell) current += text.slice(0, maxCell + 1 - current.length);
    },
    close(name) {
      if (name === "t") isText = false;
      if (name === "rPh") isPronunciation = false;
      if (name !== "si") return;
      characters += current.length;
      if (shared.length === MAX_SHARED || characters > MAX_SHARED_CHARACTERS) {
        throw new UnreadableWorkbook(
          "This workbook has more text than we can read at once. Save the sheet as “CSV UTF-8” and upload that file.",
        );
      }
      shared.push(unescapeCharacters(current));
    },
  });
}

/** Decodes characters that XML cannot contain, written as `_x000D_`. */
export const unescapeCharacters = (text: string): string =>
  text.includes("_x")
    ? text.replace(/_x([0-9a-fA-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

/** Built-in number formats that display a date or a time. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

/** Looks only at the format's letters, not quoted text, colours or spacing: `d mmm yyyy` is a date. */
export const isDateFormat = (code: string): boolean =>
  /[dmyhs]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\.|[_*]./g, ""));

/** The format as plain text, if it displays whole numbers with leading zeros; undefined for any other. */
function zeroFormat(code: string): string | undefined {
  const [numbers = ""] = code.split(";");
  const plain = numbers.replace(/\\(.)/g, "$1").replace(/"([^"]*)"/g, "$1");
  return /^0[0 -]*0$/.test(plain) ? plain : undefined;
}

/** Displays a whole number in such a format; undefined for any other number. */
export function showByZeros(value: string, format: string): string | undefined {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 0) return undefined;
  const places = format.replace(/[^0]/g, "").length;
  const digits = [...String(number).padStart(places, "0")];
  const first = digits.splice(0, digits.length - places + 1).join("");
  return first + format.slice(1).replace(/0/g, () => digits.shift() ?? "");
}

function stylesReader(dateStyles: Set<number>, zeroStyles: Map<number, string>): PartReader {
  const dateFormats = new Set<number>();
  const zeroFormats = new Map<number, string>();
  let isOfCells = false;
  let style = 0;
  return readXml(allow(SMALL_BYTES), {
    open(name, { numFmtId = "0", formatCode = "" }) {
      if (name === "numFmt" && isDateFormat(formatCode)) dateFormats.add(Number(numFmtId));
      const zeros = name === "numFmt" ? zeroFormat(formatCode) : undefined;
      if (zeros !== undefined) zeroFormats.set(Number(numFmtId), zeros);
      if (name === "cellXfs") isOfCells = true;
      if (name !== "xf" || !isOfCells) return;
      const format = Number(numFmtId);
      if (isBuiltInDate(format) || dateFormats.has(format)) dateStyles.add(style);
      const shown = zeroFormats.get(format);
      if (shown !== undefined) zeroStyles.set(style, shown);
      style++;
    },
    close(name) {
      if (name === "cellXfs") isOfCells = false;
    },
  });
}
