import { formatAud } from "~/kernel/money";
import type { Rule } from "./facts";

/** Holds a large payment to a payee that has never been paid: until one has gone through, nothing shows that it arrives. */
export const firstPaymentLimit: Rule = {
  id: "first_payment_limit",
  label: "A first payment above the limit",
  version: 1,
  defaultLevel: "hold",
  find({ payee, amount, firstPaymentLimitCents }) {
    if (!payee || payee.paymentCount > 0 || amount <= firstPaymentLimitCents) return undefined;
    return {
      message: `No payment to ${payee.name} has been successful yet, and this one is above your limit of ${formatAud(firstPaymentLimitCents)} for a first payment.`,
      evidence: { payeeId: payee.id, amount, firstPaymentLimitCents },
    };
  },
};
