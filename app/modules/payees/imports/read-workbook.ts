import { DAY_MS, formatDate } from "~/kernel/dates";
import {
  readRows,
  type TableLimits,
  type TableReading,
  type TableRow,
} from "~/modules/payees/imports/table/read-table";
import {
  type Allowance,
  type Attributes,
  allow,
  type CellTexts,
  DAMAGED,
  type PartReader,
  readCellTexts,
  readIndex,
  readXml,
  type Sheet,
  showByZeros,
  stopReading,
  UnreadableWorkbook,
  unescapeCharacters,
  unpackParts,
  type WorkbookIndex,
} from "./workbook";

/** Reads the first sheet of an Excel workbook as a table. Pure. */

export type WorkbookReading = TableReading & {
  /** The sheet that was read, where the workbook has several; null where it has one. */
  sheet: string | null;
};

/** Empty sheets before the table are passed over. */
const MAX_SHEETS = 20;
/** All sheets that are looked at together: 50,000 rows of a contacts export need about 40 MB. */
const SHEETS_BYTES = 64 * 1024 * 1024;
const ZIP = [0x50, 0x4b, 0x03, 0x04];
const OLE = [0xd0, 0xcf, 0x11, 0xe0];
/** The flags of a ZIP's first part, and the bit that says it is encrypted. */
const FLAGS_AT = 6;
const ENCRYPTED = 1;

const beginsWith = (bytes: Uint8Array, signature: readonly number[]) =>
  signature.every((byte, at) => bytes[at] === byte);

/** True for bytes that a spreadsheet program wrote as a workbook, of the format of today or before 2007. */
export const isWorkbook = (bytes: Uint8Array): boolean => beginsWith(bytes, ZIP) || beginsWith(bytes, OLE);

const PASSWORD =
  "This workbook is protected by a password, so it cannot be read. Remove the password in your spreadsheet program and upload the file again.";
const OLD_FORMAT =
  "This workbook is in the old .xls format, from before 2007. Save it as .xlsx or “CSV UTF-8” and upload that file.";

/**
 * Reads a workbook row by row while it is unpacked. Formulas are read by the result that was saved with them; nothing is
 * calculated, and macros are passed over.
 * @param take is given every row below the headings, in order
 */
export function readWorkbook(bytes: Uint8Array, limits: TableLimits, take: (row: TableRow) => void): WorkbookReading {
  try {
    refuseUnreadable(bytes);
    const index = readIndex(bytes);
    const texts = readCellTexts(bytes, index, limits.maxCell);
    return readFirstSheet(bytes, { index, texts, limits, take });
  } catch (error) {
    if (!(error instanceof UnreadableWorkbook)) throw error;
    return { ok: false, problems: [{ line: null, level: "error", message: error.message }], sheet: null };
  }
}

function refuseUnreadable(bytes: Uint8Array): void {
  if (beginsWith(bytes, OLE)) {
    // A workbook with a password is packed into the old container, as a stream of this name.
    throw new UnreadableWorkbook(includesText(bytes, "EncryptedPackage") ? PASSWORD : OLD_FORMAT);
  }
  if (((bytes[FLAGS_AT] ?? 0) & ENCRYPTED) !== 0) throw new UnreadableWorkbook(PASSWORD);
}

/** Whether bytes hold an ASCII text as UTF-16, little end first. */
function includesText(bytes: Uint8Array, text: string): boolean {
  const wanted = [...text].flatMap((letter) => [letter.charCodeAt(0), 0]);
  const [first = 0] = wanted;
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (wanted.every((byte, offset) => bytes[at + offset] === byte)) return true;
  }
  return false;
}

type Reading = {
  index: WorkbookIndex;
  texts: CellTexts;
  limits: TableLimits;
  take: (row: TableRow) => void;
};

function readFirstSheet(bytes: Uint8Array, reading: Reading): WorkbookReading {
  const { sheets } = reading.index;
  const allowance = allow(SHEETS_BYTES);
  for (const sheet of sheets.slice(0, MAX_SHEETS)) {
    let rows = 0;
    const numbers = new Set<number>();
    const table = readRows(reading.limits, reading.take, (next) => {
      rows = walkSheet(bytes, { ...reading, sheet, allowance, tellNumber: (column) => numbers.add(column) }, next);
    });
    if (rows === 0) continue;
    const named = { sheet: sheets.length > 1 ? sheet.name : null };
    if (!table.ok) return { ...table, ...named };
    // A number may have lost its zeros although a text in its column kept them.
    const zeroColumns = table.zeroColumns.filter((column) => !numbers.has(column));
    return { ...table, zeroColumns, ...named };
  }
  throw new UnreadableWorkbook("The workbook has no sheet with anything in it.");
}

type Walk = Reading & { sheet: Sheet; allowance: Allowance; tellNumber: (column: number) => void };

/** @returns how many rows hold anything, as far as it was read */
function walkSheet(
  bytes: Uint8Array,
  { index, texts, limits, sheet, allowance, tellNumber }: Walk,
  next: (row: SheetRow) => "on" | "enough",
): number {
  const { maxColumns, maxCell } = limits;
  let rows = 0;
  const take = (row: SheetRow) => {
    rows++;
    if (next(row) === "enough") stopReading();
  };
  const reader = sheetReader({ ...texts, is1904: index.is1904, maxColumns, maxCell, take, tellNumber }, allowance);
  unpackParts(bytes, (name) => (name === sheet.part ? reader : undefined));
  return rows;
}

/** The rows of a sheet while it is unpacked. Pure. */

type SheetRow = TableRow;

