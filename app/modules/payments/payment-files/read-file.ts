import type { FileFormat } from "~/kernel/enums";
import { collectProblems, type FileProblem } from "~/kernel/file-problem";
import { type AbaFile, readAba } from "./aba/read-aba";
import { DEBIT_CODE } from "./aba/record";
import { type BillAccounts, payBills } from "./bills/bill-accounts";
import { findBills, readBills } from "./bills/read-bills";
import type { CsvMapping } from "./csv/columns";
import { readCsv } from "./csv/read-csv";
import { readRows } from "./csv/rows";
import { type FileLine, MAX_LINES } from "./payment-file";

/** What was uploaded or pasted, read. */
export type ReadFile = {
  format: FileFormat;
  /** The payments. A balancing debit is none. */
  lines: FileLine[];
  /** The direct entry file itself; null for a table. */
  aba: AbaFile | null;
  problems: FileProblem[];
  /** How a table was read, to be remembered; null where the text says it all. */
  columns: TableColumns | null;
};

/** The columns that were found or chosen for a table with these headings. */
type ChosenColumns = { signature: string; mapping: CsvMapping };

/** The columns of a table; or of a list of bills the accounts that it was paid to, and its columns where they were chosen. */
export type TableColumns = ChosenColumns | { accounts: BillAccounts; chosen?: ChosenColumns };

export type FileReading =
  | { ok: true; file: ReadFile }
  | {
      ok: false;
      problems: FileProblem[];
      mappingNeeded?: { headings: string[]; signature: string };
      /** A list of bills: the suppliers whose accounts are needed. */
      suppliers?: string[];
    };

export type ReadingOptions = {
  /** The text was typed or pasted, not a file. */
  isPasted?: boolean;
  /** Columns that the organisation chose before, by the signature of the headings. */
  known?: Readonly<Record<string, CsvMapping>>;
  /** Where the bills of a list are paid to. */
  accounts?: BillAccounts;
};

// Tab and line ends are text; an end-of-file mark may stand at the very end.
const CONTROL = /[^\P{Cc}\t\n\r]/u;
const END_OF_FILE = "\u001a";
const ABA_START = /^0[ \d-]{17}/;

/**
 * Reads a payment file of any known format: direct entry, a table of payments, or a list of bills.
 */
export function readPaymentFile(text: string, options: ReadingOptions = {}): FileReading {
  const refused = findLineBeyond(text) ?? findControlCharacter(text);
  if (refused) return { ok: false, problems: [refused] };
  if (ABA_START.test(text)) {
    const reading = readAba(text, MAX_LINES);
    if (!reading.ok) return reading;
    const { file } = reading;
    const lines = file.lines.filter(({ code }) => code !== DEBIT_CODE).map(toFileLine);
    return { ok: true, file: { format: "aba", lines, aba: file, problems: file.problems, columns: null } };
  }
  const format = options.isPasted ? "pasted" : "csv";
  const bills = readListOfBills(text, options);
  if (bills) return bills.ok ? { ok: true, file: { format, aba: null, ...bills.file } } : bills;
  const reading = readCsv(text, { maxLines: MAX_LINES, known: options.known });
  if (!reading.ok) return reading;
  const { lines, problems, mapping, signature } = reading;
  const columns = signature === null ? null : { signature, mapping };
  return { ok: true, file: { format, lines, aba: null, problems, columns } };
}

/** The headings of a table stand within so many characters. */
const MAX_HEADINGS = 20_000;

type BillsReading =
  | { ok: true; file: Pick<ReadFile, "lines" | "problems" | "columns"> }
  | Exclude<FileReading, { ok: true }>;

/** Undefined when the text is no list of bills, or a person chose the columns of accounts in it. */
function readListOfBills(text: string, { known = {}, accounts }: ReadingOptions): BillsReading | undefined {
  if (!findBills(readRows(text.slice(0, MAX_HEADINGS), collectProblems()), known)) return undefined;
  const problems = collectProblems();
  const table = findBills(readRows(text, problems), known);
  if (!table) return undefined;
  const bills = readBills(table, problems);
  const beyond = bills[MAX_LINES];
  if (beyond) problems.error(beyond.line, `the file has more than ${MAX_LINES.toLocaleString("en-AU")} bills.`);
  if (problems.hasErrors()) return { ok: false, problems: problems.list() };
  if (!accounts) return { ok: false, problems: problems.list(), suppliers: bills.map(({ supplier }) => supplier) };
  const lines = payBills(bills, accounts, problems);
  if (problems.hasErrors()) return { ok: false, problems: problems.list() };
  return { ok: true, file: { lines, problems: problems.list(), columns: { accounts, chosen: table.chosen } } };
}

/** Lines of a text that are looked at: headings, blank lines and quoted line breaks included. */
const MAX_TEXT_LINES = 3 * MAX_LINES;

/** A text of a million short lines is refused before any of them is taken apart. */
function findLineBeyond(text: string): FileProblem | undefined {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    line++;
    if (line <= MAX_TEXT_LINES) continue;
    const most = `${MAX_TEXT_LINES.toLocaleString("en-AU")} lines and ${MAX_LINES.toLocaleString("en-AU")} payments`;
    return { line, level: "error", message: `Line ${line}: the file goes on. A payment file has ${most} at most.` };
  }
  return undefined;
}

/** Where blanks, line ends and end-of-file marks begin that nothing follows. */
function endOfContent(text: string): number {
  let end = text.length;
  while (end > 0 && (text[end - 1] === END_OF_FILE || text[end - 1]?.trim() === "")) end--;
  return end;
}

function findControlCharacter(text: string): FileProblem | undefined {
  const body = text.slice(0, endOfContent(text));
  const found = CONTROL.exec(body);
  if (!found) return undefined;
  const before = body.slice(0, found.index).split(/\r\n|\n|\r/);
  const line = before.length;
  const column = (before.at(-1)?.length ?? 0) + 1;
  const what = found[0] === "\0" ? "a NUL character" : "a control character";
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
