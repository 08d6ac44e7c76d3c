import type { Reading } from "../reading/reading";
import type { Word } from "../reading/word";
import { Flag } from "../vocabulary/flags";
import { BRACKET_BITS, bitOf, Fact, type Glance, SECOND_LETTER } from "./glance";
import { looksAlike } from "./look-alikes";
import { areKin, editBudget } from "./relate-words";
import { commonPrefix, countBits, haveLikeConsonants, isPlural, isSome, leastEditsOf, type Speller } from "./spelling";

/*
 * A glance at two names that have been read: can there be anything but "none"? Every way in which the comparison ties
 * two words, or two names as wholes, has a condition here that is weaker and cheaper. Names are alike only if every
 * telling word of a part or holder of one of them can be tied to a word of the other. A property holds that nothing is
 * lost: names that are ruled out are never an exact or a close match.
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
  if ((x & ~y) === 0 || ((a[i + Fact.Kin] ?? 0) & (b[j + Fact.Kin] ?? 0)) !== 0) return true;
  if (a[i + Fact.Seen] === b[j + Fact.Seen] || a[i + Fact.Said] === b[j + Fact.Said]) return true;
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
function holdsPersonWithin({ facts, count, stretches, tellingLetters }: Glance, { all }: Glance): boolean {
  if (stretches >> BRACKET_BITS === 0) return countBits(tellingLetters & ~all) <= EDITS_AS_ONE;
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

/** Are two words tied though their letters differ: by what they mean or as initials? */
function meanAlike(a: Int32Array, i: number, b: Int32Array, j: number): boolean {
  const meaning = a[i + Fact.Meaning] ?? 0;
  const known = b[j + Fact.Meaning] ?? 0;
  if (known === meaning || known === a[i + Fact.Other] || b[j + Fact.Other] === meaning) return true;
  const begins = 1 << ((a[i + Fact.First] ?? 0) >>> SECOND_LETTER);
  const otherBegins = 1 << ((b[j + Fact.First] ?? 0) >>> SECOND_LETTER);
  return ((b[j + Fact.Initials] ?? 0) & begins) !== 0 || ((a[i + Fact.Initials] ?? 0) & otherBegins) !== 0;
}

/**
 * The words of a name, as bits, that the word of some facts may be tied to by their letters, lengths and beginnings.
 * Ruling out spends its time here: there is no branch within the loop, because none could be foreseen.
 */
function findMet(a: Int32Array, i: number, b: Int32Array, count: number): number {
  const x = a[i + Fact.Mask] ?? 0;
  const first = a[i + Fact.First] ?? 0;
  const length = a[i + Fact.Length] ?? 0;
  const edits = a[i + Fact.MostEdits] ?? 0;
  const said = a[i + Fact.Said] ?? 0;
  const seen = a[i + Fact.Seen] ?? 0;
  let apart = 0;
  for (let j = 0, k = 0; k < count; j += Fact.Count, k++) {
    const y = b[j + Fact.Mask] ?? 0;
    const onlyX = x & ~y;
    const onlyY = y & ~x;
    const gap = (b[j + Fact.Length] ?? 0) - length;
    const most = Math.max(edits, b[j + Fact.MostEdits] ?? 0);
    const isFar = ((most - countBits(onlyX) - Math.max(gap, 0)) | (most - countBits(onlyY) + Math.min(gap, 0))) >>> 31;
    const differs =
      isFar &
      isSome(onlyX) &
      isSome(onlyY) &
      isSome(first ^ (b[j + Fact.First] ?? 0)) &
      isSome(said ^ (b[j + Fact.Said] ?? 0)) &
      isSome(seen ^ (b[j + Fact.Seen] ?? 0));
    apart |= differs << k;
  }
  return ~apart & ((1 << count) - 1);
}

