import type { Word } from "../reading/word";
import { Flag } from "../vocabulary/flags";
import { commonPrefix } from "./spelling";

const codes = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0));

/** The ending of "Rosalind", "Roslyn", "Madeline", "Madelyn" in its spellings, the longest first. */
const LYN_ENDINGS = [
  "lynne",
  "linne",
  "lynda",
  "linda",
  "lynn",
  "linn",
  "lynd",
  "lind",
  "line",
  "lyne",
  "lyn",
  "lin",
].map(codes);
const FAMILIAR_ENDINGS = ["ie", "ey", "y"].map(codes);
const VOWELS = new Set(codes("aeiouy"));
/** Letters that must be left of a name without its ending. */
const LEAST_STEM = 3;
/** Letters that the full name must have beyond the stem. */
const LEAST_REST = 2;

function endsWith(word: Word, ending: readonly number[]): boolean {
  const from = word.length - ending.length;
  return from >= LEAST_STEM && ending.every((letter, k) => word.at(from + k) === letter);
}

/** Length of a name without one of the endings; 0 when it has none of them. */
function stemOf(word: Word, endings: ReadonlyArray<readonly number[]>): number {
  const ending = endings.find((letters) => endsWith(word, letters));
  return ending === undefined ? 0 : word.length - ending.length;
}

/** "Rosa-lind" and "Ros-lyn": a vowel before the ending belongs to it. */
function lynStemOf(word: Word): number {
  const stem = stemOf(word, LYN_ENDINGS);
  return stem > LEAST_STEM && VOWELS.has(word.at(stem - 1)) ? stem - 1 : stem;
}

/** "Gwenn-ie" is "Gwen": of a doubled letter one is kept. */
function familiarStemOf(word: Word): number {
  const stem = stemOf(word, FAMILIAR_ENDINGS);
  return stem > LEAST_STEM && word.at(stem - 1) === word.at(stem - 2) ? stem - 1 : stem;
}

function isFamiliarFormOf(short: Word, full: Word): boolean {
  if (short.has(Flag.Given) || !full.has(Flag.Given)) return false;
  const stem = familiarStemOf(short);
  return stem > 0 && full.length >= stem + LEAST_REST && commonPrefix(short, full) >= stem;
}

function shareLyn(a: Word, b: Word): boolean {
  const stem = lynStemOf(a);
  return stem > 0 && stem === lynStemOf(b) && commonPrefix(a, b) >= stem;
}

/**
 * Are two given names forms of one by their endings: "Gwennie" of "Gwendolyn" (a familiar form that is no name of its
 * own), "Roslyn" and "Rosalind"? For names that the table of nicknames does not have.
 */
export const areFormsByEnding = (a: Word, b: Word): boolean =>
  isFamiliarFormOf(a, b) || isFamiliarFormOf(b, a) || shareLyn(a, b);
