import Papa from "papaparse";
import { parseAccountNumber, parseBsb } from "~/kernel/bank-account";
import type { FileFormat } from "~/kernel/enums";
import { collectProblems, type FileProblem, type ProblemList } from "~/kernel/file-problem";
import { MAX_AMOUNT_CENTS, parseAud } from "~/kernel/money";
import type { BankDetails } from "~/kernel/payee";
import { cleanLine, END_OF_FILE, findControl, formatCount } from "~/kernel/text";
import { MAX_REFERENCE_LENGTH } from "~/modules/payments/payment";
import { findBills, readListOfBills } from "~/modules/payments/payment-files/bills/read-bills";
import {
  CSV_FIELDS,
  type CsvMapping,
  mapByContent,
  mapByHeadings,
  signatureOf,
} from "~/modules/payments/payment-files/csv/columns";
import { type AbaFile, DEBIT_CODE, readAba } from "./aba";
import { type FileLine, MAX_LINES } from "./payment-file";

/** More columns than a table of payments has. */
const MAX_COLUMNS = 200;

const LINE_ENDS = /\r\n?/g;
/** A first line that tells a spreadsheet which separator the file uses. */
const SEPARATOR_LINE = /^sep=(.)\n/i;

/** A row of a table, and the line of the text on which it begins. */
export type Row = { line: number; cells: string[] };

/** MYOB AccountRight begins its text files with this line, before the headings. */
const MYOB_START = "{}";

/** The non-blank rows of a table. Comma, tab and semicolon are recognised. */
function readRows(text: string, problems: ProblemList): Row[] {
  // Convert all line endings to one kind, because a file may mix them.
  const lines = text.replace(LINE_ENDS, "\n");
  const [mark = "", delimiter] = SEPARATOR_LINE.exec(lines) ?? [];
  const { data, errors } = Papa.parse<string[]>(lines.slice(mark.length), {
    skipEmptyLines: false,
    newline: "\n",
    delimiter,
    delimitersToGuess: [",", "\t", ";"],
  });
  const quoted = errors.find(({ type }) => type === "Quotes");
  const rows: Row[] = [];
  let line = mark === "" ? 1 : 2;
  for (const [at, cells] of data.entries()) {
    if (quoted && at === (quoted.row ?? 0)) problems.error(line, "a quotation mark is opened and not closed.");
    if (cells.some((cell) => cell.trim() !== "")) rows.push({ line, cells });
    if (cells.length > MAX_COLUMNS) problems.error(line, `the row has ${cells.length} columns.`);
    line += 1;
    for (const cell of cells) if (cell.includes("\n")) line += cell.split("\n").length - 1;
  }
  return rows[0]?.cells.join("").trim() === MYOB_START ? rows.slice(1) : rows;
}

type CsvReading =
  | { ok: true; lines: FileLine[]; mapping: CsvMapping; signature: string | null }
  | { ok: false; problems: FileProblem[]; mappingNeeded?: { headings: string[]; signature: string } };

const MAX_NAME = 140;

/**
 * Reads a table of payments: CSV, or lines pasted from a spreadsheet. Comma, semicolon and tab are recognised. Columns
 * are recognised by the headings that accounting systems use or, without headings, by their contents.
 *
 * @param known columns that the organisation chose earlier, by the signature of the headings
 * @returns the payments, the problems for which the table is refused, or the headings whose columns somebody must
 * choose
 */
function readCsv(
  rows: readonly Row[],
  problems: ProblemList,
  known: Readonly<Record<string, CsvMapping>> = {},
): CsvReading {
  const [first] = rows;
  if (!first) {
    problems.error(null, "The file is empty.");
    return { ok: false, problems: problems.list() };
  }
  const columns = findColumns(first, rows[1], known);
  if (!columns) {
    const signature = signatureOf(first.cells);
    problems.error(first.line, "the columns are not recognised. Choose which column is which.");
    return { ok: false, problems: problems.list(), mappingNeeded: { headings: first.cells, signature } };
  }
  const { mapping, signature } = columns;
  const payments = signature === null ? rows : rows.slice(1);
  const beyond = payments[MAX_LINES];
  if (beyond) problems.error(beyond.line, `the file has more than ${formatCount(MAX_LINES)} payments.`);
  if (payments.length === 0) problems.error(null, "The file has headings and no payments.");
  const lines = beyond ? [] : payments.flatMap((row) => readRow(row, mapping, problems) ?? []);
  return problems.hasErrors() ? { ok: false, problems: problems.list() } : { ok: true, lines, mapping, signature };
}

function findColumns(first: Row, second: Row | undefined, known: Readonly<Record<string, CsvMapping>>) {
  const signature = signatureOf(first.cells);
  const chosen = known[signature];
  if (chosen && CSV_FIELDS.every((field) => chosen[field] < first.cells.length)) return { mapping: chosen, signature };
  const byHeadings = mapByHeadings(first.cells);
  if (byHeadings) return { mapping: byHeadings, signature };
  const byContent = mapByContent(first.cells);
  if (byContent) return { mapping: byContent, signature: null };
  // A first row that is not recognised is still a row of headings when the columns can be identified from the row below
  // it.
  const below = second && !mapByContent(first.cells) ? mapByContent(second.cells) : undefined;
  const looksLikeHeadings = first.cells.every((cell) => !/\d{4}/.test(cell));
  return below && looksLikeHeadings ? { mapping: below, signature } : undefined;
}

