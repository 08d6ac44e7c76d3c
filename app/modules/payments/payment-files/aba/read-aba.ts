import { collectProblems, type FileProblem, type ProblemList } from "~/kernel/file-problem";
import { formatAud } from "~/kernel/money";
import { readDetail } from "./read-detail";
import {
  type AbaHeader,
  type AbaLine,
  type AbaTotals,
  DEBIT_CODE,
  fieldOf,
  HEADER,
  RECORD_WIDTH,
  TOTAL,
  totalsOf,
} from "./record";

/** A direct entry file, read. */
export type AbaFile = {
  header: AbaHeader;
  /** Every type 1 record, in order. */
  lines: AbaLine[];
  /** Line of the debit that balances the file; null when the file does not balance itself. */
  balancingLine: number | null;
  totals: AbaTotals;
  /** What ends a line in the file; CRLF when there is only one line. */
  lineEnding: "\r\n" | "\n";
  problems: FileProblem[];
};

export type AbaReading = { ok: true; file: AbaFile } | { ok: false; problems: FileProblem[] };

type Row = { line: number; text: string };

/** A file that ends here has lost its blank filler, not its content: the last field of type 0 and 7. */
const SHORTEST_TRIMMED = 80;
/** The last field of a type 1 that can be blank is the withholding tax. */
const SHORTEST_DETAIL = 112;
const END_OF_FILE = "\u001a";

/**
 * Reads a direct entry file. Tolerant of what banks and accounting systems produce (trimmed records, LF, a blank reel, the
 * payer's account in the header, a self-balancing debit); exact about positions, counts and totals.
 *
 * @param maxLines how many type 1 records are read at most
 * @returns the file with its warnings, or the problems that refuse it, each with its line
 */
export function readAba(text: string, maxLines: number): AbaReading {
  const problems = collectProblems();
  const rows = splitRows(text);
  const records = rows.flatMap((row) => toRecord(row, problems));
  requireOrder(rows, problems);
  const details = records.filter(({ text: record }) => record[0] === "1");
  const beyond = details[maxLines];
  if (beyond) problems.error(beyond.line, `the file has more than ${maxLines.toLocaleString("en-AU")} payments.`);
  const header = records.find(({ text: record }) => record[0] === "0");
  const total = records.find(({ text: record }) => record[0] === "7");
  if (beyond || !header || !total) return { ok: false, problems: problems.list() };
  const lines = details.flatMap(({ line, text: record }) => readDetail({ line, record }, problems) ?? []);
  const detailCount = rows.filter(({ text: row }) => row[0] === "1").length;
  if (detailCount === 0) problems.error(null, "The file has no payment (type 1) records.");
  // With a record that could not be read the sums would be wrong for that reason alone.
  if (lines.length === detailCount) compareTotals(total, lines, problems);
  const balancingLine = findBalancingLine(lines, problems);
  if (problems.hasErrors()) return { ok: false, problems: problems.list() };
  const file = { header: readHeader(header.text), lines, balancingLine, totals: totalsOf(lines) };
  const lineEnding = text.includes("\r\n") || !text.includes("\n") ? "\r\n" : "\n";
  return { ok: true, file: { ...file, lineEnding, problems: problems.list() } };
}

/** The lines of the text without what ends them; blank lines at the end are no lines, and end-of-file marks no text. */
function splitRows(text: string): Row[] {
  const lines = text.replaceAll(END_OF_FILE, "").split(/\r\n|\n|\r/);
  const rows = lines.map((row, index) => ({ line: index + 1, text: row }));
  while (rows.length > 0 && rows.at(-1)?.text.trim() === "") rows.pop();
  return rows;
}

