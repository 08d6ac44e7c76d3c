import { DAY_MS, formatDate } from "~/kernel/dates";
import { type Attributes, readXml } from "./read-xml";
import { type Allowance, DAMAGED, type PartReader, UnreadableWorkbook } from "./unpack";
import { type CellTexts, unescapeCharacters } from "./workbook-parts";

/** The rows of a sheet while it is unpacked. Pure. */

export type SheetRow = { line: number; cells: string[] };

export type SheetRules = CellTexts & {
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
export const sheetReader = (rules: SheetRules, allowance: Allowance): PartReader =>
  readXml(allowance, new SheetHandlers(rules).handlers);

class SheetHandlers {
  private line = 0;
  private cells: string[] = [];
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

  private open(name: string, { r, t = "n", s = "0" }: Attributes): void {
    if (name === "row") this.beginRow(r);
    else if (name === "c") {
      const column = r === undefined ? this.nextColumn : columnOf(r);
      this.cell = { column, type: t, style: Number(s), hasFormula: false };
      this.value = "";
    } else if (name === "f" && this.cell) this.cell.hasFormula = true;
    else if (name === "rPh") this.isPronunciation = true;
    this.isValue = this.cell !== undefined && (name === "v" || (name === "t" && !this.isPronunciation));
  }

  /** Rows are in order and each is there once: their numbers tell the results apart. */
  private beginRow(number: string | undefined): void {
    const line = number === undefined ? this.line + 1 : Number(number);
    if (!Number.isInteger(line) || line <= this.line || line > LAST_ROW) throw new UnreadableWorkbook(DAMAGED);
    this.line = line;
    this.cells = [];
    this.nextColumn = 0;
  }

  private close(name: string): void {
    if (name === "v" || name === "t") this.isValue = false;
    else if (name === "rPh") this.isPronunciation = false;
    else if (name === "c") this.endCell();
    else if (name === "row" && this.cells.some((cell) => cell.trim() !== "")) {
      this.rules.take({ line: this.line, cells: this.cells });
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
