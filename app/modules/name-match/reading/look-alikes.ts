import { LATIN_LOOK_ALIKES } from "~/kernel/confusables";
import { Code } from "./characters";
import { Mark, type Reading } from "./reading";

const LOOKS_LIKE: ReadonlyMap<number, number> = new Map(
  Object.entries(LATIN_LOOK_ALIKES).map(([letter, latin]) => [letter.charCodeAt(0), latin.charCodeAt(0)]),
);

const isLatin = (code: number) => code >= Code.LowerA && code < Code.LowerA + 26;

/**
 * In a name that mixes Latin with Cyrillic or Greek letters, reads the foreign letters as the Latin ones they imitate
 * and marks the name: such a name is never exact.
 * @param force also read a name wholly in another script this way
 */
export function readLookAlikes(reading: Reading, force: boolean): void {
  const { letters, size } = reading;
  if ((reading.marks & (Mark.Cyrillic | Mark.Greek)) === 0) return;
  if (!force && !letters.subarray(0, size).some(isLatin)) return;
  for (let k = 0; k < size; k++) {
    const like = LOOKS_LIKE.get(letters[k] ?? 0);
    if (like !== undefined) letters[k] = like;
  }
  reading.marks |= Mark.Homoglyph;
  for (let i = 0; i < reading.count; i++) reading.reread(reading.word(i));
}
