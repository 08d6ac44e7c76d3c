import { formatAbn } from "~/kernel/abn";
import { formatRelative } from "~/kernel/dates";
import { CONCERN_SENTENCES, compareWithRegister, findConcerns, type RegisterAnswer } from "./register";
import type { NameHit } from "./register.port";

/** What pages draw of the business register. Pure. */

export type RegisterView =
  | { state: "not_asked" }
  | { state: "not_found"; asOf: string }
  | {
      state: "found";
      asOf: string;
      entityName: string;
      isActive: boolean;
      statusFrom: string | null;
      /** How long ago that was, e.g. "16 years ago": a young ABN is a risk. */
      statusAge: string | null;
      entityType: string;
      gstFrom: string | null;
      businessNames: string[];
      place: string | null;
      /** The register's name that is closest to the payee's, with the score. */
      closest: { name: string; score: number };
      /** Sentences about what a person should look at. */
      concerns: string[];
    };

type Zone = { now: number; showDate: (ms: number) => string };

/** What the register says of a payee; nothing is said where it was not asked yet. */
export function toRegisterView(
  payee: { name: string; accountName: string },
  answer: RegisterAnswer | undefined,
  { now, showDate }: Zone,
): RegisterView {
  if (!answer) return { state: "not_asked" };
  const asOf = showDate(answer.fetchedAt);
  const { entry } = answer;
  if (!entry) return { state: "not_found", asOf };
  const { entityName, isActive, entityType, businessNames } = entry;
  const since = instantOf(entry.statusFrom);
  const gstSince = instantOf(entry.gstFrom);
  const { name, score } = compareWithRegister(payee, entry);
  return {
    state: "found",
    asOf,
    entityName,
    isActive,
    statusFrom: since === null ? null : showDate(since),
    statusAge: since === null ? null : formatRelative(since, now),
    entityType,
    gstFrom: gstSince === null ? null : showDate(gstSince),
    businessNames,
    place: [entry.state, entry.postcode].filter(Boolean).join(" ") || null,
    closest: { name, score },
    concerns: findConcerns(payee, answer, now).map((concern) => CONCERN_SENTENCES[concern]),
  };
}

function instantOf(iso: string | null): number | null {
  const at = iso === null ? Number.NaN : Date.parse(iso);
  return Number.isNaN(at) ? null : at;
}

/**
 * The same in a sentence, for a row of a list.
 * @returns null for a payee without an ABN
 */
export function sayRegister(
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
  return `Business register: ${entityName}. ${said}`;
}

/** What a form shows after a look-up: what the ABN is, or whose ABNs have such a name. */
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
  const sentence = `${shown} is ${name}${isActive ? "" : ", and the ABN is cancelled"}.${also}`;
  return { kind: "abn", abn, sentence, name, isGood: isActive };
}

export const describeHits = (hits: readonly NameHit[]): LookUpView =>
  hits.length === 0
    ? { kind: "silent", sentence: "The business register has no business of that name." }
    : {
        kind: "names",
        hits: hits.map(({ abn, name, isActive, state, postcode }) => {
          const detail = [isActive ? "" : "cancelled", [state, postcode].filter(Boolean).join(" ")];
          return { abn, shownAbn: formatAbn(abn), name, detail: detail.filter(Boolean).join(", ") };
        }),
      };
