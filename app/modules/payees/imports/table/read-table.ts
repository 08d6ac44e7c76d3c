import Papa from "papaparse";
import { parseAbn } from "~/kernel/abn";
import { parseAccountNumber } from "~/kernel/account-number";
import { parseBsb } from "~/kernel/bsb";
import { isEmail, normalizeEmail } from "~/kernel/email";
import type { TableKind } from "~/kernel/enums";
import { collectProblems, type FileProblem } from "~/kernel/file-problem";
import {
  type ColumnMapping,
  guessColumns,
  type ImportField,
  kindOf,
  missingColumns,
  recognised,
  signatureOf,
} from "./columns";

/** The columns of a table whose headings say nothing, by what is in them. Pure. */

type Row = { cells: readonly string[] };

const TESTS: readonly (readonly [ImportField, (cell: string) => boolean])[] = [
  ["email", (cell) => isEmail(normalizeEmail(cell))],
  ["abn", (cell) => parseAbn(cell) !== undefined],
  ["bsb", (cell) => parseBsb(cell) !== undefined],
  ["accountNumber", (cell) => parseAccountNumber(cell) !== undefined],
  ["name", (cell) => /[a-z]{2}/i.test(cell)],
  ["accountName", (cell) => /[a-z]{2}/i.test(cell)],
];

/** A column is what most of its filled cells are. */
function guessColumnsByContent(rows: readonly Row[]): ColumnMapping {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const taken = new Set<number>();
  const found: Partial<Record<ImportField, number[]>> = {};
  for (const [field, fits] of TESTS) {
    for (let column = 0; column < width; column++) {
      if (taken.has(column)) continue;
      const filled = rows.map(({ cells }) => cells[column]?.trim() ?? "").filter(Boolean);
      if (filled.length === 0 || filled.filter(fits).length * 2 <= filled.length) continue;
      taken.add(column);
      found[field] = [column];
      break;
    }
  }
  return found;
}

/** Reads a table of any separator row by row, so that its size costs no memory but that of the text. Pure. */

export type TableRow = {
  /** Line of the text on which the row begins, from 1. */
  line: number;
  cells: string[];
  /** Columns whose number is read as its format shows it, with zeros in front. */
  shown?: readonly number[];
  /** The row is hidden in its workbook, by a filter or by hand. */
  isHidden?: true;
};

export type TableLimits = { maxRows: number; maxColumns: number; maxCell: number; maxRow: number };

type TableHead = {
  kind: TableKind;
  /** The headings, or "Column 1", "Column 2" of a table that has none. */
  headings: string[];
  signature: string;
  /** The columns as far as they are recognised. */
  guess: ColumnMapping;
  /** What is missing before rows can be read, in a sentence. */
  missing?: string;
};

export type TableReading =
  | { ok: true; head: TableHead; rowCount: number; zeroColumns: number[] }
  | { ok: false; problems: FileProblem[] };

/** Rows in which the headings are looked for: reports begin with titles and dates. */
const HEAD_ROWS = 20;
const SAMPLE_CHARACTERS = 64 * 1024;
const EXCEL_SEPARATOR = /^sep=(.)\n/i;
const RETURNS = /\r\n?/g;
// Control characters that are in no text: tab and line ends may.
const CONTROL = /[^\P{Cc}\t\n\r]/u;
const END_OF_FILE = "\u001a";

/**
 * Reads a table. Rows without anything in them are passed over; the headings are the row of the first twenty in which the
 * most columns are recognised.
 * @param take is given every row below the headings, in order
 * @returns the headings and counts, or every problem with its line; `take` may have been called before a problem was found
 */
export function readTable(text: string, limits: TableLimits, take: (row: TableRow) => void): TableReading {
  const problems = collectProblems();
  // One kind of line end: a file may mix them, and a row is then still one line.
  const lines = text.includes("\r") ? text.replace(RETURNS, "\n") : text;
  const body = lines.replace(EXCEL_SEPARATOR, "\n");
  const control = findControl(body);
  if (control) {
    problems.error(control.line, `${control.what} in column ${control.column}. This is not a table in a text file.`);
    return { ok: false, problems: problems.list() };
  }
  const delimiter = EXCEL_SEPARATOR.exec(lines)?.[1] ?? guessSeparator(body);
  return readRows(limits, take, (next) => walkRows(body, delimiter, next));
}

/** A row as it is read; `isUnclosed`: a quotation mark in it is not closed. */
type Step = TableRow & { isUnclosed?: boolean };

/**
 * The same for rows of any origin.
 * @param walk goes through every row that holds anything, until `next` says that it has seen enough
 */
export function readRows(
  limits: TableLimits,
  take: (row: TableRow) => void,
  walk: (next: (row: Step) => "on" | "enough") => void,
): TableReading {
  const problems = collectProblems();
  const reader = new RowReader(limits, take);
  walk((row) => reader.next(row, problems.error));
  reader.end();
  const { head, rowCount } = reader;
  if (!problems.hasErrors() && !head) problems.error(null, "The file is empty.");
  else if (!problems.hasErrors() && rowCount === 0)
    problems.error(null, "The file has headings and no rows below them.");
  if (problems.hasErrors() || !head) return { ok: false, problems: problems.list() };
  return { ok: true, head, rowCount, zeroColumns: [...reader.zeroColumns] };
}

