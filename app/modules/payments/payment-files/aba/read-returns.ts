import { parseAccountNumber } from "~/kernel/account-number";
import { parseBsb } from "~/kernel/bsb";
import { collectProblems, type FileProblem } from "~/kernel/file-problem";
import { DETAIL, fieldOf, RECORD_WIDTH } from "./record";

/**
 * A file of returned direct entry payments: records of type 2, laid out as type 1, whose column 18 says why the payment
 * came back. Source: Australian Payments Network, Bulk Electronic Clearing System procedures, returned items.
 */
export type ReturnedPayment = {
  /** Line of the return file, from 1. */
  line: number;
  bsb: string;
  accountNumber: string;
  /** Integer cents. */
  amount: number;
  title: string;
  reference: string;
  /** Why, in a sentence. */
  reason: string;
};

const REASONS: Readonly<Record<string, string>> = {
  "1": "The BSB does not exist",
  "2": "The payment was stopped",
  "3": "The account is closed",
  "4": "The account holder has died",
  "5": "The account does not exist, or its number is wrong",
  "6": "The receiver's bank asks to be contacted",
  "7": "The payment was deleted",
  "8": "The direct entry user id is wrong",
  "9": "The payment is technically invalid",
};

type ReturnsReading = { ok: true; returned: ReturnedPayment[] } | { ok: false; problems: FileProblem[] };

/** Reads the returned payments of a file; its header and totals are not needed to know which payments came back. */
export function readReturns(text: string): ReturnsReading {
  const problems = collectProblems();
  const returned: ReturnedPayment[] = [];
  for (const [index, row] of text.split(/\r\n|\n|\r/).entries()) {
    const line = index + 1;
    if (!row.startsWith("2")) continue;
    const record = row.padEnd(RECORD_WIDTH);
    const bsb = parseBsb(fieldOf(record, DETAIL.bsb));
    const accountNumber = parseAccountNumber(fieldOf(record, DETAIL.account));
    const amount = Number(fieldOf(record, DETAIL.amount));
    const reason = REASONS[fieldOf(record, DETAIL.indicator)];
    if (!bsb || !accountNumber || !Number.isSafeInteger(amount) || amount <= 0) {
      problems.error(line, "the account or the amount of the returned payment cannot be read.");
    } else if (!reason) {
      problems.error(
        line,
        `the return code in column 18 is “${fieldOf(record, DETAIL.indicator)}”. It must be 1 to 9.`,
      );
    } else {
      const title = fieldOf(record, DETAIL.title).trim();
      const reference = fieldOf(record, DETAIL.reference).trim();
      returned.push({ line, bsb, accountNumber, amount, title, reference, reason });
    }
  }
  if (returned.length === 0 && !problems.hasErrors()) {
    problems.error(null, "The file has no returned payment (type 2) records.");
  }
  return problems.hasErrors() ? { ok: false, problems: problems.list() } : { ok: true, returned };
}
