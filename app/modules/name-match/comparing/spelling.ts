import { boundedEditDistance } from "~/kernel/edit-distance";

/** Words longer than this are never read as typing errors of each other. */
export const MAX_WORD = 64;

/** Letters that may lie from the first typing error to the last; in names written as one word they can be far apart. */
const MAX_APART = 31;

/**
 * Typing errors between two words (see `boundedEditDistance`), counted up to `limit`; limit + 1 when there are more, or when
 * they are too far apart. Their letters tell most words apart before an error is counted.
 */
export function countSlips(a: string, b: string, limit: number): number {
  if (a.length > MAX_WORD || b.length > MAX_WORD) return limit + 1;
  if (Math.abs(a.length - b.length) > limit || leastEdits(lettersIn(a), lettersIn(b)) > limit) return limit + 1;
  if (a.length > MAX_APART && lettersApart(a, b) > MAX_APART) return limit + 1;
  return boundedEditDistance(a, b, limit);
}

/** How many letters of a word lie between what it has in common with another at both ends. */
function lettersApart(a: string, b: string): number {
  const start = commonPrefix(a, b);
  const most = Math.min(a.length, b.length) - start;
  let end = 0;
  while (end < most && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return a.length - start - end;
}

/** The letters of a word as a set of bits, by their codes: it tells most words apart without a look at their order. */
export function lettersIn(word: string): number {
  let letters = 0;
  for (let k = 0; k < word.length; k++) letters |= 1 << word.charCodeAt(k);
  return letters;
}

/** How many members a set of bits has. */
function countBits(set: number): number {
  let bits = set - ((set >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Least number of edits between two words by the sets of their letters: an edit changes at most two of them. */
export const leastEdits = (x: number, y: number): number => (countBits(x ^ y) + 1) >> 1;

const SILENT = ~lettersIn("aeiouyh");
const HARD_C = lettersIn("ckq");
const HISSING = lettersIn("sz");
const LIPS = lettersIn("pfv");
/** Consonants that no other letter sounds like. */
const OF_ONE_SOUND = SILENT & ~(HARD_C | HISSING | LIPS);

const haveEither = (x: number, y: number, letters: number) => ((x & letters) !== 0) === ((y & letters) !== 0);

/** Do two words, as sets of letters, have the same consonants, letters that sound alike taken as one? */
export const haveLikeConsonants = (x: number, y: number): boolean =>
  ((x ^ y) & OF_ONE_SOUND) === 0 && haveEither(x, y, HARD_C) && haveEither(x, y, HISSING) && haveEither(x, y, LIPS);

/** Would two names be said alike ("Smith", "Smyth"; "Stevens", "Stephens"; "Petersen", "Peterson")? */
export const soundsAlike = (a: string, b: string): boolean => soundOf(a) === soundOf(b);

/** A rough Australian pronunciation: doubled letters once, c/k/ck, ph/v/f, y/i, s/z alike, silent last e, Mc = Mac. */
function soundOf(word: string): string {
  const isMc = word.length > 3 && word.startsWith("mc");
  let sound = isMc ? "mak" : "";
  let last = isMc ? "k" : "";
  for (let at = isMc ? 2 : 0; at < word.length; at++) {
    const spoken = soundAt(word, at);
    if (isSaidAsOne(word, at)) at++;
    if (spoken === "" || spoken === last) continue;
    sound += spoken;
    last = spoken;
  }
  return sound;
}

/** Is the letter at a place said as one with the next: "ph", "ie", "ei", "ey", "ee", "ea"? */
function isSaidAsOne(word: string, at: number): boolean {
  const letter = word[at];
  if (letter === "p") return word[at + 1] === "h";
  if (letter === "i") return word[at + 1] === "e";
  return letter === "e" && at + 1 < word.length && "iyea".includes(word.charAt(at + 1));
}

/** What the letter at a place is said as; "" when it is silent. */
function soundAt(word: string, at: number): string {
  const letter = word.charAt(at);
  switch (letter) {
    case "c":
      return word[at + 1] === "k" ? "" : "k";
    case "q":
      return "k";
    case "p":
      return word[at + 1] === "h" ? "v" : letter;
    case "f":
      return "v";
    case "y":
      return "i";
    case "z":
      return "s";
    case "h":
      return at > 0 ? "" : letter;
    case "e":
      if (at === word.length - 1) return "";
      if (isSaidAsOne(word, at)) return "i";
      return at > 0 && at + 2 === word.length && word[at - 1] === "s" && word[at + 1] === "n" ? "o" : letter;
    default:
      return letter;
  }
}

/** Letters two words share from the start. */
export function commonPrefix(a: string, b: string): number {
  let k = 0;
  while (k < a.length && k < b.length && a.charCodeAt(k) === b.charCodeAt(k)) k++;
  return k;
}

/** Is the longer word the plural (or the possessive) of the shorter: "-s", "-es", "-y" and "-ies"? */
export function isPlural(a: string, b: string): boolean {
  if (a.length > b.length) return isPlural(b, a);
  const more = b.length - a.length;
  if (a.length < 3 || more === 0 || more > 2 || !b.endsWith("s")) return false;
  if (b.startsWith(a)) return more === 1 || b.endsWith("es");
  return more === 2 && a.endsWith("y") && b.endsWith("ies") && b.startsWith(a.slice(0, -1));
}

/** What a digit (or i) is taken for on a screen. */
const TAKEN_FOR = new Map(
  "0o 1l il 2z 3e 4a 5s 6b 7t 8b 9g".split(" ").map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)]),
);
const takenFor = (letter: number) => TAKEN_FOR.get(letter) ?? letter;
const isDigit = (letter: number) => letter < 58;
const M = 109;
const W = 119;

/** Do two letters at a place look like the one letter `single`: "rn" like "m", "vv" like "w"? */
const isPairFor = (word: string, at: number, single: number): boolean =>
  (single === M && word.startsWith("rn", at)) || (single === W && word.startsWith("vv", at));

/**
 * Do two words look the same on a screen though their letters differ: 0 and O, 1, I and l, 5 and S, "rn" and "m",
 * "vv" and "w"? At least one side must use a digit or a pair of letters for another letter.
 */
export function looksAlike(a: string, b: string): boolean {
  let i = 0;
  let j = 0;
  let tricks = 0;
  let letters = 0;
  while (i < a.length && j < b.length) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(j);
    if (x === y) {
      if (!isDigit(x)) letters++;
    } else {
      tricks++;
      if (isPairFor(a, i, y)) i++;
      else if (isPairFor(b, j, x)) j++;
      else if (!(isDigit(x) || isDigit(y)) || takenFor(x) !== takenFor(y)) return false;
      else if (!isDigit(x) || !isDigit(y)) letters++;
    }
    i++;
    j++;
  }
  return i === a.length && j === b.length && tricks > 0 && letters > 0;
}

