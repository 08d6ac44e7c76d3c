import type { NameKind, NameMatch } from "./types";

export { type MatchBadge, toMatchBadge } from "./badge";
export { explainDifference } from "./explain";
export type {
  MatchType,
  NameDifference,
  NameDifferenceType,
  NameKind,
  NameMatch,
  NamePart,
  NamePartStatus,
} from "./types";

const fold = (name: string) =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/&/g, "and")
    .replace(/\bproprietary\b/g, "pty")
    .replace(/\blimited\b/g, "ltd")
    .replace(/\bp\/l\b/g, "pty ltd")
    .replace(/[^\p{L}\p{N}]/gu, "");

/**
 * Compares the name somebody typed with the name the bank holds.
 * @param kind what the account holder is believed to be; optional
 */
export function matchNames(submitted: string, held: string, _kind?: NameKind): NameMatch {
  const a = fold(submitted);
  const b = fold(held);
  const same = a !== "" && a === b;
  const near = !same && a !== "" && b !== "" && (a.startsWith(b) || b.startsWith(a));
  const part = {
    submittedStart: 0,
    submittedEnd: submitted.length,
    heldStart: 0,
    heldEnd: held.length,
  };
  if (same) {
    const identical = submitted === held;
    return {
      score: identical ? 100 : 98,
      matchType: "exact",
      differences: identical ? [] : [{ type: "formatting", submitted, held }],
      parts: [{ status: identical ? "same" : "formatting", ...part }],
    };
  }
  return {
    score: near ? 85 : 10,
    matchType: near ? "fuzzy" : "none",
    differences: [{ type: near ? "missing_token" : "different_token", submitted, held }],
    parts: [{ status: "different", ...part }],
  };
}
