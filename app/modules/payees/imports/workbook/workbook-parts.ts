import { readXml } from "./read-xml";
import { allow, type PartReader, UnreadableWorkbook, unpackParts } from "./unpack";

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

type Relation = { type: string; part: string };

/** @throws UnreadableWorkbook for an archive that is no workbook */
export function readIndex(bytes: Uint8Array): WorkbookIndex {
  const found: { name: string; relation: string }[] = [];
  const relations = new Map<string, Relation>();
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

export type CellTexts = { shared: readonly string[]; dateStyles: ReadonlySet<number> };

/** The texts that cells name by number, and the numbers of styles that show a date. */
export function readCellTexts(bytes: Uint8Array, index: WorkbookIndex, maxCell: number): CellTexts {
  const shared: string[] = [];
  const dateStyles = new Set<number>();
  unpackParts(bytes, (name) => {
    if (name === index.sharedStringsPart) return sharedStringsReader(shared, maxCell);
    if (name === index.stylesPart) return stylesReader(dateStyles);
    return undefined;
  });
  return { shared, dateStyles };
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
          "This workbook holds more text than is read at once. Save the sheet as “CSV UTF-8” and upload that file.",
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

function stylesReader(dateStyles: Set<number>): PartReader {
  const dateFormats = new Set<number>();
  let isOfCells = false;
  let style = 0;
  return readXml(allow(SMALL_BYTES), {
    open(name, { numFmtId = "0", formatCode = "" }) {
      if (name === "numFmt" && isDateFormat(formatCode)) dateFormats.add(Number(numFmtId));
      if (name === "cellXfs") isOfCells = true;
      if (name !== "xf" || !isOfCells) return;
      const format = Number(numFmtId);
      if (isBuiltInDate(format) || dateFormats.has(format)) dateStyles.add(style);
      style++;
    },
    close(name) {
      if (name === "cellXfs") isOfCells = false;
    },
  });
}
