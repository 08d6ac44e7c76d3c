import { Unzip, UnzipInflate } from "fflate";
import { SaxesParser } from "saxes";

/** Unpacks parts of a ZIP archive bit by bit, so that no archive can fill the memory or keep the processor busy. Pure. */

/** The archive cannot be read; the message is for the person who brought it. */
export class UnreadableWorkbook extends Error {}

/** Thrown by a part's reader that has seen enough: the rest is left packed. */
class EnoughRead extends Error {}

/** How much parts may unpack to, alone or together. */
export type Allowance = { readonly bytes: number; used: number };

export const allow = (bytes: number): Allowance => ({ bytes, used: 0 });

/** Takes what one part unpacks to, piece by piece. */
export type PartReader = { allowance: Allowance; read: (piece: Uint8Array) => void; end: () => void };

export const DAMAGED =
  "This workbook is damaged and cannot be read. Open it in your spreadsheet program, save it again, and upload that file.";

/** A packed byte becomes at most about a thousand: what one piece unpacks to stays at 4 MiB. */
const PIECE_BYTES = 4 * 1024;
const MAX_PARTS = 1_000;
const MEBIBYTE = 1024 * 1024;

/**
 * Goes through an archive and unpacks the parts for which there is a reader. Sizes that the archive claims are not
 * believed: what comes out is counted.
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
    // The library's own errors say what is wrong with the bytes, in words for a programmer.
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

/** Reads the XML of a workbook's part while it is unpacked. Pure. */

export type Attributes = Readonly<Record<string, string>>;

/** What is done with the elements of a part; names come without their prefix. */
export type ElementHandlers = {
  open?: (name: string, attributes: Attributes) => void;
  close?: (name: string) => void;
  text?: (text: string) => void;
};

/** Elements in elements: workbooks need about six. */
const MAX_DEPTH = 50;
/** Between one tag and the next there is at most a cell's text: more is no workbook. */
const MAX_BETWEEN_TAGS = 1024 * 1024;

const withoutPrefix = (name: string) => name.slice(name.indexOf(":") + 1);

/**
 * A reader of one part. No entities are read but XML's own five, and no document type: neither can make a small file large.
 * @throws UnreadableWorkbook for XML that is damaged
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

/** Stops reading a part, and the archive. */
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

/** What a workbook says of itself: its sheets, the texts that cells share, and which formats are dates. Pure. */

export type Sheet = { name: string; part: string };

export type WorkbookIndex = {
  /** Sheets that the program shows, in its order. */
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
/** Texts and their characters that are kept in memory for one sheet. */
const MAX_SHARED = 500_000;
const MAX_SHARED_CHARACTERS = 12_000_000;

const NO_WORKBOOK =
  "This file is a ZIP archive, and no Excel workbook (.xlsx) is in it. Upload the table itself, as .xlsx or “CSV UTF-8”.";

/** @throws UnreadableWorkbook for an archive that is no workbook */
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

export type CellTexts = {
  shared: readonly string[];
  dateStyles: ReadonlySet<number>;
  /** Styles that show a number with zeros in front: their format as plain text, `000-000`. */
  zeroStyles: ReadonlyMap<number, string>;
};

/** The texts that cells name by number, and the numbers of styles that show a date. */
export function readCellTexts(bytes: Uint8Array, index: WorkbookIndex, maxCell: number): CellTexts {
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

/** A text of several formats is in several pieces; how it is pronounced is no part of it. */
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
      // One character more than a cell may have: the row is then refused for it.
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

/** Characters that XML cannot hold are written `_x000D_`. */
export const unescapeCharacters = (text: string): string =>
  text.includes("_x")
    ? text.replace(/_x([0-9a-fA-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

/** Formats that every program knows by number and that show a date or a time. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

/** A format's own letters, without quoted text, colours and spacing: `d mmm yyyy` is a date, `000-000` is not. */
export const isDateFormat = (code: string): boolean =>
  /[dmyhs]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\.|[_*]./g, ""));

/** The format as plain text, where it shows whole numbers with zeros in front; undefined for any other. */
function zeroFormat(code: string): string | undefined {
  const [numbers = ""] = code.split(";");
  const plain = numbers.replace(/\\(.)/g, "$1").replace(/"([^"]*)"/g, "$1");
  return /^0[0 -]*0$/.test(plain) ? plain : undefined;
}

/** A whole number by such a format; undefined for any other number. */
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
