/** The rules of trusting a payee by hand. Pure. */

type Entered = { createdById: string | null; bankDetailsChangedById: string | null };

/** True if the bank details are as this person entered them: whoever changed them last, else who added the payee. */
export function enteredBankDetails(payee: Entered, userId: string): boolean {
  return (payee.bankDetailsChangedById ?? payee.createdById) === userId;
}