/** The words of a name, as bits, that the word of some facts may be tied to by what they mean, as given names or as initials. */
function findMeant(a: Int32Array, i: number, b: Int32Array, count: number): number {
  let met = 0;
  for (let k = 0; k < count; k++) {
    const mayBeKin = ((a[i + Fact.Kin] ?? 0) & (b[k * Fact.Count + Fact.Kin] ?? 0)) !== 0;
    if (mayBeKin || meanAlike(a, i, b, k * Fact.Count)) met |= 1 << k;
  }
  return met;
}

/** Which words of two names may be tied to a word of the other, one bit each. One serves all pairs of names. */
export class Meetings {
  own = 0;
  other = 0;

  find(a: Glance, b: Glance): void {
    const { facts: x, count } = a;
    const { facts: y, count: countOfOther } = b;
    const isPlain = a.isPlain && b.isPlain && (a.kin & b.kin) === 0;
    let own = 0;
    let other = 0;
    for (let k = 0; k < count; k++) {
      let met = findMet(x, k * Fact.Count, y, countOfOther);
      if (!isPlain) met |= findMeant(x, k * Fact.Count, y, countOfOther);
      own |= isSome(met) << k;
      other |= met;
    }
    this.own = own;
    this.other = other;
  }
}

/** What the comparison of all names works with. */
interface Tools {
  speller: Speller;
  meetings: Meetings;
}

/** @returns true only for names that are no match whatever else is compared, neither exact nor close */
export function isRuledOut(own: Seen, other: Seen, { speller, meetings }: Tools): boolean {
  const a = own.glance();
  const b = other.glance();
  if (a.isHard || b.isHard || a.isForeign !== b.isForeign) return false;
  if (beginAlike(a, b) || mayBeOneWord(a, b) || mayBeAcronym(a, b) || mayBeAcronym(b, a)) return false;
  meetings.find(a, b);
  const { own: met, other: metOfOther } = meetings;
  if (a.isVague || b.isVague) return !isAnyTied(own, other, met, speller);
  return !holdsTiedStretch(own, other, met, speller) && !holdsTiedStretch(other, own, metOfOther, speller);
}

/** Can the word whose facts are at `i` be tied to a word of the other name? */
function isTied(i: number, own: Seen, other: Seen, speller: Speller): boolean {
  const a = own.glance().facts;
  const { facts: b, count } = other.glance();
  const word = own.name.reading.word(a[i + Fact.Index] ?? 0);
  for (let j = 0; j < count * Fact.Count; j += Fact.Count) {
    if (meanAlike(a, i, b, j)) return true;
    if (a[i + Fact.First] !== b[j + Fact.First] && !mayBeRelated(a, i, b, j)) continue;
    if (mayBeTied(word, other.name.reading.word(b[j + Fact.Index] ?? 0), speller)) return true;
  }
  return false;
}

/** Can any word of one name be tied to a word of the other? @param met which may, one bit each */
function isAnyTied(own: Seen, other: Seen, met: number, speller: Speller): boolean {
  const { count } = own.glance();
  if (count === 0 || other.glance().count === 0) return true;
  for (let k = 0; k < count; k++)
    if ((met & (1 << k)) !== 0 && isTied(k * Fact.Count, own, other, speller)) return true;
  return false;
}

/** Has a name a stretch of which every telling word can be tied to a word of the other name? @param met which may */
function holdsTiedStretch(own: Seen, other: Seen, met: number, speller: Speller): boolean {
  const { facts, count, telling, stretches } = own.glance();
  const missed = telling & ~met;
  if (stretches === 0 && missed !== 0) return false;
  let stretch = facts[Fact.Stretch];
  let isTiedSoFar = true;
  for (let k = 0; k < count; k++) {
    const next = facts[k * Fact.Count + Fact.Stretch];
    if (next !== stretch) {
      if (isTiedSoFar) return true;
      stretch = next;
      isTiedSoFar = true;
    }
    if (!isTiedSoFar || (telling & (1 << k)) === 0) continue;
    isTiedSoFar = (missed & (1 << k)) === 0 && isTied(k * Fact.Count, own, other, speller);
  }
  return isTiedSoFar;
}
