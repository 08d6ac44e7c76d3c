import { boundedEditDistance } from "~/kernel/edit-distance";

/** Longer words are never treated as typing errors of each other. */
export const MAX_WORD = 64;

/** How many letters may lie between the first and last typing error: far apart in names written as one word. */
const MAX_APART = 31;

/**
 * Counts typing errors between two words (see `boundedEditDistance`) up to `limit`; limit + 1 if there are more, or
 * they are too far apart. Comparing their sets of letters first rules out most pairs cheaply.
 */
export function countSlips(a: string, b: string, limit: number): number {
  if (a.length > MAX_WORD || b.length > MAX_WORD) return limit + 1;
  if (Math.abs(a.length - b.length) > limit || leastEdits(lettersIn(a), lettersIn(b)) > limit) return limit + 1;
  if (a.length > MAX_APART && lettersApart(a, b) > MAX_APART) return limit + 1;
  return boundedEditDistance(a, b, limit);
}

/** How many letters of a word remain after removing what it shares with another at both ends. */
function lettersApart(a: string, b: string): number {
  const start = commonPrefix(a, b);
  const most = Math.min(a.length, b.length) - start;
  let end = 0;
  while (end < most && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return a.length - start - end;
}

/** The set of a word's letters as bits: it distinguishes most words without looking at their order. */
export function lettersIn(word: string): number {
  let letters = 0;
  for (let k = 0; k < word.length; k++) letters |= 1 << word.charCodeAt(k);
  return letters;
}

function countBits(set: number): number {
  let bits = set - ((set >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** A lower limit for the edits between two words, from their letter sets: an edit changes at most two bits. */
export const leastEdits = (x: number, y: number): number => (countBits(x ^ y) + 1) >> 1;

const SILENT = ~lettersIn("aeiouyh");
const HARD_C = lettersIn("ckq");
const HISSING = lettersIn("sz");
const LIPS = lettersIn("pfv");
/** Consonants that sound like no other letter. */
const OF_ONE_SOUND = SILENT & ~(HARD_C | HISSING | LIPS);

const haveEither = (x: number, y: number, letters: number) => ((x & letters) !== 0) === ((y & letters) !== 0);

/** Do two words, given as letter sets, have the same consonants, treating those that sound alike as one? */
export const haveLikeConsonants = (x: number, y: number): boolean =>
  ((x ^ y) & OF_ONE_SOUND) === 0 && haveEither(x, y, HARD_C) && haveEither(x, y, HISSING) && haveEither(x, y, LIPS);

/** Do two names sound alike ("Smith", "Smyth"; "Stevens", "Stephens"; "Petersen", "Peterson")? */
export const soundsAlike = (a: string, b: string): boolean => soundOf(a) === soundOf(b);

/**
 * A rough Australian pronunciation: doubled letters count once; c/k/ck, ph/v/f, y/i and s/z are alike; a final e is
 * silent; Mc = Mac.
 */
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

/** Is the letter pronounced together with the next: "ph", "ie", "ei", "ey", "ee", "ea"? */
function isSaidAsOne(word: string, at: number): boolean {
  const letter = word[at];
  if (letter === "p") return word[at + 1] === "h";
  if (letter === "i") return word[at + 1] === "e";
  return letter === "e" && at + 1 < word.length && "iyea".includes(word.charAt(at + 1));
}

/** The sound of a letter; "" when it is silent. */
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

/** How many letters two words share at the start. */
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

/** The letter for which a digit (or i) can be mistaken on a screen. */
const TAKEN_FOR = new Map(
  "0o 1l il 2z 3e 4a 5s 6b 7t 8b 9g".split(" ").map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)]),
);
const takenFor = (letter: number) => TAKEN_FOR.get(letter) ?? letter;
const isDigit = (letter: number) => letter < 58;
const M = 109;
const W = 119;

/** Do two letters look like the single letter `single`: "rn" like "m", "vv" like "w"? */
const isPairFor = (word: string, at: number, single: number): boolean =>
  (single === M && word.startsWith("rn", at)) || (single === W && word.startsWith("vv", at));

/**
 * Do two words look the same on a screen although their letters differ: 0 and O, 1, I and l, 5 and S, "rn" and "m",
 * "vv" and "w"? At least one side must use a digit or a pair of letters in place of a letter.
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

/** The spellings of the ending in "Rosalind", "Roslyn", "Madeline", "Madelyn", longest first. */
const LYN_ENDINGS = "lynne linne lynda linda lynn linn lynd lind line lyne lyn lin".split(" ");
const FAMILIAR_ENDINGS = ["ie", "ey", "y"];
/** How many letters of a name must remain without its ending. */
const LEAST_STEM = 3;
/** How many more letters than the stem the full name must have. */
const LEAST_REST = 2;

/** The length of a name without one of the endings; 0 when it has none. */
function stemOf(name: string, endings: readonly string[]): number {
  const ending = endings.find((letters) => name.length >= letters.length + LEAST_STEM && name.endsWith(letters));
  return ending === undefined ? 0 : name.length - ending.length;
}

/** "Rosa-lind" and "Ros-lyn": a vowel before the ending counts as part of it. */
function lynStemOf(name: string): number {
  const stem = stemOf(name, LYN_ENDINGS);
  return stem > LEAST_STEM && "aeiouy".includes(name.charAt(stem - 1)) ? stem - 1 : stem;
}

/**
 * Can one name be the familiar form of another by its ending ("Gwennie" for "Gwendolyn")? "Gwenn-ie" gives "Gwen": one
 * of a doubled letter is dropped.
 */
export function isFamiliarForm(short: string, full: string): boolean {
  const whole = stemOf(short, FAMILIAR_ENDINGS);
  const stem = whole > LEAST_STEM && short[whole - 1] === short[whole - 2] ? whole - 1 : whole;
  return stem > 0 && full.length >= stem + LEAST_REST && commonPrefix(short, full) >= stem;
}

/** Do two names differ only in the spelling of their ending "-lyn" ("Roslyn", "Rosalind")? */
export function shareLyn(a: string, b: string): boolean {
  const stem = lynStemOf(a);
  return stem > 0 && stem === lynStemOf(b) && commonPrefix(a, b) >= stem;
}
