import type { Rule } from "./facts";

/** Holds money for a payee whose email domain could be taken for its former one, another payee's or the organisation's own. */
export const lookalikeDomain: Rule = {
  id: "lookalike_domain",
  label: "The email domain looks like a known one, and is not",
  version: 1,
  defaultLevel: "hold",
  find({ payee, lookalikeDomain: found }) {
    if (!payee || !found) return undefined;
    return {
      message: `The email address of ${payee.name} is at ${found.domain}, which is easily taken for ${found.known}.`,
      evidence: { payeeId: payee.id, ...found },
    };
  },
};
