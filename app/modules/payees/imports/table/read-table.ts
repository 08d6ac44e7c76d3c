import Papa from "papaparse";
import { parseAbn } from "~/kernel/abn";
import { parseAccountNumber, parseBsb } from "~/kernel/bank-account";
import { isEmail, normalizeEmail } from "~/kernel/email";
import type { TableKind } from "~/kernel/enums";
import { collectProblems, type FileProblem } from "~/kernel/file-problem";
import { END_OF_FILE, findControl, formatCount } from "~/kernel/text";
import {
  type ColumnMapping,
  guessColumns,
  type ImportField,
  kindOf,
  missingColumns,
  recognised,
  signatureOf,
} from "./columns";

/** Guesses the columns of a table from their contents, when its headings are not recognised. Pure. */

type Row = { cells: readonly string[] };

const TESTS: readonly (readonly [ImportField, (cell: string) => boolean])[] = [
  ["email", (cell) => isEmail(normalizeEmail(cell))],
  ["abn", (cell) => parseAbn(cell) !== undefined],
  ["bsb", (cell) => parseBsb(cell) !== undefined],
  ["accountNumber", (cell) => parseAccountNumber(cell) !== undefined],
  ["name", (cell) => /[a-z]{2}/i.test(cell)],
  ["accountName", (cell) => /[a-z]{2}/i.test(cell)],
];

/** A column's kind is what most of its non-empty cells are. */
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

/** Reads a table with any separator row by row, so that memory is needed only for the text itself. Pure. */

export type TableRow = {
  /** The line of the text on which the row begins, from 1. */
  line: number;
  cells: string[];
  /** Columns whose numbers were read in their displayed format, with leading zeros. */
  shown?: readonly number[];
  /** The row is hidden in its workbook, by a filter or manually. */
  isHidden?: true;
};

export type TableLimits = { maxRows: number; maxColumns: number; maxCell: number; maxRow: number };

type TableHead = {
  kind: TableKind;
  /** The headings; "Column 1", "Column 2" for a table without any. */
  headings: string[];
  signature: string;
  /** The columns that were recognised. */
  guess: ColumnMapping;
  /** What is missing before rows can be read, in a sentence. */
  missing?: string;
};

export type TableReading =
  | { ok: true; head: TableHead; rowCount: number; zeroColumns: number[] }
  | { ok: false; problems: FileProblem[] };

/** How many rows are searched for the headings: reports begin with titles and dates. */
const HEAD_ROWS = 20;
const SAMPLE_CHARACTERS = 64 * 1024;
const EXCEL_SEPARATOR = /^sep=(.)\n/i;
const RETURNS = /\r\n?/g;

/**
 * Reads a table. Empty rows are skipped; among the first twenty rows, the one in which the most columns are recognised
 * is taken as the headings.
 * @param take is called with every row below the headings, in order
 * @returns the headings and counts, or every problem with its line; `take` may have been called before a problem was
 * found
 */
export function readTable(text: string, limits: TableLimits, take: (row: TableRow) => void): TableReading {
  const problems = collectProblems();
  // Convert all line endings to one kind, because a file may mix them.
  const lines = text.includes("\r") ? text.replace(RETURNS, "\n") : text;
  const body = lines.replace(EXCEL_SEPARATOR, "\n");
  const control = findControl(body, body.length - (body.endsWith(END_OF_FILE) ? 1 : 0));
  if (control) {
    problems.error(control.line, `${control.what} in column ${control.column}. This is not a table in a text file.`);
    return { ok: false, problems: problems.list() };
  }
  const delimiter = EXCEL_SEPARATOR.exec(lines)?.[1] ?? guessSeparator(body);
  return readRows(limits, take, (next) => walkRows(body, delimiter, next));
}

/** A row as it is read; `isUnclosed`: it contains an unclosed quotation mark. */
type Step = TableRow & { isUnclosed?: boolean };

/**
 * The same for rows from any source.
 * @param walk visits every non-empty row until `next` returns "enough"
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

/** Visits every non-empty row until `next` returns "enough". */
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

/** Comma, tab, semicolon or bar, whichever gives the first rows equal numbers of cells. */
function guessSeparator(text: string): string {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const { meta } = Papa.parse(sample, { preview: HEAD_ROWS, delimitersToGuess: [",", "\t", ";", "|"] });
  return meta.delimiter || ",";
}

/** Finds the headings among the first rows, checks the limits, and passes on the rows below. */
class RowReader {
  head: TableHead | undefined;
  rowCount = 0;
  /** Columns in which all-digit cells begin with a zero, so no spreadsheet dropped any. */
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
      error(line, `a cell has more than ${formatCount(maxCell)} characters.`);
    } else if (cells.reduce((sum, cell) => sum + cell.length, 0) > maxRow) {
      error(line, `the row has more than ${formatCount(maxRow)} characters.`);
    } else if (this.head ? this.rowCount >= maxRows : this.waiting.length > maxRows) {
      error(line, `the file has more than ${formatCount(maxRows)} rows. Split it and import the parts one by one.`);
    } else {
      if (this.head) this.hand(row);
      else this.wait(row);
      return "on";
    }
    return "enough";
  }

  /** Called after the last row: handles a table shorter than the rows searched for headings. */
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

/** The headings, and the index of the first row below them. */
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
