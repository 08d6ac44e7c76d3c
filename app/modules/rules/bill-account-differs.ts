import { systemName } from "~/kernel/accounting-system";
import { formatBsb } from "~/kernel/bsb";
import type { Rule } from "./facts";

/**
 * Holds money for a bill of another supplier: the number is of a bill that was approved for a supplier with another account,
 * and the amount or the name is that bill's too.
 */
export const billAccountDiffers: Rule = {
  id: "bill_account_differs",
  label: "The approved bill is of a supplier with another account",
  version: 1,
  defaultLevel: "hold",
  find({ bills, account }) {
    const named = bills?.named ?? [];
    const [bill] = named.filter(({ isOwn, bsb }) => !isOwn && bsb !== null);
    if (!bill || named.some(({ isOwn }) => isOwn)) return undefined;
    const { system, number, supplier, bsb, maskedAccountNumber } = bill;
    return {
      message: `Bill ${number} in ${systemName(system)} is of ${supplier}, which has the account ${formatBsb(bsb ?? "")} ${maskedAccountNumber} there. This payment goes to another account, in the name of ${account.accountName}.`,
      evidence: { system, number, supplier, bsb, maskedAccountNumber },
    };
  },
};
