import { formatAud } from "~/kernel/money";
import type { Rule } from "./facts";

/** How many of the payee's successful payments are looked back on. */
export const RECENT_PAYMENTS = 10;
/** More than this many times the largest of them is unusual. */
const UNUSUAL_FACTOR = 3;

/** Warns of an amount far above what the payee usually gets. */
export const unusualAmount: Rule = {
  id: "unusual_amount",
  label: "Far more than the payee usually gets",
  version: 1,
  defaultLevel: "warn",
  find({ payee, amount }) {
    const largest = payee?.largestRecentAmount ?? null;
    if (!payee || largest === null || amount <= largest * UNUSUAL_FACTOR) return undefined;
    return {
      message: `This amount is more than ${UNUSUAL_FACTOR} times the largest of the last successful payments to ${payee.name}, which was ${formatAud(largest)}.`,
      evidence: { payeeId: payee.id, amount, largestRecentAmount: largest },
    };
  },
};
