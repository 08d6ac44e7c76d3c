import { formatBsb, parseAccountNumber, parseBsb } from "~/kernel/bank-account";
import { collectProblems, type FileProblem, type ProblemList } from "~/kernel/file-problem";
import { formatAud, MAX_AMOUNT_CENTS } from "~/kernel/money";
import type { Account } from "~/kernel/payee";
import { END_OF_FILE, foldDiacritics, formatCount } from "~/kernel/text";

/*
 * A direct entry (ABA, "Cemtex") file: the positions of the fields in its records, reading and writing it. Pure.
 *
 * Every record has 120 columns, numbered from 1 as the banks' documents number them. Source: Australian Payments
 * Network, Bulk Electronic Clearing System procedures, and the file formats that ANZ, CommBank, NAB and Westpac
 * publish.
 */

export const RECORD_WIDTH = 120;

/** Inclusive columns, from 1. */
type Columns = readonly [from: number, to: number];

/** Type 0, the descriptive record: who pays. Some banks put the paying account where others have blanks. */
export const HEADER = {
  bsb: [2, 8],
  account: [9, 17],
  reel: [19, 20],
  bank: [21, 23],
  userName: [31, 56],
  userId: [57, 62],
  description: [63, 74],
  date: [75, 80],
} as const satisfies Record<string, Columns>;

/** Type 1, the detail record: one payment. */
export const DETAIL = {
  bsb: [2, 8],
  account: [9, 17],
  indicator: [18, 18],
  code: [19, 20],
  amount: [21, 30],
  title: [31, 62],
  reference: [63, 80],
  traceBsb: [81, 87],
  traceAccount: [88, 96],
  remitter: [97, 112],
  withholding: [113, 120],
} as const satisfies Record<string, Columns>;

/** Type 7, the file total record. */
const TOTAL = {
  bsb: [2, 8],
  net: [21, 30],
  credit: [31, 40],
  debit: [41, 50],
  count: [75, 80],
} as const satisfies Record<string, Columns>;

/** How many characters a field can hold. */
export const widthOf = ([from, to]: Columns): number => to - from + 1;

/** The characters of a field, unchanged. */
export const fieldOf = (record: string, [from, to]: Columns): string => record.slice(from - 1, to);

/** The record with one field replaced; the text must have the field's width. */
export function withField(record: string, columns: Columns, text: string): string {
  if (text.length !== widthOf(columns)) throw new RangeError(`a field of ${widthOf(columns)} was given ${text.length}`);
  return record.slice(0, columns[0] - 1) + text + record.slice(columns[1]);
}

/** The code of a debit: the line that balances the file debits the payer with the whole amount. */
export const DEBIT_CODE = "13";

/** Codes of credits: 50 is general, 51 to 57 are kinds such as pay (53) and dividend (56). */
const CREDIT_CODES: ReadonlySet<string> = new Set(["50", "51", "52", "53", "54", "55", "56", "57"]);

/** N: new or varied bank details. W, X, Y: kinds of withholding tax. */
const INDICATORS = [" ", "N", "W", "X", "Y"] as const;
type Indicator = (typeof INDICATORS)[number];

/** A type 1 record that was read. */
export type AbaLine = {
  /** Line number in the text, from 1. */
  line: number;
  /** The whole record, 120 columns. */
  record: string;
  /** Six digits. */
  bsb: string;
  /** 4 to 9 digits, leading zeros kept. */
  accountNumber: string;
  indicator: Indicator;
  code: string;
  /** Integer cents, above 0. */
  amount: number;
  title: string;
  reference: string;
  remitter: string;
  /** Integer cents. */
  withholding: number;
};

/** The type 0 record that was read. Blank fields are empty strings. */
type AbaHeader = {
  record: string;
  bsb: string;
  account: string;
  /** Three letters, such as CBA. */
  bank: string;
  userName: string;
  /** Up to six digits: the direct entry user id that the bank assigned. */
  userId: string;
  description: string;
  /** DDMMYY. */
  date: string;
};

/** Integer cents, and the number of type 1 records. */
export type AbaTotals = { net: number; credit: number; debit: number; count: number };

/** The totals as a type 7 record states them: net is the difference between credits and debits. */
export function totalsOf(lines: readonly Pick<AbaLine, "code" | "amount">[]): AbaTotals {
  let credit = 0;
  let debit = 0;
  for (const { code, amount } of lines) {
    if (code === DEBIT_CODE) debit += amount;
    else credit += amount;
  }
  return { net: Math.abs(credit - debit), credit, debit, count: lines.length };
}