/** Every row that holds anything, until `next` says that it has seen enough. */
function walkRows(text: string, delimiter: string, next: (row: Step) => "on" | "enough"): void {
  let line = 1;
  Papa.parse<string[]>(text, {
    delimiter,
    newline: "\n",
    step({ data: cells, errors }, parser) {
      const row = { line, cells, isUnclosed: errors.some(({ code }) => code === "MissingQuotes") };
      line += 1 + cells.reduce((sum, cell) => sum + (cell.includes("\n") ? cell.split("\n").length - 1 : 0), 0);
      if (row.isUnclosed || cells.some((cell) => cell.trim() !== "")) {
        if (next(row) === "enough") parser.abort();
      }
    },
  });
}

/** Comma, tab, semicolon or bar, whichever makes the first rows alike. */
function guessSeparator(text: string): string {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const { meta } = Papa.parse(sample, { preview: HEAD_ROWS, delimitersToGuess: [",", "\t", ";", "|"] });
  return meta.delimiter || ",";
}

function findControl(text: string) {
  const body = text.endsWith(END_OF_FILE) ? text.slice(0, -1) : text;
  const found = CONTROL.exec(body);
  if (!found) return undefined;
  const before = body.slice(0, found.index).split("\n");
  const what = found[0] === "\0" ? "a NUL character" : "a control character";
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, what };
}

/** Finds the headings among the first rows, checks the limits, and hands on what is below. */
class RowReader {
  head: TableHead | undefined;
  rowCount = 0;
  /** Columns in which digits alone begin with a zero: no spreadsheet took any of theirs for numbers. */
  readonly zeroColumns = new Set<number>();
  private waiting: TableRow[] = [];

  constructor(
    private readonly limits: TableLimits,
    private readonly take: (row: TableRow) => void,
  ) {}

  next({ isUnclosed, ...row }: Step, error: (line: number | null, message: string) => void): "on" | "enough" {
    const { maxRows, maxColumns, maxCell, maxRow } = this.limits;
    const { line, cells } = row;
    if (isUnclosed) error(line, "a quotation mark is opened and not closed.");
    else if (cells.length > maxColumns)
      error(line, `the row has ${cells.length} columns; at most ${maxColumns} are read.`);
    else if (cells.some((cell) => cell.length > maxCell)) {
      error(line, `a cell has more than ${maxCell.toLocaleString("en-AU")} characters.`);
    } else if (cells.reduce((sum, cell) => sum + cell.length, 0) > maxRow) {
      error(line, `the row has more than ${maxRow.toLocaleString("en-AU")} characters.`);
    } else if (this.head ? this.rowCount >= maxRows : this.waiting.length > maxRows) {
      error(
        line,
        `the file has more than ${maxRows.toLocaleString("en-AU")} rows. Split it and import the parts one by one.`,
      );
    } else {
      if (this.head) this.hand(row);
      else this.wait(row);
      return "on";
    }
    return "enough";
  }

  /** The rows that were looked through for headings, when there are no more. */
  end(): void {
    if (!this.head && this.waiting.length > 0) this.begin();
  }

  private wait(row: TableRow): void {
    this.waiting.push(row);
    if (this.waiting.length >= HEAD_ROWS) this.begin();
  }

  private begin(): void {
    const { head, from } = findHead(this.waiting);
    this.head = head;
    for (const row of this.waiting.slice(from)) this.hand(row);
    this.waiting = [];
  }

  private hand(row: TableRow): void {
    this.rowCount++;
    for (const [column, cell] of row.cells.entries()) {
      if (cell.startsWith("0") && /^0\d+$/.test(cell)) this.zeroColumns.add(column);
    }
    this.take(row);
  }
}

/** The headings, and with which row the table itself begins. */
function findHead(rows: readonly TableRow[]): { head: TableHead; from: number } {
  const guesses = rows.map(({ cells }) => guessColumns(cells));
  const best = guesses.reduce(
    (at, guess, index) => (recognised(guess) > recognised(guesses[at] ?? {}) ? index : at),
    0,
  );
  const guess = guesses[best] ?? {};
  if (recognised(guess) > 0) return { head: toHead(rows[best]?.cells ?? [], guess), from: best + 1 };
  const first = rows[0]?.cells ?? [];
  const byContent = guessColumnsByContent(rows);
  const isData = first.some((cell) => /\d{4}/.test(cell));
  const headings = isData ? first.map((_, at) => `Column ${at + 1}`) : first;
  return { head: toHead(headings, byContent), from: isData ? 0 : 1 };
}

function toHead(headings: readonly string[], guess: ColumnMapping): TableHead {
  const named = headings.map((heading, at) => heading.trim() || `Column ${at + 1}`);
  return {
    kind: kindOf(headings),
    headings: named,
    signature: signatureOf(headings),
    guess,
    missing: missingColumns(guess),
  };
}
