/**
 * The positions of the fields in a direct entry (ABA, "Cemtex") record.
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
export const TOTAL = {
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
export const CREDIT_CODES: ReadonlySet<string> = new Set(["50", "51", "52", "53", "54", "55", "56", "57"]);

/** N: new or varied bank details. W, X, Y: kinds of withholding tax. */
export const INDICATORS = [" ", "N", "W", "X", "Y"] as const;
export type Indicator = (typeof INDICATORS)[number];

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
export type AbaHeader = {
  record: string;
  bsb: string;
  account: string;
  bank: string;
  userName: string;
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