function readRow({ line, cells }: Row, mapping: CsvMapping, problems: ProblemList): FileLine | undefined {
  const cell = (field: keyof CsvMapping) => cleanLine(cells[mapping[field]] ?? "");
  const accountName = cell("accountName");
  const bsb = parseBsb(padBsb(cell("bsb")));
  const accountNumber = parseAccountNumber(cell("accountNumber"));
  const amount = parseAud(cell("amount")) ?? 0;
  if (accountName === "") problems.error(line, "the account name is blank.");
  if (accountName.length > MAX_NAME) problems.error(line, `the account name has more than ${MAX_NAME} characters.`);
  if (!bsb) problems.error(line, `the BSB is “${cell("bsb")}”. It must have six digits.`);
  if (!accountNumber) {
    problems.error(line, `the account number is “${cell("accountNumber")}”. It must have 4 to 9 digits.`);
  }
  if (amount <= 0 || amount > MAX_AMOUNT_CENTS) {
    problems.error(line, `the amount is “${cell("amount")}”. It must be dollars above nil, such as 1,250.00.`);
  }
  if (accountName === "" || !bsb || !accountNumber || amount <= 0) return undefined;
  const reference = cell("reference");
  if (reference === "") problems.warn(line, "the reference is blank.");
  if (reference.length > MAX_REFERENCE_LENGTH) {
    problems.error(line, `the reference has more than ${MAX_REFERENCE_LENGTH} characters.`);
  }
  return { line, accountName, bsb, accountNumber, amount, reference, newDetails: false };
}

/** A spreadsheet treats 062000 as a number and drops the zero. */
const padBsb = (text: string) => (/^\d{5}$/.test(text) ? `0${text}` : text);

/** An uploaded or pasted file that was read. */
export type ReadFile = {
  format: FileFormat;
  /** The payments, without any balancing debit. */
  lines: FileLine[];
  /** The parsed direct entry file; null for a table. */
  aba: AbaFile | null;
  problems: FileProblem[];
  /** How a table was read, to be stored; null when the text alone determines it. */
  columns: TableColumns | null;
};

/** The columns found or chosen for a table with these headings. */
type ChosenColumns = { signature: string; mapping: CsvMapping };

/** The columns of a table; for a list of bills, the accounts that pay it, and its columns if somebody chose them. */
export type TableColumns = ChosenColumns | { accounts: BillAccounts; chosen?: ChosenColumns };

export type FileReading =
  | { ok: true; file: ReadFile }
  | {
      ok: false;
      problems: FileProblem[];
      mappingNeeded?: { headings: string[]; signature: string };
      /** For a list of bills: the suppliers whose accounts are needed, and the reading with them. */
      unpaid?: { suppliers: string[]; pay: (accounts: BillAccounts) => FileReading };
    };

/** Supplier name -> the accounts of the payees with that name: exactly one, unless no payee or several match. */
export type BillAccounts = Readonly<Record<string, readonly BankDetails[]>>;

type ReadingOptions = {
  /** The text was typed or pasted rather than uploaded. */
  isPasted?: boolean;
  /** Columns that the organisation chose earlier, by the signature of the headings. */
  known?: Readonly<Record<string, CsvMapping>>;
  /** The accounts for the suppliers of a list of bills. */
  accounts?: BillAccounts;
};

const ABA_START = /^0[ \d-]{17}/;

/**
 * Reads a payment file of any known format: direct entry, a table of payments, or a list of bills.
 */
export function readPaymentFile(text: string, options: ReadingOptions = {}): FileReading {
  const refused = findLineBeyondLimit(text) ?? findControlCharacter(text);
  if (refused) return { ok: false, problems: [refused] };
  if (ABA_START.test(text)) {
    const reading = readAba(text, MAX_LINES);
    if (!reading.ok) return reading;
    const { file } = reading;
    const lines = file.lines.filter(({ code }) => code !== DEBIT_CODE).map(toFileLine);
    return { ok: true, file: { format: "aba", lines, aba: file, problems: file.problems, columns: null } };
  }
  const format = options.isPasted ? "pasted" : "csv";
  const problems = collectProblems();
  const rows = readRows(text, problems);
  const bills = findBills(rows, options.known);
  if (bills) return readListOfBills(bills, { format, problems, accounts: options.accounts });
  const reading = readCsv(rows, problems, options.known);
  if (!reading.ok) return reading;
  const { lines, mapping, signature } = reading;
  const columns = signature === null ? null : { signature, mapping };
  return { ok: true, file: { format, lines, aba: null, problems: problems.list(), columns } };
}

/** How many lines of text are accepted, allowing for headings, blank lines and quoted line breaks. */
const MAX_TEXT_LINES = 3 * MAX_LINES;

/** Refuses a text of a million short lines before any of them is parsed. */
function findLineBeyondLimit(text: string): FileProblem | undefined {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    line++;
    if (line <= MAX_TEXT_LINES) continue;
    const most = `${formatCount(MAX_TEXT_LINES)} lines and ${formatCount(MAX_LINES)} payments`;
    return {
      line,
      level: "error",
      message: `Line ${line}: the file is longer than it may be. A payment file has ${most} at most.`,
    };
  }
  return undefined;
}

/** The end of the content, before trailing blanks, line endings and end-of-file marks. */
function endOfContent(text: string): number {
  let end = text.length;
  while (end > 0 && (text[end - 1] === END_OF_FILE || text[end - 1]?.trim() === "")) end--;
  return end;
}

function findControlCharacter(text: string): FileProblem | undefined {
  const { what, line, column } = findControl(text, endOfContent(text)) ?? {};
  if (line === undefined) return undefined;
  return { line, level: "error", message: `Line ${line}: ${what} in column ${column}. This is not a payment file.` };
}

const toFileLine = (line: AbaFile["lines"][number]): FileLine => ({
  line: line.line,
  accountName: line.title,
  bsb: line.bsb,
  accountNumber: line.accountNumber,
  amount: line.amount,
  reference: line.reference,
  newDetails: line.indicator === "N",
});
