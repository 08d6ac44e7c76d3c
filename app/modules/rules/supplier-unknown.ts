import type { PaymentFacts, Rule } from "./facts";

/** A bill of a list whose supplier is not exactly one payee has no account that it could be paid to. */
export const hasNoAccount = ({ account }: Pick<PaymentFacts, "account">): boolean => account.bsb === "";

/** Holds a bill that has no account. Nothing can approve it, so no organisation chooses its level. */
export const supplierUnknown: Rule = {
  id: "supplier_unknown",
  label: "The supplier is not one of your payees",
  version: 1,
  defaultLevel: "hold",
  isFixed: true,
  find(facts) {
    if (!hasNoAccount(facts)) return undefined;
    const { accountName } = facts.account;
    return {
      message: `“${accountName}” is not the name of exactly one payee, so this bill has no account to be paid to. Add the payee and record its payment, or upload a list with this bill alone. The line cannot be approved.`,
      evidence: { supplier: accountName },
    };
  },
};
