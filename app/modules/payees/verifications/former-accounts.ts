import { formatDate } from "~/kernel/dates";

/** The accounts that payees had before their bank details changed, and what is said of them. Pure. Instants in epoch milliseconds. */

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

/** A payee of the organisation that had an account, and until when. */
export type FormerHolder = {
  payeeId: string;
  name: string;
  /** When its bank details changed to others; where it is archived with the account, when it was archived. */
  until: number;
  /** It is archived and has the account still. */
  isArchived: boolean;
};

/** Payees besides this one that had its account: evidence against it. `payeeId` null: a payee that is being added. */
export const formerHoldersBesides = (holders: readonly FormerHolder[], payeeId: string | null): FormerHolder[] =>
  holders.filter((holder) => holder.payeeId !== payeeId);

/** When the payee itself gave this account up before it came back to it; undefined: it never had it before. */
export const ownFormerUntil = (holders: readonly FormerHolder[], payeeId: string): number | undefined =>
  holders.find((holder) => holder.payeeId === payeeId && !holder.isArchived)?.until;

/** "This account was Cassowary Cleaning's until 23 Nov 2026." Another payee's account, never the payee's own former one. */
export function sayFormerHolder(
  { name, until, isArchived }: Pick<FormerHolder, "name" | "until" | "isArchived">,
  timeZone: string,
): string {
  const on = formatDate(until, timeZone);
  return isArchived
    ? `This account is ${name}'s, a payee that was archived on ${on}.`
    : `This account was ${name}'s until ${on}.`;
}

/** A payee's own former account is no other payee's: it went back. */
export const sayOwnFormerAccount = (until: number, timeZone: string): string =>
  `The payee went back to an account of its own: it had this one until ${formatDate(until, timeZone)}.`;
