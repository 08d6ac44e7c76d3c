import { boundedEditDistance } from "~/kernel/edit-distance";
import type { Reading } from "../reading/reading";
import { Role, type Word } from "../reading/word";
import { Flag } from "../vocabulary/flags";
import { LEXICON } from "../vocabulary/words";
import type { Part } from "./name";

const PTY = LEXICON.get("pty").id;
const LTD = LEXICON.get("ltd").id;
/** "P/L" and "PL" are "Pty Ltd" in one word. */
const P_L = LEXICON.get("p/l").id;
const PL = LEXICON.get("pl").id;
const PTYLTD = LEXICON.get("ptyltd").id;
const FACTOR = 8191;

/** Proprietary company: "Pty Ltd" in any spelling. */
export const PTY_LTD = FACTOR * PTY + LTD;
/** The last word was cut off or left out: "Pty". */
export const PTY_ONLY = PTY;
export const LTD_ONLY = LTD;

export const isCompany = (form: number): boolean => form === PTY_LTD || form === PTY_ONLY || form === LTD_ONLY;

/** The form as a number that is equal for equal forms. */
function numberOf(reading: Reading, part: Part): number {
  let form = 0;
  for (let k = part.from; k < part.end; k++) {
    const word = reading.word(k);
    if (word.role !== Role.Legal) continue;
    const { meaning } = word;
    form = meaning === P_L || meaning === PL || meaning === PTYLTD ? PTY_LTD : (Math.imul(form, FACTOR) + meaning) | 0;
  }
  return form;
}

/** A spelling of half of "Pty Ltd", and how many typing errors it may have. */
interface Spelling {
  half: number;
  text: string;
  slips: number;
  /** Its letters as a set of bits. */
  mask: number;
}

const spelling = (half: number, text: string, slips: number): Spelling => ({
  half,
  text,
  slips,
  mask: [...text].reduce((bits, letter) => bits | (1 << letter.charCodeAt(0)), 0),
});

const SPELLINGS: readonly Spelling[] = [
  spelling(PTY, "pty", 1),
  spelling(PTY, "proprietary", 2),
  spelling(LTD, "ltd", 1),
  spelling(LTD, "limited", 1),
];

/** Has a set at most one or two members? */
const hasAtMost = (bits: number, most: number) => {
  const rest = bits & (bits - 1);
  return most === 1 ? rest === 0 : (rest & (rest - 1)) === 0;
};

/** By length and letters alone: an edit adds at most one letter, and takes at most one away. */
const mayBeSlip = (word: Word, { text, slips, mask }: Spelling) =>
  word.length >= text.length - slips &&
  word.length <= text.length + slips &&
  hasAtMost(word.mask & ~mask, slips) &&
  hasAtMost(mask & ~word.mask, slips);

/** Could a word be half of the form with a typing error, by its length and letters alone? */
export const mayBeFormSlip = (word: Word): boolean => SPELLINGS.some((known) => mayBeSlip(word, known));

const VOWELS = new Set([..."aeiou"].map((letter) => letter.charCodeAt(0)));
const SHORT = 5;

/** Is there a vowel between two letters, as in a word that can be said ("Pay Ltd", "Pty Led")? */
function isSayable(word: Word): boolean {
  for (let k = 1; k < word.length - 1; k++) if (VOWELS.has(word.at(k))) return true;
  return false;
}

/** A word that has lost both its first and its last letter is read as another word ("Corporation" of "Proprietary"). */
const keepsAnEnd = (word: Word, { text }: Spelling) =>
  word.at(0) === text.charCodeAt(0) || word.at(word.length - 1) === text.charCodeAt(text.length - 1);

/** Is a word this half of the form with a typing error? Short words that can be said are words of their own. */
function isSlipOf(half: number, word: Word): boolean {
  if (word.length < SHORT && isSayable(word)) return false;
  for (const known of SPELLINGS) {
    if (known.half !== half || !mayBeSlip(word, known) || !keepsAnEnd(word, known)) continue;
    const letters = String.fromCharCode(...word.letters.subarray(word.start, word.start + word.length));
    if (boundedEditDistance(letters, known.text, known.slips) <= known.slips) return true;
  }
  return false;
}

/** "Pty Lt", "ty Ltd": beside one half of the form the other half may have a typing error. */
function findSlip(reading: Reading, part: Part, half: Word): void {
  const other = part.form === PTY_ONLY ? LTD : PTY;
  const at = other === LTD ? half.index + 1 : half.index - 1;
  if (at <= part.from || at >= part.end) return;
  const word = reading.word(at);
  if (word.role !== Role.Core || !isSlipOf(other, word)) return;
  word.role = Role.Legal;
  word.meaning = other;
  part.formWords.include(word);
  part.isFormSlipped = true;
  part.form = PTY_LTD;
}

/**
 * Finds the legal form of a part: "Pty", "Ltd", "Inc" wherever they stand after the first word; forms that are also
 * ordinary letters ("NL", "AG", "OOO") only where registers put them.
 */
export function findLegalForm(reading: Reading, part: Part): void {
  if ((reading.union & Flag.Legal) === 0) return;
  const { from, end, formWords } = part;
  for (let k = end - 1; k > from; k--) {
    const word = reading.word(k);
    if (word.role !== Role.Core || !word.has(Flag.Legal)) continue;
    const isLast = k === end - 1 || reading.word(k + 1).role !== Role.Core;
    if (word.has(Flag.EndForm) && !isLast) continue;
    word.role = Role.Legal;
    formWords.include(word);
  }
  if (end - from > 1) {
    const first = reading.word(from);
    if (first.role === Role.Core && first.has(Flag.Legal) && first.has(Flag.StartForm)) {
      first.role = Role.Legal;
      formWords.include(first);
    }
  }
  if (formWords.first === undefined) return;
  part.form = numberOf(reading, part);
  if (part.form === PTY_ONLY || part.form === LTD_ONLY) findSlip(reading, part, formWords.first);
}
