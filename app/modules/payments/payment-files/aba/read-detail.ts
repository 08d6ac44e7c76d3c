import { parseAccountNumber } from "~/kernel/account-number";
import { parseBsb } from "~/kernel/bsb";
import type { ProblemList } from "~/kernel/file-problem";
import { type AbaLine, CREDIT_CODES, DEBIT_CODE, DETAIL, fieldOf, INDICATORS } from "./record";

const BSB_FIELD = /^\d{3}-\d{3}$/;
const DIGITS = /^\d+$/;

type Detail = { line: number; record: string };

/** Reads one type 1 record of 120 columns; undefined when a field of it cannot be true, which is then an error. */
export function readDetail({ line, record }: Detail, problems: ProblemList): AbaLine | undefined {
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

/** Right-justified and blank-filled by the book; other alignments and hyphens are common and say the same number. */
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
  // Where the paying account is out of place, so is everything after the first character that took two columns.
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
