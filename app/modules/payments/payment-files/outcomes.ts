import { accountKey } from "~/kernel/account-number";
import type { PaymentStatus } from "~/kernel/enums";
import { nameLines } from "~/kernel/file-problem";
import { capital } from "~/kernel/text";
import { referenceKey } from "~/modules/rules/reference-key";
import type { ReturnedPayment } from "./aba/read-returns";

/** Which outcome each cleared payment gets. Pure. */

export type LineOutcome = { status: "successful" | "failed"; reason: string | null };

/** Every payment gets one outcome, and the lines of `except` the other. */
export type BulkOutcome = { status: "successful" | "failed"; except: readonly number[]; reason: string | null };

export function outcomesOf(
  lines: readonly number[],
  { status, except, reason }: BulkOutcome,
): Map<number, LineOutcome> {
  const others = new Set(except);
  return new Map(
    lines.map((line) => {
      const own = others.has(line) === (status === "failed") ? "successful" : "failed";
      return [line, { status: own, reason: own === "failed" ? reason : null }];
    }),
  );
}

/**
 * What is wrong with the lines that are named as exceptions, in a sentence; undefined when nothing is. A wrong number would
 * give a payment that failed the outcome of one that was made.
 */
export function exceptionsProblem(
  payments: readonly { line: number; status: PaymentStatus }[],
  { status, except }: Pick<BulkOutcome, "status" | "except">,
): string | undefined {
  const statusOf = new Map(payments.map((payment) => [payment.line, payment.status]));
  const absent = except.filter((line) => !statusOf.has(line));
  if (absent.length > 0) {
    const are = absent.length === 1 ? "is" : "are";
    return `${capital(nameLines(absent))} ${are} not among the payments that were cleared. Count lines as in the file that you uploaded.`;
  }
  const ended = except.filter((line) => statusOf.get(line) === status);
  if (ended.length === 0) return undefined;
  return `${capital(nameLines(ended))} ${ended.length === 1 ? "has" : "have"} the outcome “${status}” already.`;
}

type Payment = { line: number; bsb: string; accountNumber: string; amount: number; reference: string | null };

const keyOf = (payment: Omit<Payment, "line">) =>
  `${accountKey(payment)} ${payment.amount} ${referenceKey(payment.reference ?? "")}`;

/**
 * The payments that a file of returns is about: the same account, amount and reference, each return one payment.
 * @returns the failures by line, and the returns that no payment of the file matches
 */
export function matchReturns(
  payments: readonly Payment[],
  returned: readonly ReturnedPayment[],
): { failed: Map<number, LineOutcome>; unmatched: ReturnedPayment[] } {
  const waiting = new Map<string, number[]>();
  for (const payment of payments) {
    const key = keyOf(payment);
    waiting.set(key, [...(waiting.get(key) ?? []), payment.line]);
  }
  const failed = new Map<number, LineOutcome>();
  const unmatched = returned.filter((each) => {
    const line = waiting.get(keyOf(each))?.shift();
    if (line !== undefined) failed.set(line, { status: "failed", reason: each.reason });
    return line === undefined;
  });
  return { failed, unmatched };
}
