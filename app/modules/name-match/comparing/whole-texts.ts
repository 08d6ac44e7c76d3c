/** Letters and digits of a text of any length, in lower case; "&" as "and", nothing else. */
const lettersOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/&/g, "and")
    .replace(/[^a-z0-9\u00c0-\u02ff\u0370-\u1fff\u2c00-\ufefe\uff10-\uffdc]+/g, "");

/** Longer texts than this are not read: only identical ones are the same. */
export const MAX_READ = 4096;
const LETTER = /[\p{L}\p{N}]/u;

/**
 * Texts longer than any name are only asked whether they are the same text, letter for letter. The work is bounded,
 * however long they are.
 */
export function isSameText(submitted: string, held: string): boolean {
  if (submitted.length > MAX_READ || held.length > MAX_READ) {
    return submitted === held && LETTER.test(submitted.slice(0, MAX_READ));
  }
  const letters = lettersOf(submitted);
  return letters !== "" && letters === lettersOf(held);
}
