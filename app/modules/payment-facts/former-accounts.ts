/** The accounts that payees had before their bank details changed. Pure. Instants in epoch milliseconds. */

type Account = { bsb: string; accountNumber: string };

/** A changed field of a payee, as it was stored. */
export type AccountChange = { field: string; oldValue: string | null; createdAt: number };

/**
 * The accounts that a payee had, the last first, each with when it was given up.
 * @param changes of its BSB and account number, newest first; the fields of one edit are stored at the same instant
 */
export function formerAccounts(
  current: Account,
  changes: readonly AccountChange[],
): (Account & { changedAt: number })[] {
  const former: (Account & { changedAt: number })[] = [];
  for (const { field, oldValue, createdAt } of changes) {
    const later = former.at(-1);
    const account = later ?? current;
    const before = { bsb: account.bsb, accountNumber: account.accountNumber, changedAt: createdAt };
    if (field === "bsb" && oldValue !== null) before.bsb = oldValue;
    if (field === "accountNumber" && oldValue !== null) before.accountNumber = oldValue;
    if (later?.changedAt === createdAt) former.pop();
    former.push(before);
  }
  return former;
}
