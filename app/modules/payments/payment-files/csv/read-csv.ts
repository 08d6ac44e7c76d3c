import { parseAccountNumber } from "~/kernel/account-number";
import { parseBsb } from "~/kernel/bsb";
import { collectProblems, type FileProblem, type ProblemList } from "~/kernel/file-problem";
import { MAX_AMOUNT_CENTS, parseAud } from "~/kernel/money";
import { cleanLine } from "~/kernel/text";
import type { FileLine } from "../payment-file";
import { CSV_FIELDS, type CsvMapping, mapByContent, mapByHeadings, signatureOf } from "./columns";
import { type Row, readRows, withoutMark } from "./rows";

export type CsvReading =
  | { ok: true; lines: FileLine[]; problems: FileProblem[]; mapping: CsvMapping; signature: string | null }
  | { ok: false; problems: FileProblem[]; mappingNeeded?: { headings: string[]; signature: string } };

const MAX_NAME = 140;

/**
 * Reads a table of payments: CSV, or lines pasted from a spreadsheet. Comma, semicolon and tab are recognised; headings
 * are recognised by the names that accounting systems give them, and a table without headings by what its columns hold.
 *
 * @param known the columns that the organisation chose for tables with these headings, by their signature
 * @returns the payments, the problems that refuse the table, or the headings of which somebody must choose
 */
export function readCsv(
  text: string,
  { maxLines, known = {} }: { maxLines: number; known?: Readonly<Record<string, CsvMapping>> },
): CsvReading {
  const problems = collectProblems();
  const rows = withoutMark(readRows(text, problems));
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
  const beyond = payments[maxLines];
  if (beyond) problems.error(beyond.line, `the file has more than ${maxLines.toLocaleString("en-AU")} payments.`);
  if (payments.length === 0) problems.error(null, "The file has headings and no payments.");
  const lines = beyond ? [] : payments.flatMap((row) => readRow(row, mapping, problems) ?? []);
  const found = problems.list();
  return problems.hasErrors()
    ? { ok: false, problems: found }
    : { ok: true, lines, problems: found, mapping, signature };
}

function findColumns(first: Row, second: Row | undefined, known: Readonly<Record<string, CsvMapping>>) {
  const signature = signatureOf(first.cells);
  const chosen = known[signature];
  if (chosen && CSV_FIELDS.every((field) => chosen[field] < first.cells.length)) return { mapping: chosen, signature };
  const byHeadings = mapByHeadings(first.cells);
  if (byHeadings) return { mapping: byHeadings, signature };
  const byContent = mapByContent(first.cells);
  if (byContent) return { mapping: byContent, signature: null };
  // Headings that say nothing, over rows that speak for themselves, are still headings.
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
  return { line, accountName, bsb, accountNumber, amount, reference, newDetails: false };
}

/** A spreadsheet takes 062000 for a number and drops the zero. */
const padBsb = (text: string) => (/^\d{5}$/.test(text) ? `0${text}` : text);
