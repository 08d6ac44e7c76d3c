import { Code } from "../reading/characters";
import type { Word } from "../reading/word";

const ASCII = 128;

/** What a digit (or i) is taken for on a screen; for each ASCII code, itself where it is nothing else. */
const PAIRS = "0o 1l il 2z 3e 4a 5s 6b 7t 8b 9g".split(" ");
const TAKEN_FOR: Readonly<Uint8Array> = Uint8Array.from(
  { length: ASCII },
  (_, code) => PAIRS.find((pair) => pair.charCodeAt(0) === code)?.charCodeAt(1) ?? code,
);
export const takenFor = (code: number) => (code < ASCII ? (TAKEN_FOR[code] ?? code) : code);

const R = 114;
const N = 110;
const M = 109;
const V = 118;
const W = 119;

/** How many letters at a place look like the one letter `single`: "rn" like "m", "vv" like "w". */
function isPairFor(word: Word, at: number, single: number): boolean {
  if (at + 1 >= word.length) return false;
  if (single === M) return word.at(at) === R && word.at(at + 1) === N;
  return single === W && word.at(at) === V && word.at(at + 1) === V;
}

const isDigit = (code: number) => code < Code.DigitEnd;

/**
 * Do two words look the same on a screen though their letters differ: 0 and O, 1, I and l, 5 and S, "rn" and "m",
 * "vv" and "w"? At least one side must use a digit or a pair of letters for another letter.
 */
export function looksAlike(a: Word, b: Word): boolean {
  let i = 0;
  let j = 0;
  let tricks = 0;
  let letters = 0;
  while (i < a.length && j < b.length) {
    const x = a.at(i);
    const y = b.at(j);
    if (x === y) {
      if (!isDigit(x)) letters++;
    } else {
      tricks++;
      if (isPairFor(a, i, y)) i++;
      else if (isPairFor(b, j, x)) j++;
      else if (takenFor(x) !== takenFor(y) || !(isDigit(x) || isDigit(y))) return false;
      else if (!isDigit(x) || !isDigit(y)) letters++;
    }
    i++;
    j++;
  }
  return i === a.length && j === b.length && tricks > 0 && letters > 0;
}
