import type { Reading } from "../reading/reading";
import type { Word } from "../reading/word";
import { Flag } from "../vocabulary/flags";
import { Fact, type Glance, SECOND_LETTER } from "./glance";
import { looksAlike } from "./look-alikes";
import { crossesScripts } from "./other-scripts";
import { areKin, editBudget } from "./relate-words";
import { commonPrefix, haveLikeConsonants, isPlural, leastEdits, type Speller } from "./spelling";

/*
 * A glance at two names that have been read: can there be anything but "none"? Every way in which the comparison ties
 * two words, or two names as wholes, has a condition here that is weaker and cheaper. A property holds that nothing is
 * lost: names that share nothing are never an exact or a close match.
 */

const STEM = 5;
const FORM = 3;
const LONGEST_ACRONYM = 6;
/** Edits that two people's names may be apart when each is written as one word. */
const EDITS_AS_ONE = 2;
const NAMES = Flag.Given | Flag.Surname;
const MAX_SOUND_GAP = 3;

/** "rn" looks like "m", "vv" like "w". */
const LOOK_ALIKES = [..."rnmvw"].reduce((bits, letter) => bits | (1 << letter.charCodeAt(0)), 0);

/** Edits that two spellings of one word may be apart, by the facts kept of the words. */
function limitOf(flags: number, length: number, otherLength: number): number {
  if ((flags & NAMES) !== 0) return 1;
  return length < otherLength ? editBudget(length, otherLength) : editBudget(otherLength, length);
}

/** Have the words nothing in common: neither letters, nor meaning, first letter or family of names? */
function areFar(a: Int32Array, i: number, b: Int32Array, j: number): boolean {
  if (a[i + Fact.Meaning] === b[j + Fact.Meaning]) return false;
  const either = (a[i + Fact.Flags] ?? 0) | (b[j + Fact.Flags] ?? 0);
  if ((either & Flag.Related) !== 0 || ((a[i + Fact.Kin] ?? 0) & (b[j + Fact.Kin] ?? 0)) !== 0) return false;
  const x = a[i + Fact.Mask] ?? 0;
  const y = b[j + Fact.Mask] ?? 0;
  if (((x ^ y) & ~LOOK_ALIKES) === 0) return false;
  const length = a[i + Fact.Length] ?? 0;
  const otherLength = b[j + Fact.Length] ?? 0;
  const first = (a[i + Fact.First] ?? 0) ^ (b[j + Fact.First] ?? 0);
  if (first === 0 || ((length === 1 || otherLength === 1) && first < SECOND_LETTER)) return false;
  const gap = length < otherLength ? otherLength - length : length - otherLength;
  if (gap > MAX_SOUND_GAP) return true;
  if (haveLikeConsonants(x, y)) return false;
  const both = (a[i + Fact.Flags] ?? 0) & (b[j + Fact.Flags] ?? 0);
  const limit = limitOf(both, length, otherLength);
  return gap > limit || leastEdits(x, y) > limit;
}

/** Is a word what the other one can also mean ("St" and "Street"), or the place it belongs to? */
function mayMean(a: Word, b: Word): boolean {
  const { second, place } = a.entry;
  return second?.id === b.meaning || place?.id === b.meaning;
}

/** Are the two words spelled or said alike? Their letters tell most apart before an edit is counted. */
function areSpelledAlike(a: Word, b: Word, speller: Speller): boolean {
  if (haveLikeConsonants(a.mask, b.mask) && speller.soundsAlike(a, b)) return true;
  const limit = a.has(NAMES) && b.has(NAMES) ? 1 : limitOf(0, a.length, b.length);
  return leastEdits(a.mask, b.mask) <= limit && speller.editDistance(a, b, limit) <= limit;
}

/** Could the two words be forms of one by how they begin: written apart, initial, plural, stem, familiar form? */
function mayBeginOne(a: Word, b: Word): boolean {
  if (a.letters[a.start] !== b.letters[b.start]) return false;
  const prefix = commonPrefix(a, b);
  if (prefix >= STEM || prefix === a.length || prefix === b.length || isPlural(a, b)) return true;
  return prefix >= FORM && ((a.flags | b.flags) & Flag.Given) !== 0;
}

/** Could the two words be tied, as one word or as related ones? */
function mayBeTied(a: Word, b: Word, speller: Speller): boolean {
  if (a.meaning === b.meaning || ((a.kin & b.kin) !== 0 && areKin(a, b))) return true;
  if (((a.flags | b.flags) & Flag.Related) !== 0 && (mayMean(a, b) || mayMean(b, a))) return true;
  return areSpelledAlike(a, b, speller) || mayBeginOne(a, b) || looksAlike(a, b);
}

function mayBeAcronym(reading: Reading, { isShort }: Glance, { initials }: Glance, count: number): boolean {
  if (!isShort) return false;
  for (let k = 0; k < reading.count; k++) {
    const { length, mask } = reading.word(k);
    if (length > 1 && length <= LONGEST_ACRONYM && length <= count && (mask & ~initials) === 0) return true;
  }
  return false;
}

/** People's names with spaces in the wrong places. */
function mayBeOneWord(a: Glance, b: Glance): boolean {
  if (a.isOrganisation || b.isOrganisation) return false;
  return leastEdits((a.sure & ~b.all) | (b.sure & ~a.all), 0) <= EDITS_AS_ONE;
}

/** A name that has been read, and what a glance at it tells. */
interface Seen {
  name: { reading: Reading };
  glance(): Glance;
}

/** @returns true only for names that are no match whatever else is compared, neither exact nor close */
export function shareNothing(own: Seen, other: Seen, speller: Speller): boolean {
  const x = own.glance();
  const y = other.glance();
  if (x.isHard || y.isHard || x.count === 0 || y.count === 0) return false;
  if (x.opening === y.opening || mayBeOneWord(x, y)) return false;
  const a = own.name.reading;
  const b = other.name.reading;
  if (crossesScripts(a, b) || (a.union & b.union & Flag.Reference) !== 0) return false;
  if (mayBeAcronym(a, x, y, b.count) || mayBeAcronym(b, y, x, a.count)) return false;
  return !shareWords(own, other, speller);
}

function shareWords(own: Seen, other: Seen, speller: Speller): boolean {
  const a = own.glance();
  const b = other.glance();
  for (let i = 0; i < a.count * Fact.Count; i += Fact.Count) {
    for (let j = 0; j < b.count * Fact.Count; j += Fact.Count) {
      if (areFar(a.facts, i, b.facts, j)) continue;
      const word = own.name.reading.word(a.facts[i + Fact.Index] ?? 0);
      if (mayBeTied(word, other.name.reading.word(b.facts[j + Fact.Index] ?? 0), speller)) return true;
    }
  }
  return false;
}