const BSB_FIELD = /^\d{3}-\d{3}$/;
const DIGITS = /^\d+$/;

type Detail = { line: number; record: string };

/** Reads one type 1 record of 120 columns; undefined when a field is invalid, which is reported as a problem. */
function readDetail({ line, record }: Detail, problems: ProblemList): AbaLine | undefined {
  const bsb = readBsb({ line, record }, problems);
  const accountNumber = readAccount({ line, record }, problems);
  const amount = readAmount({ line, record }, problems);
  const code = fieldOf(record, DETAIL.code);
  if (code !== DEBIT_CODE && !CREDIT_CODES.has(code)) {
    problems.error(line, `the transaction code in columns 19 to 20 is “${code}”. It must be 13 or 50 to 57.`);
  }
  const indicator = INDICATORS.find((known) => known === fieldOf(record, DETAIL.indicator));
  if (indicator === undefined) {
    const found = fieldOf(record, DETAIL.indicator);
    problems.error(line, `the indicator in column 18 is “${found}”. It must be blank, N, W, X or Y.`);
  }
  const title = fieldOf(record, DETAIL.title).trim();
  if (title === "") problems.error(line, "the account title in columns 31 to 62 is blank.");
  if (!bsb || !accountNumber || amount === undefined || indicator === undefined || title === "") return undefined;
  return { line, record, bsb, accountNumber, indicator, code, amount, title, ...readRest({ line, record }, problems) };
}

function readBsb({ line, record }: Detail, problems: ProblemList): string | undefined {
  const text = fieldOf(record, DETAIL.bsb);
  const bsb = BSB_FIELD.test(text) ? parseBsb(text) : undefined;
  if (!bsb) problems.error(line, `the BSB in columns 2 to 8 is “${text}”. It must look like 062-000.`);
  return bsb;
}

/** The specification asks for right-justified and blank-filled; others are common and mean the same number. */
function readAccount({ line, record }: Detail, problems: ProblemList): string | undefined {
  const text = fieldOf(record, DETAIL.account);
  const accountNumber = parseAccountNumber(text);
  if (!accountNumber) {
    problems.error(line, `the account number in columns 9 to 17 is “${text.trim()}”. It must have 4 to 9 digits.`);
  } else if (text !== accountNumber.padStart(text.length)) {
    problems.warn(line, "the account number is not right-justified in columns 9 to 17. It is read without blanks.");
  }
  return accountNumber;
}

function readAmount({ line, record }: Detail, problems: ProblemList): number | undefined {
  const text = fieldOf(record, DETAIL.amount);
  const amount = DIGITS.test(text) ? Number(text) : 0;
  if (amount > 0) return amount;
  problems.error(
    line,
    DIGITS.test(text)
      ? "the amount in columns 21 to 30 is nil."
      : `the amount in columns 21 to 30 is “${text}”. It must be cents in ten digits.`,
  );
  return undefined;
}

function readRest({ line, record }: Detail, problems: ProblemList) {
  const tax = fieldOf(record, DETAIL.withholding);
  const isBlank = tax.trim() === "";
  if (!isBlank && !DIGITS.test(tax)) {
    problems.error(line, `the withholding tax in columns 113 to 120 is “${tax}”. It must be cents in eight digits.`);
  }
  const trace = fieldOf(record, DETAIL.traceBsb);
  // If the paying account is out of place, a character that took two columns has shifted everything after it.
  if (trace.trim() !== "" && !BSB_FIELD.test(trace)) {
    problems.error(line, `the trace BSB in columns 81 to 87 is “${trace}”. It must look like 062-000.`);
  }
  const reference = fieldOf(record, DETAIL.reference).trim();
  if (reference === "") problems.warn(line, "the lodgement reference in columns 63 to 80 is blank.");
  return {
    reference,
    remitter: fieldOf(record, DETAIL.remitter).trim(),
    withholding: DIGITS.test(tax) ? Number(tax) : 0,
  };
}

export type AbaFile = {
  header: AbaHeader;
  /** The type 1 records, in order. */
  lines: AbaLine[];
  /** Line of the debit that balances the file; null when the file has no balancing debit. */
  balancingLine: number | null;
  totals: AbaTotals;
  /** The line ending of the file; CRLF when there is only one line. */
  lineEnding: "\r\n" | "\n";
  problems: FileProblem[];
};

