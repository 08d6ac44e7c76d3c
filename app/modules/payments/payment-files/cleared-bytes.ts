import { formatBsb } from "~/kernel/bank-account";
import { MAX_AMOUNT_CENTS } from "~/kernel/money";
import { foldDiacritics } from "~/kernel/text";
import {
  type AbaFile,
  type AbaLine,
  type AbaTotals,
  DEBIT_CODE,
  DETAIL,
  HEADER,
  type Indicator,
  RECORD_WIDTH,
  TOTAL,
  totalsOf,
  widthOf,
  withField,
} from "./aba";
import { type FileLine, sumOf } from "./payment-file";
import type { PayerDetails } from "./settings.server";

const MAX_COUNT = 999_999;
const BLANK_RECORD = " ".repeat(RECORD_WIDTH - 1);
const NOT_ASCII = /[^\x20-\x7e]/g;

/**
 * Reduces text to characters that every bank accepts: one plain character for each; a question mark where there is no
 * plain form.
 */
export function toAscii(text: string): string {
  return text.replace(NOT_ASCII, (character) => {
    const plain = foldDiacritics(character);
    if (!/^[\x20-\x7e]$/.test(plain)) return "?";
    return character === character.toLowerCase() ? plain : plain.toUpperCase();
  });
}

type Columns = readonly [from: number, to: number];

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
type AbaPayer = {
  /** Three letters, such as CBA. */
  bank: string;
  userName: string;
  /** Up to six digits: the direct entry user id that the bank assigned. */
  userId: string;
  description: string;
  /** DDMMYY. */
  date: string;
};

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

/** One payment to be written as a type 1 record. */
export type AbaPayment = {
  bsb: string;
  accountNumber: string;
  indicator: Indicator;
  code: string;
  /** Integer cents. */
  amount: number;
  title: string;
  reference: string;
  /** The paying account, and its name. */
  trace: { bsb: string; accountNumber: string };
  remitter: string;
  withholding: number;
};

/**
 * Writes a type 1 record. Names and references longer than their field are cut; numbers that do not fit cause a
 * RangeError.
 */
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

/** Creates the bytes for the bank. Pure. */

const CREDIT_CODE = "50";

/** True if one direct entry file can carry these payments. */
export const canBeOneFile = (lines: readonly { amount: number }[]): boolean =>
  fitsOneFile(lines.map(({ amount }) => ({ amount, code: CREDIT_CODE })));

/**
 * A direct entry file with only the authorised lines: the header and payment records unchanged, a balancing debit for
 * the new total if the file had one, and a recalculated total record.
 */
export function clearAba(file: AbaFile, authorised: ReadonlySet<number>): string {
  const payments = file.lines.filter(({ line, code }) => code !== DEBIT_CODE && authorised.has(line));
  const total = sumOf(payments);
  const balancing = file.lines
    .filter(({ line }) => line === file.balancingLine)
    .map((line) => ({ ...line, amount: total, record: withAmount(line.record, total) }));
  return writeAba(file.header.record, [...payments, ...balancing], file.lineEnding);
}

/** A direct entry file made from the authorised lines of a table. */
export function clearTable(
  lines: readonly Omit<FileLine, "newDetails">[],
  { payer, date, description }: { payer: PayerDetails } & Pick<AbaPayer, "date" | "description">,
): string {
  const { bank, userName, userId, bsb, accountNumber, remitter } = payer;
  const details = lines.map(({ accountName, amount, reference, ...line }) => ({
    code: CREDIT_CODE,
    amount,
    record: writeDetail({
      bsb: line.bsb,
      accountNumber: line.accountNumber,
      indicator: " ",
      code: CREDIT_CODE,
      amount,
      title: accountName,
      reference,
      trace: { bsb, accountNumber },
      remitter,
      withholding: 0,
    }),
  }));
  return writeAba(writeHeader({ bank, userName, userId, description, date }), details);
}
