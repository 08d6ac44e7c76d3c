import { formatDateTime, toIso } from "~/kernel/dates";
import { formatAud } from "~/kernel/money";
import type { Rule } from "./facts";

/**
 * Holds what may have been paid already, in time that a restore of our database took away: the same account and amount were
 * recorded then, and nothing else is known of that payment any more.
 */
export const repeatedAfterRestore: Rule = {
  id: "repeated_after_restore",
  label: "The same account and amount, in time that was lost by restoring our database",
  version: 1,
  defaultLevel: "hold",
  /** Nobody chooses to pay twice what we have lost. */
  isFixed: true,
  floor: ({ lostPayment }) => (lostPayment ? "hold" : undefined),
  find({ lostPayment, account, amount, timeZone }) {
    if (!lostPayment) return undefined;
    return {
      message: `A payment of ${formatAud(amount)} to this account was recorded on ${formatDateTime(lostPayment.recordedAt, timeZone)}. We lost that record by restoring our database, so this may be the same payment: look whether ${account.accountName} was paid already.`,
      evidence: { paymentId: lostPayment.id, recordedAt: toIso(lostPayment.recordedAt), amount },
    };
  },
};
