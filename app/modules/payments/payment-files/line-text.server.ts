import { type SQL, sql } from "drizzle-orm";
import type { FileLine } from "./payment-file";

/**
 * How new lines without reasons travel to the database: each as one text, with its values at fixed places. The database
 * needs more time to take nine values out of JSON than to write the row.
 */

type NewLine = Omit<FileLine, "newDetails"> & { payeeId: string | null };

/** Characters of the values at the beginning of the text: what is as long as its place first. */
const BSB = 6;
const PAYEE_ID = 36;
const ACCOUNT_NUMBER = 9;
const LINE = 8;
const AMOUNT = 16;

const ASCII = /^[\0-\x7f]*$/;
/** Characters as the database counts them. JavaScript counts those beyond U+FFFF twice. */
const lengthOf = (text: string): number => (ASCII.test(text) ? text.length : [...text].length);

/** @throws RangeError for a value that is longer than its place */
function placed(value: string | number, width: number): string {
  const text = String(value);
  if (text.length > width) throw new RangeError(`a value of a payment line has more than ${width} characters`);
  return text.padEnd(width);
}

/** Lines as texts, and the columns of `payment_file_lines` from `line` to `payeeId` in a text that is called `value`. */
export function toLineTexts(lines: readonly NewLine[]): { texts: string[]; columns: Record<"before" | "after", SQL> } {
  const names = lines.map(({ accountName }) => lengthOf(accountName));
  const widest = Math.max(...names);
  const texts = lines.map(({ line, accountName, bsb, accountNumber, amount, reference, payeeId }, index) => {
    const name = accountName + " ".repeat(widest - (names[index] ?? 0));
    const account = placed(bsb, BSB) + placed(payeeId ?? "", PAYEE_ID) + placed(accountNumber, ACCOUNT_NUMBER);
    return account + placed(line, LINE) + placed(amount, AMOUNT) + name + reference;
  });
  return { texts, columns: columnsOf(widest) };
}

function columnsOf(widest: number) {
  let from = 1;
  const place = (width: number) => {
    const text = `substr("value", ${from}, ${width})`;
    from += width;
    return text;
  };
  const bsb = place(BSB);
  const payeeId = `nullif(rtrim(${place(PAYEE_ID)}), '')`;
  const accountNumber = `rtrim(${place(ACCOUNT_NUMBER)})`;
  const line = `CAST(${place(LINE)} AS INTEGER)`;
  const amount = `CAST(${place(AMOUNT)} AS INTEGER)`;
  const name = sql`rtrim(substr("value", ${sql.raw(String(from))}, ${widest}))`;
  const reference = sql`substr("value", ${sql.raw(String(from))} + ${widest})`;
  return {
    before: sql.raw(line),
    after: sql.join([name, sql.raw([bsb, accountNumber, amount].join(", ")), reference, sql.raw(payeeId)], sql`, `),
  };
}
