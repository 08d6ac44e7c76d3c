/** CSV tables for spreadsheets: RFC 4180, with an apostrophe before a cell that would run as a formula. */

/** Including full-width forms, which spreadsheets in some languages treat the same. */
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
const NEEDS_QUOTES = /[",\r\n]/;
/** A spreadsheet recognises UTF-8 only with this mark. */
const BYTE_ORDER_MARK = "\ufeff";

export type CsvCell = string | number | null;

function toCell(cell: CsvCell): string {
  if (typeof cell === "number") return String(cell);
  const text = cell ?? "";
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as lines of a CSV file, each with its line end. */
export const toCsvLines = (rows: readonly (readonly CsvCell[])[]): string =>
  rows.map((row) => `${row.map(toCell).join(",")}\r\n`).join("");

/** A whole file: the headings and the rows. */
export const toCsv = (headings: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  BYTE_ORDER_MARK + toCsvLines([headings, ...rows]);
