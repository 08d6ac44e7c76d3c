import { formatAbn, namesOfEntity } from "~/kernel/abn";
import { DAY_MS, formatRelative } from "~/kernel/dates";
import { type MatchType, prepareName, scoreNames } from "~/modules/name-match";
import type { NameHit, RegisterEntry } from "~/ports/business-register";

/** Describes a payee from its business register entry. Pure. */

export type RegisterAnswer = {
  /** Null: the register has no such ABN. */
  entry: RegisterEntry | null;
  /** When the register said so; epoch milliseconds. */
  fetchedAt: number;
};

/** An ABN registered for GST, or activated, less than this long ago is new: a risk, not an error. */
const NEW_REGISTRATION_DAYS = 90;

export type NameComparison = { name: string; score: number; matchType: MatchType };

/** The register's name that is closest to one of the payee's; undefined when it gives none. */
export function compareWithRegister(payee: { name: string; accountName: string }, entry: RegisterEntry) {
  const own = [prepareName(payee.name), prepareName(payee.accountName)];
  const compared = namesOfEntity(entry).flatMap((name) =>
    own.map((mine): NameComparison => {
      const { score, matchType } = scoreNames(mine, name);
      return { name, score, matchType };
    }),
  );
  return compared.sort((a, b) => b.score - a.score)[0];
}

export type RegisterConcern = "not_found" | "cancelled" | "other_name" | "new_registration";

/** What a person should look at; empty when the register has not been asked yet. */
export function findConcerns(
  payee: { name: string; accountName: string },
  { entry }: RegisterAnswer,
  now: number,
): RegisterConcern[] {
  if (!entry) return ["not_found"];
  const concerns: RegisterConcern[] = [];
  if (!entry.isActive) concerns.push("cancelled");
  if (compareWithRegister(payee, entry)?.matchType === "none") concerns.push("other_name");
  const since = entry.statusFrom === null ? Number.NaN : Date.parse(entry.statusFrom);
  if (entry.isActive && now - since < NEW_REGISTRATION_DAYS * DAY_MS) concerns.push("new_registration");
  return concerns;
}

const NO_NAME = "The register gives no name";

export const CONCERN_SENTENCES: Readonly<Record<RegisterConcern, string>> = {
  not_found: "The business register has no such ABN.",
  cancelled: "The ABN is cancelled.",
  other_name: "The register knows this ABN under a different name.",
  new_registration: `The ABN was registered less than ${NEW_REGISTRATION_DAYS} days ago.`,
};

/** The register's entry as pages show it. Pure. */

export type RegisterView =
  | { state: "not_asked"; asOf?: undefined; sentence: string }
  | { state: "not_found"; asOf: string; sentence: string }
  | {
      state: "found";
      asOf: string;
      entityName: string;
      isActive: boolean;
      statusFrom: string | null;
      /** How long ago that was, e.g. "16 years ago": a young ABN is a risk. */
      statusAge: string | null;
      /** Sentences about what a person should look at. */
      concerns: string[];
      /** Further details, and which of its names is closest to the payee's, as text. */
      facts: { term: string; value: string }[];
    };

const NOT_ASKED = "Not looked up yet: the register has not answered so far. This says nothing about the ABN.";
const NOT_FOUND = "The register has no such ABN. Ask the payee for the correct one.";

type Zone = { now: number; showDate: (ms: number) => string };

/** The view of a payee's register entry; undefined when the register has not been asked yet. */
export function toRegisterView(
  payee: { name: string; accountName: string },
  answer: RegisterAnswer | undefined,
  { now, showDate }: Zone,
): RegisterView {
  if (!answer) return { state: "not_asked", sentence: NOT_ASKED };
  const asOf = showDate(answer.fetchedAt);
  const { entry } = answer;
  if (!entry) return { state: "not_found", asOf, sentence: NOT_FOUND };
  const { entityName, isActive } = entry;
  const since = instantOf(entry.statusFrom);
  return {
    state: "found",
    asOf,
    entityName: entityName ?? NO_NAME,
    isActive,
    statusFrom: since === null ? null : showDate(since),
    statusAge: since === null ? null : formatRelative(since, now),
    concerns: findConcerns(payee, answer, now).map((concern) => CONCERN_SENTENCES[concern]),
    facts: factsOf(payee, entry, showDate),
  };
}

