import { sameAccountNumber } from "~/kernel/account-number";
import type { PayeeDetails } from "~/kernel/payee";

/** What becomes of a supplier whose account was read again. Pure: the dangerous moment is decided here. */

type Account = Pick<PayeeDetails, "bsb" | "accountNumber">;

export const isSameAccount = (a: Account, b: Account): boolean =>
  a.bsb === b.bsb && sameAccountNumber(a.accountNumber, b.accountNumber);

export type Known = {
  /** The account that the supplier had when it was last read; null: it had none, or was not read before. */
  seen: Account | null;
  payee: Account;
  /** A change of this supplier waits for a decision. */
  isOpen: boolean;
};

/**
 * - `same`: the account there is the payee's.
 * - `settled`: it is the payee's again, and a change waited for a decision.
 * - `changed`: another account than the payee's, and another than before: a person decides.
 * - `known`: another account than the payee's that was noticed before, or that the payee had when it was linked. A person
 *   who changed the details here need not decide about the former ones there.
 */
export type AccountJudgement = "same" | "settled" | "changed" | "known";

export function judgeAccount(read: Account, { seen, payee, isOpen }: Known): AccountJudgement {
  if (isSameAccount(read, payee)) return isOpen ? "settled" : "same";
  return seen !== null && isSameAccount(read, seen) ? "known" : "changed";
}
