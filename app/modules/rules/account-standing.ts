import { formatBsb } from "~/kernel/bank-account";
import { formatDate } from "~/kernel/dates";

/**
 * What is known about one account of a payee: who decided that it belongs to the payee, and when. Pure. Instants in
 * epoch milliseconds.
 */

/**
 * The last decision about an account. `how` says what "verified" rests on, worded for the middle of a sentence:
 * "confirmed by the bank". `whitelisted`: a person trusted it without a verification. `taken_off`: it was verified, and
 * a person later took the payee off the whitelist. `disputed`: the payee said the account is not theirs, and nobody has
 * decided since. `none`: nobody has verified it.
 */
export type AccountStanding =
  | { state: "verified"; how: string; at: number }
  | { state: "taken_off"; how: string; verifiedAt: number; at: number }
  | { state: "whitelisted" | "rejected" | "disputed"; at: number }
  | { state: "none" };

/** An account in the form that people recognise, with what is known about it. */
export type KnownAccount = { bsb: string; maskedAccountNumber: string; standing: AccountStanding };

export const isTrusted = ({ state }: AccountStanding): boolean => state === "verified" || state === "whitelisted";

/** What is known about an account, as the clause after its name: "..., which nobody has verified". */
export function standingClause(standing: AccountStanding, timeZone: string): string {
  if (standing.state === "none") return ", which nobody has verified";
  const on = formatDate(standing.at, timeZone);
  switch (standing.state) {
    case "verified":
      return `, verified on ${on} (${standing.how})`;
    case "taken_off":
      return `, verified on ${formatDate(standing.verifiedAt, timeZone)} (${standing.how}) before the payee was taken off the whitelist on ${on}`;
    case "whitelisted":
      return `, which a person whitelisted on ${on} without a verification`;
    case "disputed":
      return `, which the payee disputed on ${on}`;
    case "rejected":
      return `, which was rejected on ${on}`;
  }
}

/** Why an account is trusted, as a sentence of its own; undefined for an account that is not trusted. */
export function describeTrust(standing: AccountStanding, timeZone: string): string | undefined {
  if (standing.state === "verified")
    return `Account verified on ${formatDate(standing.at, timeZone)} (${standing.how}).`;
  if (standing.state !== "whitelisted") return undefined;
  return `A person whitelisted the account on ${formatDate(standing.at, timeZone)}, without a verification.`;
}

/** "062-000 •••••788, which nobody has verified" */
export const accountStandingWords = ({ bsb, maskedAccountNumber, standing }: KnownAccount, timeZone: string): string =>
  `${formatBsb(bsb)} ${maskedAccountNumber}${standingClause(standing, timeZone)}`;
