import { parseBsb } from "~/kernel/bsb";
import { MAX_SEARCH_TERM_LENGTH, searchTerms } from "~/kernel/text";

/** More words than anybody types; each costs one look into the index. */
export const MAX_SEARCH_WORDS = 6;

const ONLY_NUMBERS = /^[\d\s-]+$/;
const BSB_IN_TEXT = /\b(\d{3})-(\d{3})\b/g;
/** Sorts after every term that begins with the word. */
const HIGHEST_CHARACTER = "\u{10ffff}";

/**
 * The beginnings of words that a payee must have to be found: names by their words, a BSB and an account number as the
 * digits they are stored as, however they were typed.
 *
 * `062-000 1234 5678` gives `062000`, `12345678`; `acme 062-000` gives `acme`, `062000`.
 */
export function toSearchWords(query: string): string[] {
  const text = query.slice(0, 4 * MAX_SEARCH_TERM_LENGTH);
  return ONLY_NUMBERS.test(text)
    ? numbersOf(text)
    : searchTerms(text.replace(BSB_IN_TEXT, "$1$2")).slice(0, MAX_SEARCH_WORDS);
}

function numbersOf(text: string): string[] {
  const whole = parseBsb(text);
  if (whole) return [whole];
  const found = /^\s*(\d{3}-\d{3}|\d{6})\s+(.*)$/.exec(text);
  const words = found ? [found[1], found[2]] : [text];
  return words.map((word = "") => word.replace(/\D/g, "")).filter((word) => word !== "");
}

/** The range of terms that begin with a word: at least `from`, below `to`. */
export function prefixRange(word: string): { from: string; to: string } {
  return { from: word, to: word + HIGHEST_CHARACTER };
}