function factsOf(payee: { name: string; accountName: string }, entry: RegisterEntry, showDate: Zone["showDate"]) {
  const { entityType, state, postcode, businessNames } = entry;
  const closest = compareWithRegister(payee, entry);
  const gst = instantOf(entry.gstFrom);
  const kind = [entityType, [state, postcode].filter(Boolean).join(" ")].filter(Boolean).join(", ");
  return [
    ...(closest
      ? [{ term: "Closest to the payee's name", value: `${closest.name}, score ${closest.score} of 100` }]
      : []),
    { term: "GST", value: gst === null ? "Not registered" : `Registered since ${showDate(gst)}` },
    ...(kind ? [{ term: "Kind", value: kind }] : []),
    ...(businessNames.length > 0 ? [{ term: "Business names", value: businessNames.join(", ") }] : []),
  ];
}

function instantOf(iso: string | null): number | null {
  const at = iso === null ? Number.NaN : Date.parse(iso);
  return Number.isNaN(at) ? null : at;
}

/**
 * The same as a sentence, for a row of a list.
 * @returns null for a payee without an ABN
 */
export function registerSentence(
  payee: { name: string; accountName: string; abn: string | null },
  answer: RegisterAnswer | undefined,
  now: number,
): string | null {
  if (payee.abn === null) return null;
  if (!answer) return "Business register: not looked up yet.";
  const concerns = findConcerns(payee, answer, now).map((concern) => CONCERN_SENTENCES[concern]);
  if (!answer.entry) return concerns.join(" ");
  const { entityName, isActive } = answer.entry;
  const said = concerns.length > 0 ? concerns.join(" ") : isActive ? "The ABN is active." : "";
  return `Business register: ${entityName ?? "no name is given"}. ${said}`;
}

/** What a form shows after a look-up: details of the ABN, or ABNs with such a name. */
export type LookUpView =
  | { kind: "abn"; abn: string; sentence: string; name: string | null; isGood: boolean }
  | { kind: "names"; hits: { abn: string; shownAbn: string; name: string; detail: string }[] }
  | { kind: "silent"; sentence: string };

export const UNREACHABLE =
  "The business register does not answer at the moment. This says nothing about the ABN; you can go on without it.";
export const REGISTER_OFF = "No business register is connected here.";

export function describeAnswer(abn: string, { entry }: RegisterAnswer): LookUpView {
  const shown = formatAbn(abn);
  if (!entry) {
    const sentence = `The business register has no ABN ${shown}.`;
    return { kind: "abn", abn, sentence, name: null, isGood: false };
  }
  const { entityName: name, isActive, businessNames } = entry;
  const also = businessNames.length > 0 ? ` Business names: ${businessNames.join(", ")}.` : "";
  const named = name === null ? `${NO_NAME} for ${shown}` : `${shown} is ${name}`;
  const sentence = `${named}${isActive ? "" : ", and the ABN is cancelled"}.${also}`;
  return { kind: "abn", abn, sentence, name, isGood: isActive };
}

export const describeHits = (hits: readonly NameHit[]): LookUpView =>
  hits.length === 0
    ? { kind: "silent", sentence: "The business register has no business with that name." }
    : {
        kind: "names",
        hits: hits.map(({ abn, name, isActive, state, postcode }) => {
          const detail = [isActive ? "" : "cancelled", [state, postcode].filter(Boolean).join(" ")];
          return { abn, shownAbn: formatAbn(abn), name, detail: detail.filter(Boolean).join(", ") };
        }),
      };
