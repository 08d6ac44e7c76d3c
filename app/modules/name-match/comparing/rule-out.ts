import type { Reading } from "../reading/reading";
import type { Word } from "../reading/word";
import { Flag } from "../vocabulary/flags";
import { BRACKET_BITS, bitOf, Fact, type Glance, SECOND_LETTER } from "./glance";
import { looksAlike } from "./look-alikes";
import { areKin, editBudget } from "./relate-words";
import { commonPrefix, countBits, haveLikeConsonants, isPlural, leastEditsOf, type Speller, setOf } from "./spelling";

/*
 * A glance at two names that have been read: can there be anything but "none"? Every way in which the comparison ties
 * two words, or two names as wholes, has a condition here that is weaker and cheaper. Names are alike only if every
 * telling word of a part or holder of one of them can be tied to a word of the other. A property holds that nothing is lost: names that are ruled out are never an exact or a close match.
 */

const STEM = 5;
const FORM = 3;
const LONGEST_ACRONYM = 6;
/** Edits that two people's names may be apart when each is written as one word, and the letters that it has. */
const EDITS_AS_ONE = 2;
const LEAST_AS_ONE = 8;
const NAMES = Flag.Given | Flag.Surname;
const MOST_EDITS = 3;
/** In shorter words one edit can change both the first and the last letter. */
const SHORT = 4;

/** "rn" looks like "m", "vv" like "w", and "1" like "i" and "l". */
const LOOK_ALIKES = setOf("rnmvwil");
/** Letters that neither look nor sound like another one. */
const OF_ONE_KIND = setOf("bdgjtx");

const budgetOf = (length: number, other: number) => editBudget(Math.min(length, other), Math.max(length, other));

/** May the words be spelled alike, as far as the letters tell? */
function mayBeSpelledAlike(a: Int32Array, i: number, b: Int32Array, j: number): boolean {
  const length = a[i + Fact.Length] ?? 0;
  const otherLength = b[j + Fact.Length] ?? 0;
  const least = leastEditsOf(a[i + Fact.Mask] ?? 0, b[j + Fact.Mask] ?? 0, otherLength - length);
  if (least > MOST_EDITS) return false;
  const areNames = ((a[i + Fact.Flags] ?? 0) & (b[j + Fact.Flags] ?? 0) & NAMES) !== 0;
  const limit = areNames ? 1 : budgetOf(length, otherLength);
  if (least > limit) return false;
  return length < SHORT || otherLength < SHORT || leastEditsBetween(a, i, b, j) <= limit;
}

/**
 * Least number of edits of two words of some letters: where the first letters differ there is an edit that takes no
 * other letter away, and where the last letters differ there is another.
 */
function leastEditsBetween(a: Int32Array, i: number, b: Int32Array, j: number): number {
  const x = a[i + Fact.Mask] ?? 0;
  const y = b[j + Fact.Mask] ?? 0;
  let onlyX = x & ~y;
  let onlyY = y & ~x;
  let edits = 0;
  const first = (a[i + Fact.First] ?? 0) >>> SECOND_LETTER;
  const otherFirst = (b[j + Fact.First] ?? 0) >>> SECOND_LETTER;
  if (first !== otherFirst) {
    edits++;
    onlyX &= ~bitOf(first);
    onlyY &= ~bitOf(otherFirst);
  }
  const last = a[i + Fact.Last] ?? 0;
  const otherLast = b[j + Fact.Last] ?? 0;
  if (last !== otherLast) {
    edits++;
    onlyX &= ~bitOf(last);
    onlyY &= ~bitOf(otherLast);
  }
  return edits + Math.max(countBits(onlyX), countBits(onlyY));
}

/** May the words be forms of one, or the first a part of the second, by their letters or their families of names? */
function mayBeRelated(a: Int32Array, i: number, b: Int32Array, j: number): boolean {
  const x = a[i + Fact.Mask] ?? 0;
  const y = b[j + Fact.Mask] ?? 0;
  const differing = x ^ y;
  if ((differing & x) === 0 || ((a[i + Fact.Kin] ?? 0) & (b[j + Fact.Kin] ?? 0)) !== 0) return true;
  if ((differing & OF_ONE_KIND) === 0 && ((differing & ~LOOK_ALIKES) === 0 || haveLikeConsonants(x, y))) return true;
  return mayBeSpelledAlike(a, i, b, j);
}

/** Are the two words spelled or said alike? Their letters tell most apart before an edit is counted. */
function areSpelledAlike(a: Word, b: Word, speller: Speller): boolean {
  if (haveLikeConsonants(a.mask, b.mask) && speller.soundsAlike(a, b)) return true;
  const limit = a.has(NAMES) && b.has(NAMES) ? 1 : budgetOf(a.length, b.length);
  return speller.editDistance(a, b, limit) <= limit;
}

/** Could the two words be forms of one by how they begin: initial, plural, stem, familiar form? */
function mayBeginOne(a: Word, b: Word): boolean {
  if (a.at(0) !== b.at(0)) return false;
  const prefix = commonPrefix(a, b);
  if (prefix >= STEM || prefix === a.length || prefix === b.length || isPlural(a, b)) return true;
  return prefix >= FORM && ((a.flags | b.flags) & Flag.Given) !== 0;
}

/** Does a word hold the other one, which can be written apart from the rest of it? */
function holds(whole: Word, part: Word): boolean {
  if ((part.mask & ~whole.mask) !== 0) return false;
  for (let from = 0; from + part.length <= whole.length; from++) {
    let k = 0;
    while (k < part.length && whole.at(from + k) === part.at(k)) k++;
    if (k === part.length) return true;
  }
  return false;
}

