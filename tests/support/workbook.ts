import { strToU8, zipSync } from "fflate";

/** Excel workbooks as programs write them, made of the XML of their parts. */

export type WorkbookParts = {
  /** XML of the rows of each sheet, by its name. */
  sheets?: Record<string, string>;
  /** Attributes of `<sheet>` by the sheet's name, e.g. `state="hidden"`. */
  attributes?: Record<string, string>;
  shared?: string;
  styles?: string;
  properties?: string;
  more?: Record<string, Uint8Array>;
};

const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

/** A cell that holds a text of its own. */
export const text = (reference: string, value: string): string =>
  `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;

/** A cell that holds a number, as the file spells it. */
export const number = (reference: string, value: string, style = 0): string =>
  `<c r="${reference}" s="${style}"><v>${value}</v></c>`;

/** A row of texts, from column A. */
export const textRow = (line: number, ...values: readonly string[]): string =>
  `<row r="${line}">${values.map((value, at) => text(`${String.fromCharCode(65 + at)}${line}`, value)).join("")}</row>`;

export function aWorkbook(parts: WorkbookParts = {}): Uint8Array<ArrayBuffer> {
  const { sheets = { Sheet1: "" }, attributes = {}, shared = "", styles = "", properties = "", more = {} } = parts;
  const names = Object.keys(sheets);
  const listed = names.map(
    (name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}" ${attributes[name] ?? ""}/>`,
  );
  const relations = [
    ...names.map((_, at) => ["worksheet", `rId${at + 1}`, `worksheets/sheet${at + 1}.xml`]),
    ["sharedStrings", "rIdS", "sharedStrings.xml"],
    ["styles", "rIdT", "styles.xml"],
  ].map(([type, id, target]) => `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`);
  return zipSync({
    "xl/workbook.xml": strToU8(
      `<?xml version="1.0"?><workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">${properties}<sheets>${listed.join("")}</sheets></workbook>`,
    ),
    "xl/_rels/workbook.xml.rels": strToU8(`<Relationships>${relations.join("")}</Relationships>`),
    "xl/sharedStrings.xml": strToU8(`<sst xmlns="${MAIN}">${shared}</sst>`),
    "xl/styles.xml": strToU8(`<styleSheet xmlns="${MAIN}">${styles}</styleSheet>`),
    ...Object.fromEntries(
      names.map((name, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        strToU8(`<worksheet xmlns="${MAIN}"><sheetData>${sheets[name]}</sheetData></worksheet>`),
      ]),
    ),
    ...more,
  }) as Uint8Array<ArrayBuffer>;
}