/** The row as a record of 120 columns: blank filler that was cut off is put back, blanks beyond are cut. */
function toRecord({ line, text }: Row, problems: ProblemList): Row[] {
  const type = text[0] ?? "";
  if (!"017".includes(type) || type === "") {
    problems.error(line, type === "" ? "the line is empty." : `a record begins with 0, 1 or 7, not with “${type}”.`);
    return [];
  }
  const content = text.trimEnd().length;
  const isWhole = text.length === RECORD_WIDTH;
  const isLong = text.length > RECORD_WIDTH && content <= RECORD_WIDTH;
  const isTrimmed = text.length < RECORD_WIDTH && text.length >= (type === "1" ? SHORTEST_DETAIL : SHORTEST_TRIMMED);
  if (!isWhole && !isLong && !isTrimmed) {
    problems.error(line, `the record has ${text.length} columns. It must have ${RECORD_WIDTH}.`);
    return [];
  }
  if (!isWhole) problems.warn(line, `the record has ${text.length} columns instead of ${RECORD_WIDTH}.`);
  return [{ line, text: text.slice(0, RECORD_WIDTH).padEnd(RECORD_WIDTH) }];
}

/** One type 0 first, one type 7 last, and nothing but type 1 between. */
function requireOrder(rows: readonly Row[], problems: ProblemList): void {
  const typeOf = (row: Row | undefined) => row?.text[0];
  const [first] = rows;
  if (!first) problems.error(null, "The file is empty.");
  if (first && typeOf(first) !== "0") problems.error(first.line, "the file must begin with a header record (type 0).");
  for (const row of rows.slice(1)) {
    if (typeOf(row) === "0") problems.error(row.line, "a second header record (type 0). A file has one.");
  }
  const total = rows.findIndex((row) => typeOf(row) === "7");
  const last = rows.at(-1);
  if (total === -1 && last) {
    problems.error(last.line, "the file ends here without a total record (type 7). It is not complete.");
  } else if (total !== -1 && total < rows.length - 1) {
    problems.error(rows[total + 1]?.line ?? null, "the file goes on after its total record (type 7).");
  }
}

function readHeader(record: string): AbaHeader {
  const read = (columns: (typeof HEADER)[keyof typeof HEADER]) => fieldOf(record, columns).trim();
  return {
    record,
    bsb: read(HEADER.bsb),
    account: read(HEADER.account),
    bank: read(HEADER.bank),
    userName: read(HEADER.userName),
    userId: read(HEADER.userId),
    description: read(HEADER.description),
    date: read(HEADER.date),
  };
}

function compareTotals({ line, text }: Row, lines: readonly AbaLine[], problems: ProblemList): void {
  const counted = totalsOf(lines);
  const read = (name: keyof AbaTotals) => {
    const digits = fieldOf(text, TOTAL[name]).trim();
    return digits === "" ? 0 : /^\d+$/.test(digits) ? Number(digits) : undefined;
  };
  const names = { net: "net total", credit: "credit total", debit: "debit total" } as const;
  for (const [name, label] of Object.entries(names) as [keyof typeof names, string][]) {
    const said = read(name);
    if (said === counted[name]) continue;
    const text = said === undefined ? "is not a number" : `is ${formatAud(said)}`;
    problems.error(line, `the ${label} ${text}, and the payments add up to ${formatAud(counted[name])}.`);
  }
  const count = read("count");
  if (count !== counted.count) {
    const said = count === undefined ? "is not a number" : `is ${count}`;
    problems.error(line, `the number of payments ${said}, and the file has ${counted.count}.`);
  }
  if (fieldOf(text, TOTAL.bsb) !== "999-999")
    problems.warn(line, "columns 2 to 8 of the total record are not 999-999.");
}

/** A file of payments has no debit, or one for the whole amount. Anything else collects money, which is not checked here. */
function findBalancingLine(lines: readonly AbaLine[], problems: ProblemList): number | null {
  const debits = lines.filter(({ code }) => code === DEBIT_CODE);
  const [debit, another] = debits;
  if (!debit) return null;
  const { credit } = totalsOf(lines);
  if (another)
    problems.error(another.line, "a second debit (code 13). Only one debit for the whole amount is allowed.");
  else if (debit.amount !== credit) {
    problems.error(
      debit.line,
      `a debit (code 13) of ${formatAud(debit.amount)}. Only a debit for the whole amount of ${formatAud(credit)} is allowed.`,
    );
  }
  return debit.line;
}
