import { formatDate, toIso } from "~/kernel/dates";
import { formatAud } from "~/kernel/money";
import { paymentStanding } from "~/kernel/payment-sentences";
import type { Rule } from "./facts";

/**
 * A payment with the same payee, amount and reference (`referenceKey`) within this many days is treated as the same
 * invoice paid twice.
 */
export const DUPLICATE_DAYS = 30;

/**
 * Holds what looks like a second payment of one invoice. A payment that the bank returned does not count, because
 * paying it again is the normal next step. A rejected payment does count, because entering it again would get round the
 * rejection.
 */
export const duplicatePayment: Rule = {
  id: "duplicate_payment",
  label: "The same payee, amount and reference within 30 days",
  version: 1,
  defaultLevel: "hold",
  find({ payee, duplicate, earlierLine, amount, reference, timeZone }) {
    if (earlierLine) {
      return {
        message: `Line ${earlierLine} of this file pays the same account ${formatAud(amount)} with the reference ${reference}.`,
        evidence: { line: earlierLine },
      };
    }
    if (!payee || !duplicate) return undefined;
    const on = formatDate(duplicate.createdAt, timeZone);
    return {
      message: `A payment of ${formatAud(amount)} to ${payee.name} with the reference ${duplicate.reference ?? reference} was recorded on ${on} and ${paymentStanding(duplicate.status)}.`,
      evidence: { paymentId: duplicate.id, status: duplicate.status, recordedAt: toIso(duplicate.createdAt) },
    };
  },
};

const LEADING_ZEROS = /(?<!\p{Nd})0+(?=\p{Nd})/gu;
const NOT_LETTER_OR_DIGIT = /[^\p{L}\p{N}]+/gu;

/**
 * Normalises a reference for comparing duplicates: ignores case, blanks, punctuation, and the leading zeros of numbers.
 * `INV-00123`, `inv 123` and `Inv.123` give the same key. Pure and idempotent.
 *
 * A reference of punctuation alone gives an empty string.
 */
export function referenceKey(reference: string): string {
  return reference.normalize("NFKC").toLowerCase().replace(LEADING_ZEROS, "").replace(NOT_LETTER_OR_DIGIT, "");
}
