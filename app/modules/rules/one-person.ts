import { systemName } from "~/kernel/accounting-system";
import { formatDate, toIso } from "~/kernel/dates";
import type { Rule } from "./facts";

/**
 * Holds money for an account that came from an accounting system where nobody knows who entered it, when the person who
 * records the payment also trusted the payee: that person may have entered it there.
 */
export const onePerson: Rule = {
  id: "one_person",
  label: "One person alone stands behind an account from the accounting system",
  version: 1,
  defaultLevel: "hold",
  /** The organisation requires a second person: no level of a rule takes that back. */
  isFixed: true,
  floor: ({ accountingOrigin }) => (accountingOrigin?.isOnePerson ? "hold" : undefined),
  find({ payee, accountingOrigin, timeZone }) {
    if (!payee || !accountingOrigin?.isOnePerson) return undefined;
    const { system, cameAt } = accountingOrigin;
    return {
      message: `The bank details of ${payee.name} came from ${systemName(system)} on ${formatDate(cameAt, timeZone)}, and it is not known who entered them there. The person who recorded this payment also approved them, so another person has to approve the payment.`,
      evidence: { payeeId: payee.id, system, cameAt: toIso(cameAt) },
    };
  },
};