type AbaReading = { ok: true; file: AbaFile } | { ok: false; problems: FileProblem[] };

type Row = { line: number; text: string };

/** A type 0 or type 7 record of at least this length has lost only the blank filler of its last field. */
const SHORTEST_TRIMMED = 80;
/** In a type 1 record, the last field that may be blank is the withholding tax. */
const SHORTEST_DETAIL = 112;

/**
 * Reads a direct entry file. It tolerates what banks and accounting systems produce (trimmed records, LF, a blank reel,
 * the payer's account in the header, a self-balancing debit); it is strict about positions, counts and totals.
 *
 * @param maxLines how many type 1 records are read at most
 * @returns the file with its warnings, or the problems for which it is refused, each with its line
 */
export function readAba(text: string, maxLines: number): AbaReading {
  const problems = collectProblems();
  const rows = splitRows(text);
  const records = rows.flatMap((row) => toRecord(row, problems));
  requireOrder(rows, problems);
  const details = records.filter(({ text: record }) => record[0] === "1");
  const beyond = details[maxLines];
  if (beyond) problems.error(beyond.line, `the file has more than ${formatCount(maxLines)} payments.`);
  const header = records.find(({ text: record }) => record[0] === "0");
  const total = records.find(({ text: record }) => record[0] === "7");
  if (beyond || !header || !total) return { ok: false, problems: problems.list() };
  const lines = details.flatMap(({ line, text: record }) => readDetail({ line, record }, problems) ?? []);
  const detailCount = rows.filter(({ text: row }) => row[0] === "1").length;
  if (detailCount === 0) problems.error(null, "The file has no payment (type 1) records.");
  // If a record could not be read, the totals would differ for that reason alone.
  if (lines.length === detailCount) compareTotals(total, lines, problems);
  const lacking = lackingSentence(readHeader(header.text));
  if (lacking) problems.warn(header.line, `${lacking} Banks refuse such a file, so it cannot be cleared as it is.`);
  const balancingLine = findBalancingLine(lines, problems);
  if (problems.hasErrors()) return { ok: false, problems: problems.list() };
  const file = { header: readHeader(header.text), lines, balancingLine, totals: totalsOf(lines) };
  const lineEnding = text.includes("\r\n") || !text.includes("\n") ? "\r\n" : "\n";
  return { ok: true, file: { ...file, lineEnding, problems: problems.list() } };
}

/** Splits the text into lines without their endings. Blank lines at the end and end-of-file marks are dropped. */
function splitRows(text: string): Row[] {
  const lines = text.replaceAll(END_OF_FILE, "").split(/\r\n|\n|\r/);
  const rows = lines.map((row, index) => ({ line: index + 1, text: row }));
  while (rows.length > 0 && rows.at(-1)?.text.trim() === "") rows.pop();
  return rows;
}

/** The row as a record of 120 columns: missing blank filler is added, extra blanks are cut. */
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

/** Checks the order: one type 0 first, one type 7 last, and only type 1 between. */
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
    problems.error(rows[total + 1]?.line ?? null, "the file continues after its total record (type 7).");
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

