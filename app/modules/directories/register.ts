import { DAY_MS } from "~/kernel/dates";
import { type MatchType, prepareName, scoreNames } from "~/modules/name-match";
import type { RegisterEntry } from "~/ports/business-register";

/** What can be said of a payee from what the business register has. Pure. */

/** An answer of the register, as it is kept. */
export type RegisterAnswer = {
  /** Null: the register has no such ABN. */
  entry: RegisterEntry | null;
  /** When the register said so; epoch milliseconds. */
  fetchedAt: number;
};

/** An ABN registered for GST, or made active, less than this long ago is new: a risk, not a fault. */
export const NEW_REGISTRATION_DAYS = 90;

/** Names under which the register knows an entity; a trustee acts in the name of the trust too. */
export function namesOf({ entityName, businessNames }: RegisterEntry): string[] {
  const trust = /^the trustee for (.+)$/i.exec(entityName)?.[1];
  return [entityName, ...(trust ? [trust] : []), ...businessNames];
}

export type NameComparison = { name: string; score: number; matchType: MatchType };

/** The register's name that is closest to one of the payee's. */
export function compareWithRegister(
  payee: { name: string; accountName: string },
  entry: RegisterEntry,
): NameComparison {
  const own = [prepareName(payee.name), prepareName(payee.accountName)];
  const compared = namesOf(entry).flatMap((name) =>
    own.map((mine): NameComparison => {
      const { score, matchType } = scoreNames(mine, name);
      return { name, score, matchType };
    }),
  );
  const [best] = compared.sort((a, b) => b.score - a.score);
  return best ?? { name: entry.entityName, score: 0, matchType: "none" };
}

export type RegisterConcern = "not_found" | "cancelled" | "other_name" | "new_registration";

/** What a person should look at; nothing is said where the register was not asked yet. */
export function findConcerns(
  payee: { name: string; accountName: string },
  { entry }: RegisterAnswer,
  now: number,
): RegisterConcern[] {
  if (!entry) return ["not_found"];
  const concerns: RegisterConcern[] = [];
  if (!entry.isActive) concerns.push("cancelled");
  if (compareWithRegister(payee, entry).matchType === "none") concerns.push("other_name");
  const since = entry.statusFrom === null ? Number.NaN : Date.parse(entry.statusFrom);
  if (entry.isActive && now - since < NEW_REGISTRATION_DAYS * DAY_MS) concerns.push("new_registration");
  return concerns;
}

export const CONCERN_SENTENCES: Readonly<Record<RegisterConcern, string>> = {
  not_found: "The business register has no such ABN.",
  cancelled: "The ABN is cancelled.",
  other_name: "The register knows this ABN under another name.",
  new_registration: `The ABN was registered less than ${NEW_REGISTRATION_DAYS} days ago.`,
};
