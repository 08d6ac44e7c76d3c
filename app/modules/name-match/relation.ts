import { looksAlike } from "./confusables";
import { familiesOf, placeOf, romanOf, spellingsOf } from "./lexicon";
import { commonPrefix, editDistance, isPlural, leastEdits, soundBits, soundsAlike } from "./spelling";
import {
  BRANCH,
  COMPASS,
  COUNTRY,
  GIVEN,
  GROUP,
  LINK,
  NUMBER,
  PERSONAL,
  PLACE,
  RELATED,
  STATE,
  SURNAME,
  TRADE,
} from "./vocabulary/flags";
import { secondReadingAt, type Words } from "./words";

/** How two different words can still be the same one. Lower is nearer. */
export enum Relation {
  Equal = 0,
  Reading = 1,
  Plural = 2,
  Homoglyph = 3,
  Spelling = 4,
  Nickname = 5,
  Initial = 6,
  Typo = 7,
  Typos = 8,
  Stem = 9,
  Roman = 10,
  Joined = 11,
  None = 12,
}

/** Edits of the last pair that `relate` called `Typo` or `Typos`. */
export let lastEdits = 0;

function shares(a: readonly number[] | undefined, b: readonly number[] | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  for (let i = 0; i < a.length; i++) for (let j = 0; j < b.length; j++) if (a[i] === b[j]) return true;
  return false;
}

/** Words whose meaning is known: a different known word is a different word, however near its spelling. */
const BUSINESS = TRADE | GROUP | BRANCH | LINK;
const LOCAL = COUNTRY | STATE | PLACE | COMPASS;

const bothOf = (left: number, right: number, sort: number) => (left & sort) !== 0 && (right & sort) !== 0;
const bothKnown = (left: number, right: number) =>
  bothOf(left, right, PERSONAL) || bothOf(left, right, BUSINESS) || bothOf(left, right, LOCAL);

/** Edits a word of this length may have and still be a typing error. */
export function editBudget(shorter: number, longer: number): number {
  if (shorter < 2 || longer < 3) return 0;
  if (longer < 5) return 1;
  if (longer < 9) return 2;
  return 3;
}

/** Relation of two words of organisations' names. */
export function relateWords(a: Words, i: number, b: Words, j: number): Relation {
  const x = a.reading.codes;
  const y = b.reading.codes;
  const xs = a.start[i]!;
  const ys = b.start[j]!;
  const xl = a.length[i]!;
  const yl = b.length[j]!;
  const left = a.flags[i]!;
  const right = b.flags[j]!;
  const least = leastEdits(a.mask[i]!, b.mask[j]!);
  if (least > 2 && x[xs] !== y[ys] && ((left | right) & (RELATED | NUMBER)) === 0 && (left & right & GIVEN) === 0)
    return Relation.None;
  if (((left | right) & RELATED) !== 0) {
    if (secondReadingAt(a, i, b, j)) return Relation.Reading;
    const place = placeOf[a.word[i]!]!;
    const other = placeOf[b.word[j]!]!;
    if ((place !== 0 && place === b.key[j]) || (other !== 0 && other === a.key[i])) return Relation.Stem;
  }
  if (((left | right) & NUMBER) !== 0 || (left & right & (STATE | COMPASS)) !== 0) {
    const l = romanOf[a.word[i]!]!;
    const r = romanOf[b.word[j]!]!;
    if ((l !== 0 && l === b.key[j]) || (r !== 0 && r === a.key[i])) return Relation.Roman;
    return looksAlike(x, xs, xl, y, ys, yl) ? Relation.Homoglyph : Relation.None;
  }
  if (isPlural(x, xs, xl, y, ys, yl)) return Relation.Plural;
  if (looksAlike(x, xs, xl, y, ys, yl)) return Relation.Homoglyph;
  if (xl === 1 || yl === 1) return x[xs] === y[ys] && xl !== yl ? Relation.Initial : Relation.None;
  const shorter = xl < yl ? xl : yl;
  const longer = xl < yl ? yl : xl;
  if (hasDigit(x, xs, xl) || hasDigit(y, ys, yl)) return Relation.None;
  const known = bothKnown(left, right);
  if (known) {
    if (shares(spellingsOf[a.word[i]!], spellingsOf[b.word[j]!])) return Relation.Spelling;
    if (shares(familiesOf[a.word[i]!], familiesOf[b.word[j]!])) return Relation.Nickname;
  }
  if (least > 2 && x[xs] !== y[ys]) return Relation.None;
  const prefix = commonPrefix(x, xs, xl, y, ys, yl);
  const personal = ((left | right) & (GIVEN | SURNAME)) !== 0;
  if (prefix >= 5 && prefix * 2 >= longer && !(known && personal)) {
    const edits = editDistance(x, xs, xl, y, ys, yl, 2);
    if (!known && edits <= 2) {
      lastEdits = edits;
      return edits === 1 ? Relation.Typo : Relation.Typos;
    }
    if (shorter - prefix <= 4) return Relation.Stem;
  }
  if (known) return least <= 1 && isSlip(x, xs, xl, y, ys, yl) ? Relation.Typo : Relation.None;
  const budget = longer < 5 ? (shorter < 3 ? 0 : 1) : longer < 6 ? 1 : 2;
  const edits = editDistance(x, xs, xl, y, ys, yl, budget);
  lastEdits = edits;
  if (edits > budget) return Relation.None;
  return edits === 1 ? Relation.Typo : Relation.Typos;
}