/** Could the two words be tied, as one word or as related ones, or the first as a part of the second? */
function mayBeTied(a: Word, b: Word, speller: Speller): boolean {
  if ((a.kin & b.kin) !== 0 && areKin(a, b)) return true;
  if (areSpelledAlike(a, b, speller) || mayBeginOne(a, b) || looksAlike(a, b)) return true;
  return a.length < b.length && holds(b, a);
}

/** Can a name be one word made of the first letters of the other's words? */
function mayBeAcronym(short: Glance, { initials, words }: Glance): boolean {
  if (!short.isShort) return false;
  const { facts } = short;
  for (let i = 0; i < short.count * Fact.Count; i += Fact.Count) {
    const length = facts[i + Fact.Length] ?? 0;
    if (length < 2 || length > LONGEST_ACRONYM || length > words) continue;
    if (((facts[i + Fact.Mask] ?? 0) & ~initials) === 0) return true;
  }
  return false;
}

/** Has a name a person of whom at most two letters are missing in all of the other name? */
function holdsPersonWithin({ facts, count, stretches, telling }: Glance, { all }: Glance): boolean {
  if (stretches >> BRACKET_BITS === 0) return countBits(telling & ~all) <= EDITS_AS_ONE;
  let missing = 0;
  let person = 0;
  for (let i = 0; i < count * Fact.Count; i += Fact.Count) {
    const next = (facts[i + Fact.Stretch] ?? 0) >> BRACKET_BITS;
    if (next !== person) {
      if (i > 0 && countBits(missing) <= EDITS_AS_ONE) return true;
      missing = 0;
      person = next;
    }
    if (facts[i + Fact.IsTelling] === 1) missing |= (facts[i + Fact.Mask] ?? 0) & ~all;
  }
  return countBits(missing) <= EDITS_AS_ONE;
}

/** People's names with spaces in the wrong places: each is compared as one word. */
function mayBeOneWord(a: Glance, b: Glance): boolean {
  if (a.isOrganisation || b.isOrganisation || a.allSize < LEAST_AS_ONE || b.allSize < LEAST_AS_ONE) return false;
  return holdsPersonWithin(a, b) && holdsPersonWithin(b, a);
}

/** Does one name begin with the first eight letters of the other, as a name that was cut off does? */
const beginAlike = (a: Glance, b: Glance) => a.opening === b.opening && a.secondOpening === b.secondOpening;

/** A name that has been read, and what a glance at it tells. */
interface Seen {
  name: { reading: Reading };
  glance(): Glance;
}

/** @returns true only for names that are no match whatever else is compared, neither exact nor close */
export function isRuledOut(own: Seen, other: Seen, speller: Speller): boolean {
  const a = own.glance();
  const b = other.glance();
  if (a.isHard || b.isHard || a.isForeign !== b.isForeign) return false;
  if (beginAlike(a, b) || mayBeOneWord(a, b) || mayBeAcronym(a, b) || mayBeAcronym(b, a)) return false;
  if (a.isVague || b.isVague) return !isAnyTied(own, other, speller);
  return !holdsTiedStretch(own, other, speller) && !holdsTiedStretch(other, own, speller);
}

/** Can the word whose facts are at `i` be tied to a word of the other name? */
function isTied(i: number, own: Seen, other: Seen, speller: Speller): boolean {
  const a = own.glance().facts;
  const { facts: b, count } = other.glance();
  const meaning = a[i + Fact.Meaning] ?? 0;
  const otherMeaning = a[i + Fact.Other] ?? 0;
  const first = a[i + Fact.First] ?? 0;
  const initials = a[i + Fact.Initials] ?? 0;
  const begins = 1 << (first >>> SECOND_LETTER);
  for (let j = 0; j < count * Fact.Count; j += Fact.Count) {
    const known = b[j + Fact.Meaning] ?? 0;
    if (known === meaning || known === otherMeaning || b[j + Fact.Other] === meaning) return true;
    const firstOfOther = b[j + Fact.First] ?? 0;
    if (((b[j + Fact.Initials] ?? 0) & begins) !== 0) return true;
    if (initials !== 0 && (initials & (1 << (firstOfOther >>> SECOND_LETTER))) !== 0) return true;
    if (first !== firstOfOther && !mayBeRelated(a, i, b, j)) continue;
    const word = own.name.reading.word(a[i + Fact.Index] ?? 0);
    if (mayBeTied(word, other.name.reading.word(b[j + Fact.Index] ?? 0), speller)) return true;
  }
  return false;
}

/** Can any word of one name be tied to a word of the other? */
function isAnyTied(own: Seen, other: Seen, speller: Speller): boolean {
  const { count } = own.glance();
  if (count === 0 || other.glance().count === 0) return true;
  for (let i = 0; i < count * Fact.Count; i += Fact.Count) if (isTied(i, own, other, speller)) return true;
  return false;
}

/** Has a name a stretch of which every telling word can be tied to a word of the other name? */
function holdsTiedStretch(own: Seen, other: Seen, speller: Speller): boolean {
  const { facts, count } = own.glance();
  let stretch = facts[Fact.Stretch];
  let isTiedSoFar = true;
  for (let i = 0; i < count * Fact.Count; i += Fact.Count) {
    if (facts[i + Fact.Stretch] !== stretch) {
      if (isTiedSoFar) return true;
      stretch = facts[i + Fact.Stretch];
      isTiedSoFar = true;
    }
    if (isTiedSoFar && facts[i + Fact.IsTelling] === 1) isTiedSoFar = isTied(i, own, other, speller);
  }
  return isTiedSoFar;
}
