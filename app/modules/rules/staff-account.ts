import type { Rule } from "./facts";

/** Holds a payment to an account that belongs to one of the organisation's own staff. */
export const staffAccount: Rule = {
  id: "staff_account",
  label: "The account is one of your staff's",
  version: 1,
  defaultLevel: "hold",
  find({ isStaffAccount, account }) {
    if (!isStaffAccount) return undefined;
    return {
      message: `The account given for ${account.accountName} is one that you pay your staff to.`,
      evidence: { accountName: account.accountName },
    };
  },
};
