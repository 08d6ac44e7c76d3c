import { formatDateTime, toIso } from "~/kernel/dates";
import type { Rule } from "./facts";

/** Holds money for a payee that said "These are not my details", until a decision clears the dispute. */
export const payeeDisputed: Rule = {
  id: "payee_disputed",
  label: "The payee said that these are not their details",
  version: 1,
  defaultLevel: "hold",
  decidedSingly: "always",
  find({ payee, timeZone }) {
    if (!payee || payee.disputedAt === null) return undefined;
    const on = formatDateTime(payee.disputedAt, timeZone);
    return {
      message: `${payee.name} told us on ${on} that these are not its bank details. Call it on a number you know.`,
      evidence: { payeeId: payee.id, disputedAt: toIso(payee.disputedAt) },
    };
  },
};
