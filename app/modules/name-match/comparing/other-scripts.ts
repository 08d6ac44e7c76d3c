import { lettersOf, Mark, type Reading } from "~/modules/name-match/name";
import { HANGUL_LEADS, HANGUL_TAILS, ROMANISATIONS } from "../data/letters";

const LATIN_OF: ReadonlyMap<string, string> = new Map(
  ROMANISATIONS.flatMap((table) => table.split(" ")).map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);

const LEAD_FIRST = 0x1100;
const TAIL_FIRST = 0x11a7;

/** How much of the longer text the shorter one must contain. */
const ENOUGH = 0.67;

const VOWEL = /[aeiouyw]/g;
const MAX_COMPARED = 64;

/** Maps Latin consonants that romanisations confuse to one letter each. */
function skeleton(latin: string): string {
  return latin
    .replace(/kh|gh|q|ck|c(?!h)|g|x/g, "k")
    .replace(/ph|v|b|w/g, "f")
    .replace(/p/g, "f")
    .replace(/sh|zh|ch|j|ts|tz|z|dzh/g, "s")
    .replace(/th|dh|d/g, "t")
    .replace(/l/g, "r")
    .replace(/h/g, "")
    .replace(VOWEL, "")
    .replace(/(.)\1+/g, "$1");
}

/** As `skeleton`, with vowels, for Cyrillic and Greek, which write them. */
function spelled(latin: string): string {
  return latin
    .replace(/kh|c|q/g, "k")
    .replace(/ph|v|w/g, "f")
    .replace(/[yj]/g, "i")
    .replace(/u/g, "o")
    .replace(/h/g, "");
}

/** @returns Latin letters for a text in another script, or undefined for scripts that do not represent sounds */
function toLatin(text: string): string | undefined {
  let latin = "";
  for (const letter of text) {
    const code = letter.charCodeAt(0);
    if (code < 0x250) latin += letter;
    else if (code >= LEAD_FIRST && code < LEAD_FIRST + HANGUL_LEADS.length) latin += HANGUL_LEADS[code - LEAD_FIRST];
    else if (code > TAIL_FIRST && code <= TAIL_FIRST + 27) latin += HANGUL_TAILS[code - TAIL_FIRST];
    else if (code >= 0x1161 && code <= 0x1175) latin += "a";
    else {
      const known = LATIN_OF.get(letter);
      if (known === undefined) return undefined;
      latin += known;
    }
  }
  return latin;
}

/** How many letters two texts have in common in any order: an upper limit for those in the same order. */
function countCommon(x: string, y: string): number {
  let common = 0;
  let left = y;
  for (const letter of x) {
    const at = left.indexOf(letter);
    if (at < 0) continue;
    common++;
    left = left.slice(0, at) + left.slice(at + 1);
  }
  return common;
}

/** Does the shorter text contain most of the longer one in the same order? */
function overlaps(x: string, y: string): boolean {
  const enough = ENOUGH * Math.max(x.length, y.length);
  if (x === "" || Math.min(x.length, y.length) < enough || countCommon(x, y) < enough) return false;
  let row = new Array<number>(y.length + 1).fill(0);
  for (const letter of x) {
    const next = [0];
    for (let j = 1; j <= y.length; j++) {
      const kept = Math.max(row[j] ?? 0, next[j - 1] ?? 0);
      next.push(letter === y[j - 1] ? (row[j - 1] ?? 0) + 1 : kept);
    }
    row = next;
  }
  return (row[y.length] ?? 0) >= enough;
}

const FOREIGN = Mark.Cyrillic | Mark.Greek | Mark.OtherScript;

/** Is one name in Latin letters and the other in another script altogether? */
export const crossesScripts = (a: Reading, b: Reading): boolean =>
  ((a.marks & FOREIGN) === 0) !== ((b.marks & FOREIGN) === 0) && a.size > 0 && b.size > 0;

/** The sound of a name: consonants alone, and with vowels. */
export interface Sounds {
  skeleton: string;
  spelled: string;
}

/** @returns undefined for scripts that do not represent sounds (Chinese, and those without a table here) */
export function soundsOf(reading: Reading): Sounds | undefined {
  const latin = toLatin(lettersOf(reading).slice(0, MAX_COMPARED));
  return latin === undefined ? undefined : { skeleton: skeleton(latin), spelled: spelled(latin) };
}

/**
 * Could a name in another script be the Latin one? Compares consonants after a rough romanisation; for scripts that do
 * not represent sounds, it is always possible.
 * @param areSpelled both scripts write vowels, which are then compared too
 */
export function couldBeRomanised(a: Sounds | undefined, b: Sounds | undefined, areSpelled: boolean): boolean {
  if (a === undefined || b === undefined) return true;
  return overlaps(a.skeleton, b.skeleton) && (!areSpelled || overlaps(a.spelled, b.spelled));
}