/** The ending of "Rosalind", "Roslyn", "Madeline", "Madelyn" in its spellings, the longest first. */
const LYN_ENDINGS = "lynne linne lynda linda lynn linn lynd lind line lyne lyn lin".split(" ");
const FAMILIAR_ENDINGS = ["ie", "ey", "y"];
/** Letters that must be left of a name without its ending. */
const LEAST_STEM = 3;
/** Letters that the full name must have beyond the stem. */
const LEAST_REST = 2;

/** Length of a name without one of the endings; 0 when it has none of them. */
function stemOf(name: string, endings: readonly string[]): number {
  const ending = endings.find((letters) => name.length >= letters.length + LEAST_STEM && name.endsWith(letters));
  return ending === undefined ? 0 : name.length - ending.length;
}

/** "Rosa-lind" and "Ros-lyn": a vowel before the ending belongs to it. */
function lynStemOf(name: string): number {
  const stem = stemOf(name, LYN_ENDINGS);
  return stem > LEAST_STEM && "aeiouy".includes(name.charAt(stem - 1)) ? stem - 1 : stem;
}

/**
 * May a name be the familiar form of another by its ending ("Gwennie" of "Gwendolyn")? "Gwenn-ie" is "Gwen": of a doubled
 * letter one is kept.
 */
export function isFamiliarForm(short: string, full: string): boolean {
  const whole = stemOf(short, FAMILIAR_ENDINGS);
  const stem = whole > LEAST_STEM && short[whole - 1] === short[whole - 2] ? whole - 1 : whole;
  return stem > 0 && full.length >= stem + LEAST_REST && commonPrefix(short, full) >= stem;
}

/** Do two names differ only in how their ending "-lyn" is spelled ("Roslyn", "Rosalind")? */
export function shareLyn(a: string, b: string): boolean {
  const stem = lynStemOf(a);
  return stem > 0 && stem === lynStemOf(b) && commonPrefix(a, b) >= stem;
}
