import type { NameMatch } from "./types";

/** Texts longer than this many characters are no names; they are compared as wholes. */
export const MAX_TEXT = 1024;

/** Letters and digits of a text of any length, in lower case; "&" as "and", nothing else. */
const lettersOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/&/g, "and")
    .replace(/[^a-z0-9\u00c0-\u02ff\u0370-\u1fff\u2c00-\ufefe\uff10-\uffdc]+/g, "");

/**
 * Texts longer than any name are only asked whether they are the same text, letter for letter. Linear in their
 * length.
 */
export function compareLong(submitted: string, held: string): NameMatch {
  const letters = lettersOf(submitted);
  const same = letters !== "" && letters === lettersOf(held);
  return {
    score: same ? 97 : 0,
    matchType: same ? "exact" : "none",
    differences: [{ type: same ? "formatting" : "different_token", submitted, held }],
    parts: [
      {
        status: same ? "formatting" : "different",
        submittedStart: 0,
        submittedEnd: submitted.length,
        heldStart: 0,
        heldEnd: held.length,
      },
    ],
  };
}
