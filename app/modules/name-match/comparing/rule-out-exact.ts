import { Code, LOWER } from "../reading/characters";
import type { Reading } from "../reading/reading";
import { LEXICON } from "../vocabulary/words";
import { Fact, type Glance, meansMore } from "./glance";
import { setOf } from "./spelling";

/*
 * Who only asks whether a text is an exact match need not have it read: the words that tell who it is must stand in it
 * letter by letter, together or apart, so that a text without one of their letters is no exact match. A property holds
 * that nothing is lost.
 */

/** "&" and "+" are read as "and"; the slashes and hyphens of "P/L" and "M/-" as letters. */
const READ_AS: Readonly<Record<string, number>> = {
  "&": setOf("and"),
  "+": setOf("and"),
  "/": setOf("/"),
  "-": setOf("-"),
};

const LETTERS_OF = Int32Array.from(
  { length: Code.Ascii },
  (_, code) => READ_AS[String.fromCharCode(code)] ?? (LOWER[code] ? 1 << (LOWER[code] ?? 0) : 0),
);

/** Letters, as a set of bits, that every exact match of a name has. Words that can be written otherwise have no say. */
export function certainLettersOf({ isHard, facts, telling, count }: Glance, reading: Reading): number {
  let letters = 0;
  for (let k = 0; k < count && !isHard; k++) {
    const word = reading.word(facts[k * Fact.Count + Fact.Index] ?? 0);
    const isPlain = !meansMore(word) && LEXICON.isPlain(word.hash);
    if (isPlain && (telling & (1 << k)) !== 0) letters |= word.mask;
  }
  return letters;
}

/** Does a text have all of these letters? Always true of a text that is long or has characters outside ASCII. */
export function hasLetters(text: string, letters: number, longest: number): boolean {
  if (text.length > longest) return true;
  let missing = letters;
  for (let k = 0; k < text.length && missing !== 0; k++) {
    const code = text.charCodeAt(k);
    if (code >= Code.Ascii) return true;
    missing &= ~(LETTERS_OF[code] ?? 0);
  }
  return missing === 0;
}