type SheetRules = CellTexts & {
  is1904: boolean;
  maxColumns: number;
  maxCell: number;
  /** Is given every row that holds anything, in order. */
  take: (row: SheetRow) => void;
  /** Is given the column of every number: a spreadsheet may have dropped its first zeros. */
  tellNumber: (column: number) => void;
};

const LAST_ROW = 1_048_576;
const DAY_0_OF_1900 = Date.UTC(1899, 11, 30);
const DAY_0_OF_1904 = Date.UTC(1904, 0, 1);

/** @throws UnreadableWorkbook for a damaged sheet, and for a formula whose result was not saved */
const sheetReader = (rules: SheetRules, allowance: Allowance): PartReader =>
  readXml(allowance, new SheetHandlers(rules).handlers);

class SheetHandlers {
  private line = 0;
  private cells: string[] = [];
  private shown: number[] = [];
  private isHidden = false;
  private nextColumn = 0;
  private cell: { column: number; type: string; style: number; hasFormula: boolean } | undefined;
  private value = "";
  private isValue = false;
  private isPronunciation = false;

  constructor(private readonly rules: SheetRules) {}

  readonly handlers = {
    open: (name: string, attributes: Attributes) => this.open(name, attributes),
    text: (text: string) => {
      const { maxCell } = this.rules;
      if (this.isValue && this.value.length <= maxCell) this.value += text.slice(0, maxCell + 1 - this.value.length);
    },
    close: (name: string) => this.close(name),
  };

  private open(name: string, { r, t = "n", s = "0", hidden }: Attributes): void {
    if (name === "row") this.beginRow(r, hidden === "1" || hidden === "true");
    else if (name === "c") {
      const column = r === undefined ? this.nextColumn : columnOf(r);
      this.cell = { column, type: t, style: Number(s), hasFormula: false };
      this.value = "";
    } else if (name === "f" && this.cell) this.cell.hasFormula = true;
    else if (name === "rPh") this.isPronunciation = true;
    this.isValue = this.cell !== undefined && (name === "v" || (name === "t" && !this.isPronunciation));
  }

  /** Rows are in order and each is there once: their numbers tell the results apart. */
  private beginRow(number: string | undefined, isHidden: boolean): void {
    const line = number === undefined ? this.line + 1 : Number(number);
    if (!Number.isInteger(line) || line <= this.line || line > LAST_ROW) throw new UnreadableWorkbook(DAMAGED);
    this.line = line;
    this.cells = [];
    this.shown = [];
    this.isHidden = isHidden;
    this.nextColumn = 0;
  }

  private close(name: string): void {
    if (name === "v" || name === "t") this.isValue = false;
    else if (name === "rPh") this.isPronunciation = false;
    else if (name === "c") this.endCell();
    else if (name === "row" && this.cells.some((cell) => cell.trim() !== "")) {
      this.rules.take({
        line: this.line,
        cells: this.cells,
        ...(this.shown.length > 0 ? { shown: this.shown } : {}),
        ...(this.isHidden ? { isHidden: true } : {}),
      });
    }
  }

  private endCell(): void {
    const { cell } = this;
    this.cell = undefined;
    if (!cell) return;
    this.nextColumn = cell.column + 1;
    if (cell.hasFormula && this.value === "" && cell.type !== "str") throw this.withoutResult(cell.column);
    const text = this.textOf(cell);
    if (text === "") return;
    // One column more than a row may have: the row is then refused for it.
    const column = Math.min(cell.column, this.rules.maxColumns);
    while (this.cells.length < column) this.cells.push("");
    this.cells[column] = text;
  }

  private textOf({ type, style, column }: NonNullable<SheetHandlers["cell"]>): string {
    const { value, rules } = this;
    if (type === "s") return rules.shared[Number(value)] ?? lost();
    if (type === "inlineStr" || type === "str") return unescapeCharacters(value);
    if (type === "b") return value === "1" ? "TRUE" : "FALSE";
    if (type !== "n" || value === "") return value;
    if (rules.dateStyles.has(style)) return showDay(Number(value), rules.is1904);
    const format = rules.zeroStyles.get(style);
    const shown = format && showByZeros(value, format);
    if (shown && shown !== value) {
      this.shown.push(column);
      return shown;
    }
    rules.tellNumber(column);
    return value;
  }

  private withoutResult(column: number): UnreadableWorkbook {
    const where = `${lettersOf(column)}${this.line}`;
    return new UnreadableWorkbook(
      `Cell ${where} holds a formula whose result was not saved. Open the file in your spreadsheet program, save it there, and upload it again.`,
    );
  }
}

const lost = (): never => {
  throw new UnreadableWorkbook(DAMAGED);
};

const A = 64;
const LETTERS = 26;

/** `B7` is 1. @throws UnreadableWorkbook for what names no cell */
function columnOf(reference: string): number {
  const letters = /^([A-Z]{1,3})\d+$/.exec(reference)?.[1];
  if (!letters) throw new UnreadableWorkbook(DAMAGED);
  return [...letters].reduce((sum, letter) => sum * LETTERS + letter.charCodeAt(0) - A, 0) - 1;
}

function lettersOf(column: number): string {
  const first = Math.floor(column / LETTERS);
  return (first > 0 ? lettersOf(first - 1) : "") + String.fromCharCode(A + 1 + (column % LETTERS));
}

/** With the name of its month, so that no date is taken for the digits of an account. */
function showDay(days: number, is1904: boolean): string {
  const at = (is1904 ? DAY_0_OF_1904 : DAY_0_OF_1900) + days * DAY_MS;
  return Number.isNaN(new Date(at).getTime()) ? "a date" : formatDate(at, "UTC");
}
