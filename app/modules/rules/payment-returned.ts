import { formatDate, toIso } from "~/kernel/dates";
import type { Rule } from "./facts";

/** Warns where the payee's last payment came back: whatever was wrong with the account may be wrong still. */
export const paymentReturned: Rule = {
  id: "payment_returned",
  label: "The last payment to the payee came back",
  version: 1,
  defaultLevel: "warn",
  find({ payee, lastReturned, timeZone }) {
    if (!payee || !lastReturned) return undefined;
    const { id, returnedAt, reason } = lastReturned;
    const why = reason ? `: ${reason}` : "";
    return {
      message: `The last payment to ${payee.name} came back on ${formatDate(returnedAt, timeZone)}${why}.`,
      evidence: { payeeId: payee.id, paymentId: id, returnedAt: toIso(returnedAt), reason },
    };
  },
};
