import { DAY_MS } from "~/kernel/dates";
import { CONTACT_AND_BANK_WINDOW_DAYS } from "~/kernel/payee";
import { isMobile } from "~/kernel/phone";

/** Whom to tell of changed bank details. Pure: no database, no clock. */

/** Each edit tells at most this many addresses and as many mobiles. */
export const MAX_TOLD = 10;

export type Contacts = { emails: string[]; mobiles: string[] };

type Reachable = { email: string | null; phone: string | null };
/** A change of email or phone. */
export type ContactChange = { field: string; oldValue: string | null; createdAt: number };

/** When the time begins within which a former contact is still told. Epoch milliseconds. */
export const contactsSince = (now: number): number => now - CONTACT_AND_BANK_WINDOW_DAYS * DAY_MS;

/**
 * Everyone who was a contact of the payee within the last `CONTACT_AND_BANK_WINDOW_DAYS` days: a person who changes the
 * contact first and the bank details second must not be the only one who is told. The present contact comes first, then
 * the oldest of the former ones: a row of quick changes does not push the real payee out.
 *
 * @param changes of email and phone within that time, oldest first
 */
export function recentContacts(payee: Reachable, changes: readonly ContactChange[]): Contacts {
  const former = (field: keyof Reachable) => changes.filter((change) => change.field === field);
  const all = (field: keyof Reachable) => [payee[field], ...former(field).map(({ oldValue }) => oldValue)];
  return { emails: firstFew(all("email")), mobiles: firstFew(all("phone")).filter(isMobile) };
}

function firstFew(values: readonly (string | null)[]): string[] {
  return [...new Set(values.filter((value) => value !== null))].slice(0, MAX_TOLD);
}
