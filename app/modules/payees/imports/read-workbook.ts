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
  /** The name of the sheet that was read, if the workbook has several; otherwise null. */
  sheet: string | null;
};

/** Empty sheets before the table are skipped, up to this many. */
const MAX_SHEETS = 20;
/** The limit for all sheets together: 50,000 rows of a contacts export need about 40 MB. */
const SHEETS_BYTES = 64 * 1024 * 1024;
const ZIP = [0x50, 0x4b, 0x03, 0x04];
const OLE = [0xd0, 0xcf, 0x11, 0xe0];
/** The offset of the flags in the ZIP's first header, and the bit that means "encrypted". */
const FLAGS_AT = 6;
const ENCRYPTED = 1;

const beginsWith = (bytes: Uint8Array, signature: readonly number[]) =>
  signature.every((byte, at) => bytes[at] === byte);

/** True for the bytes of an Excel workbook, in the present format or the one used before 2007. */
export const isWorkbook = (bytes: Uint8Array): boolean => beginsWith(bytes, ZIP) || beginsWith(bytes, OLE);

const PASSWORD =
  "This workbook is protected by a password, so it cannot be read. Remove the password in your spreadsheet program and upload the file again.";
const OLD_FORMAT =
  "This workbook is in the old .xls format, from before 2007. Save it as .xlsx or “CSV UTF-8” and upload that file.";

/**
 * Reads a workbook row by row as it is unpacked. Formulas are read from their saved results; nothing is calculated, and
 * macros are ignored.
 * @param take is called with every row below the headings, in order
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
    // A password-protected workbook is stored in the old container, as a stream of this name.
    throw new UnreadableWorkbook(includesText(bytes, "EncryptedPackage") ? PASSWORD : OLD_FORMAT);
  }
  if (((bytes[FLAGS_AT] ?? 0) & ENCRYPTED) !== 0) throw new UnreadableWorkbook(PASSWORD);
}

/** True if the bytes contain an ASCII string encoded as UTF-16, little-endian. */
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
    // A column with numeric cells may have lost zeros, even if text cells in it kept them.
    const zeroColumns = table.zeroColumns.filter((column) => !numbers.has(column));
    return { ...table, zeroColumns, ...named };
  }
  throw new UnreadableWorkbook("The workbook has no sheet with anything in it.");
}

type Walk = Reading & { sheet: Sheet; allowance: Allowance; tellNumber: (column: number) => void };

/** @returns how many non-empty rows were read */
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

/** Reads the rows of a sheet as it is unpacked. Pure. */

type SheetRow = TableRow;

type SheetRules = CellTexts & {
  is1904: boolean;
  maxColumns: number;
  maxCell: number;
  /** Called with every non-empty row, in order. */
  take: (row: SheetRow) => void;
  /** Called with the column of every numeric cell, because a spreadsheet may have dropped leading zeros. */
  tellNumber: (column: number) => void;
};

const LAST_ROW = 1_048_576;
const DAY_0_OF_1900 = Date.UTC(1899, 11, 30);
const DAY_0_OF_1904 = Date.UTC(1904, 0, 1);

/** @throws UnreadableWorkbook for a damaged sheet, or a formula without a saved result */
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

  /** Rows must be in order and unique, because results are identified by row number. */
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
    // One column more than allowed, so that the row is refused for having too many.
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

/** `B7` gives 1. @throws UnreadableWorkbook for an invalid reference */
function columnOf(reference: string): number {
  const letters = /^([A-Z]{1,3})\d+$/.exec(reference)?.[1];
  if (!letters) throw new UnreadableWorkbook(DAMAGED);
  return [...letters].reduce((sum, letter) => sum * LETTERS + letter.charCodeAt(0) - A, 0) - 1;
}

function lettersOf(column: number): string {
  const first = Math.floor(column / LETTERS);
  return (first > 0 ? lettersOf(first - 1) : "") + String.fromCharCode(A + 1 + (column % LETTERS));
}

/** Spells out the month, so that no date is mistaken for the digits of an account. */
function showDay(days: number, is1904: boolean): string {
  const at = (is1904 ? DAY_0_OF_1904 : DAY_0_OF_1900) + days * DAY_MS;
  return Number.isNaN(new Date(at).getTime()) ? "a date" : formatDate(at, "UTC");
}