/** Names the fields that a bank requires and the header leaves blank, in a sentence; undefined when both are filled. */
export function lackingSentence({ bank, userId }: AbaHeader): string | undefined {
  const blank = [
    ...(bank === "" ? ["the bank in columns 21 to 23"] : []),
    ...(userId === "" ? ["the user number in columns 57 to 62"] : []),
  ];
  return blank.length === 0 ? undefined : `the header leaves ${blank.join(" and ")} blank.`;
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

/** A file of payments has no debit, or one for the whole amount. Anything else collects money: not checked here. */
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

const MAX_COUNT = 999_999;
const BLANK_RECORD = " ".repeat(RECORD_WIDTH - 1);
const NOT_ASCII = /[^\x20-\x7e]/g;

/** Reduces text to characters that every bank accepts; a question mark where there is no plain form. */
export function toAscii(text: string): string {
  return text.replace(NOT_ASCII, (character) => {
    const plain = foldDiacritics(character);
    if (!/^[\x20-\x7e]$/.test(plain)) return "?";
    return character === character.toLowerCase() ? plain : plain.toUpperCase();
  });
}

const left = (text: string, columns: Columns) => toAscii(text).slice(0, widthOf(columns)).padEnd(widthOf(columns));

function right(text: string, columns: Columns): string {
  if (text.length > widthOf(columns)) throw new RangeError(`“${text}” does not fit in ${widthOf(columns)} columns`);
  return text.padStart(widthOf(columns));
}

function digits(value: number, columns: Columns): string {
  const text = String(value).padStart(widthOf(columns), "0");
  if (!Number.isSafeInteger(value) || value < 0 || text.length > widthOf(columns)) {
    throw new RangeError(`${value} does not fit in ${widthOf(columns)} digits`);
  }
  return text;
}

const put = (record: string, fields: readonly (readonly [Columns, string])[]) =>
  fields.reduce((written, [columns, text]) => withField(written, columns, text), record);

/** The payer's details for a file that has no header of its own. */
export type AbaPayer = Pick<AbaHeader, "bank" | "userName" | "userId" | "description" | "date">;

/** Writes a type 0 record. Text longer than its field is cut. */
export function writeHeader({ bank, userName, userId, description, date }: AbaPayer): string {
  return put(`0${BLANK_RECORD}`, [
    [HEADER.reel, "01"],
    [HEADER.bank, left(bank.toUpperCase(), HEADER.bank)],
    [HEADER.userName, left(userName, HEADER.userName)],
    [HEADER.userId, userId.padStart(widthOf(HEADER.userId), "0").slice(-widthOf(HEADER.userId))],
    [HEADER.description, left(description, HEADER.description)],
    [HEADER.date, left(date, HEADER.date)],
  ]);
}

/** One payment to be written as a type 1 record. `trace`: the paying account; `remitter`: its name. */
export type AbaPayment = Omit<AbaLine, "line" | "record"> & { trace: Account };

/** Writes a type 1 record. Names and references are cut to their field; numbers that do not fit: RangeError. */
export function writeDetail(payment: AbaPayment): string {
  return put(`1${BLANK_RECORD}`, [
    [DETAIL.bsb, right(formatBsb(payment.bsb), DETAIL.bsb)],
    [DETAIL.account, right(payment.accountNumber, DETAIL.account)],
    [DETAIL.indicator, payment.indicator],
    [DETAIL.code, right(payment.code, DETAIL.code)],
    [DETAIL.amount, digits(payment.amount, DETAIL.amount)],
    [DETAIL.title, left(payment.title, DETAIL.title)],
    [DETAIL.reference, left(payment.reference, DETAIL.reference)],
    [DETAIL.traceBsb, right(formatBsb(payment.trace.bsb), DETAIL.traceBsb)],
    [DETAIL.traceAccount, right(payment.trace.accountNumber, DETAIL.traceAccount)],
    [DETAIL.remitter, left(payment.remitter, DETAIL.remitter)],
    [DETAIL.withholding, digits(payment.withholding, DETAIL.withholding)],
  ]);
}

/** The type 1 record with a different amount, for the debit of a self-balancing file. */
export const withAmount = (record: string, cents: number): string =>
  withField(record, DETAIL.amount, digits(cents, DETAIL.amount));

function writeTotal({ net, credit, debit, count }: AbaTotals): string {
  return put(`7${BLANK_RECORD}`, [
    [TOTAL.bsb, "999-999"],
    [TOTAL.net, digits(net, TOTAL.net)],
    [TOTAL.credit, digits(credit, TOTAL.credit)],
    [TOTAL.debit, digits(debit, TOTAL.debit)],
    [TOTAL.count, digits(count, TOTAL.count)],
  ]);
}

/** True if the payments fit into one file: ten digits of total cents, six digits of lines. */
export function fitsOneFile(lines: readonly Pick<AbaLine, "code" | "amount">[]): boolean {
  const { credit, debit, count } = totalsOf(lines);
  return Math.max(credit, debit) <= MAX_AMOUNT_CENTS && count <= MAX_COUNT;
}

type Written = Pick<AbaLine, "record" | "code" | "amount">;

/**
 * Writes a whole file: the header, the payment records unchanged, in ASCII, and a recalculated total record. Every line
 * is terminated, including the last.
 *
 * @throws RangeError when the totals do not fit their fields (`fitsOneFile`)
 */
export function writeAba(header: string, lines: readonly Written[], lineEnding: "\r\n" | "\n" = "\r\n"): string {
  const records = [header, ...lines.map(({ record }) => record)].map(toAscii);
  return [...records, writeTotal(totalsOf(lines)), ""].join(lineEnding);
}
