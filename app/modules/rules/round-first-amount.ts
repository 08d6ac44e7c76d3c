import { formatAud } from "~/kernel/money";
import type { Rule } from "./facts";

/** Whole thousands of dollars, in cents. */
const ROUND_CENTS = 100_000;

/** Warns of a first payment of a round amount: invoices rarely come to whole thousands. */
export const roundFirstAmount: Rule = {
  id: "round_first_amount",
  label: "A first payment of a round amount",
  version: 1,
  defaultLevel: "warn",
  find({ payee, amount }) {
    if (!payee || payee.paymentCount > 0 || amount % ROUND_CENTS !== 0) return undefined;
    return {
      message: `No payment to ${payee.name} has been successful yet, and ${formatAud(amount)} is a round amount.`,
      evidence: { payeeId: payee.id, amount },
    };
  },
};