const LETTER_A = 97;
const MIN_SLIP = 5;
const SAFE_SLIP = 7;

/**
 * Two well-known words one edit apart are mostly two different words ("Hunt", "Hurt"; "Paul", "Paula"). In longer
 * words the edit is more likely a slip ("Walters", "Watters"), so that somebody should look.
 */
function isSlip(x: Uint16Array, xs: number, xl: number, y: Uint16Array, ys: number, yl: number): boolean {
  const longer = xl < yl ? yl : xl;
  if (longer < MIN_SLIP || editDistance(x, xs, xl, y, ys, yl, 1) !== 1) return false;
  lastEdits = 1;
  if (longer >= SAFE_SLIP) return true;
  if (x[xs] !== y[ys]) return false;
  return xl === yl || (x[xs + xl - 1] !== LETTER_A && y[ys + yl - 1] !== LETTER_A);
}

function hasDigit(codes: Uint16Array, start: number, length: number): boolean {
  for (let k = start; k < start + length; k++) if (codes[k]! < 58) return true;
  return false;
}

/** Relation of two parts of people's names. */
export function relateNames(a: Words, i: number, b: Words, j: number): Relation {
  const x = a.reading.codes;
  const y = b.reading.codes;
  const xs = a.start[i]!;
  const ys = b.start[j]!;
  const xl = a.length[i]!;
  const yl = b.length[j]!;
  if (xl === 1 || yl === 1) return x[xs] === y[ys] && xl !== yl ? Relation.Initial : Relation.None;
  const left = a.flags[i]!;
  const right = b.flags[j]!;
  const least = leastEdits(a.mask[i]!, b.mask[j]!);
  const rhymes = soundBits(a.mask[i]!) === soundBits(b.mask[j]!);
  if (least > 3 && !rhymes && (left & right & GIVEN) === 0) {
    return looksAlike(x, xs, xl, y, ys, yl) && hasDigit(x, xs, xl) !== hasDigit(y, ys, yl)
      ? Relation.Homoglyph
      : Relation.None;
  }
  if (looksAlike(x, xs, xl, y, ys, yl)) return Relation.Homoglyph;
  const word = a.word[i]!;
  const other = b.word[j]!;
  if ((left & right & GIVEN) !== 0) {
    if (shares(spellingsOf[word], spellingsOf[other])) return Relation.Spelling;
    if (shares(familiesOf[word], familiesOf[other])) return Relation.Nickname;
  }
  const form = (left & right & GIVEN) !== 0 && commonPrefix(x, xs, xl, y, ys, yl) === Math.min(xl, yl);
  if (rhymes && !form && xl > 2 && yl > 2 && soundsAlike(x, xs, xl, y, ys, yl)) return Relation.Spelling;
  if (least > 3) return Relation.None;
  const shorter = xl < yl ? xl : yl;
  const longer = xl < yl ? yl : xl;
  if ((left & (GIVEN | SURNAME)) !== 0 && (right & (GIVEN | SURNAME)) !== 0) {
    return !form && least <= 1 && isSlip(x, xs, xl, y, ys, yl) ? Relation.Typo : Relation.None;
  }
  const budget = editBudget(shorter, longer);
  if (least > budget) return Relation.None;
  const edits = editDistance(x, xs, xl, y, ys, yl, budget);
  lastEdits = edits;
  if (edits > budget || (longer - edits) * 100 < longer * 55) return Relation.None;
  return edits === 1 ? Relation.Typo : Relation.Typos;
}
