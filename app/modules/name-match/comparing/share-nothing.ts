import { Code } from "../reading/characters";
import { Mark, type Reading } from "../reading/reading";
import { Gap, type Word } from "../reading/word";
import { Flag } from "../vocabulary/flags";
import { looksAlike } from "./look-alikes";
import { crossesScripts } from "./other-scripts";
import { areKin, editBudget } from "./relate-words";
import { commonPrefix, haveLikeConsonants, isPlural, leastEdits, type Speller } from "./spelling";

/*
 * A glance at two names that have been read: can there be anything but "none"? Every way in which the comparison ties
 * two words, or two names as wholes, has a condition here that is weaker and cheaper. A property holds that nothing is
 * lost: names that share nothing are never an exact or a close match.
 */

/** Names with these are compared in full: numbers look like letters, titles can stand for a holder, and so on. */
const HARD = Mark.Digit | Mark.Homoglyph;
const COUPLE = Flag.Title | Flag.And;
const SHORTEST_CUT = 4;
const STEM = 5;
const FORM = 3;
const LONGEST_ACRONYM = 6;
/** Edits that two people's names may be apart when each is written as one word. */
const EDITS_AS_ONE = 2;

/** "rn" looks like "m", "vv" like "w". */
const LOOK_ALIKES = [..."rnmvw"].reduce((bits, letter) => bits | (1 << letter.charCodeAt(0)), 0);

function hasDigit({ letters, size }: Reading): boolean {
  for (let k = 0; k < size; k++) if ((letters[k] ?? 0) < Code.DigitEnd) return true;
  return false;
}

/** "Pty", "Ltd", "Inc" behind another word: a legal form, which makes the name an organisation's. */
const isSureForm = (word: Word) => word.index > 0 && word.has(Flag.Legal) && !word.has(Flag.EndForm);

/** Words that no core of a name has. */
const isBeside = (word: Word, reading: Reading) =>
  word.has(Flag.And) || (isSureForm(word) && !reading.word(word.index - 1).has(Flag.Connector));

const NAMES = Flag.Given | Flag.Surname;
const MAX_SOUND_GAP = 3;

/** Is a word what the other one can also mean ("St" and "Street"), or the place it belongs to? */
function mayMean(a: Word, b: Word): boolean {
  const { second, place } = a.entry;
  return second?.id === b.meaning || place?.id === b.meaning;
}

/** Could the two words be spellings of one, by their lengths and sets of letters? */
function areNear(a: Word, b: Word): boolean {
  const gap = a.length < b.length ? b.length - a.length : a.length - b.length;
  if (gap > MAX_SOUND_GAP) return false;
  if (haveLikeConsonants(a.mask, b.mask)) return true;
  const least = leastEdits(a.mask, b.mask);
  return gap <= limitOf(a, b) && least <= limitOf(a, b);
}

/** Edits that two spellings of one word may be apart. */
function limitOf(a: Word, b: Word): number {
  if (a.has(NAMES) && b.has(NAMES)) return 1;
  return a.length < b.length ? editBudget(a.length, b.length) : editBudget(b.length, a.length);
}

/** Are the two words spelled or said alike, edit by edit? */
function areSpelledAlike(a: Word, b: Word, speller: Speller): boolean {
  const limit = limitOf(a, b);
  return speller.soundsAlike(a, b) || speller.editDistance(a, b, limit) <= limit;
}

const mayLookAlike = (a: Word, b: Word) => ((a.mask ^ b.mask) & ~LOOK_ALIKES) === 0 && looksAlike(a, b);

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
  if (areNear(a, b) && areSpelledAlike(a, b, speller)) return true;
  return mayBeginOne(a, b) || mayLookAlike(a, b);
}

/** What a glance takes in of a name besides its words. */
export interface Glance {
  /** Which words could be tied, as a set of bits. */
  words: number;
  /** Letters of all words as a set of bits, and of those that surely tell who it is. */
  all: number;
  sure: number;
  /** First letters of the words. */
  initials: number;
  isOrganisation: boolean;
  /** Can a part of the name be one word, which may be an acronym? */
  isShort: boolean;
  /** Must the name be compared in full? */
  isHard: boolean;
}

const STRUCTURE =
  Flag.Title |
  Flag.Postnominal |
  Flag.Generation |
  Flag.Legal |
  Flag.Entity |
  Flag.Purpose |
  Flag.Reference |
  Flag.Article;

export function glanceAt(reading: Reading): Glance {
  const glance = { words: 0, all: 0, sure: 0, initials: 0, isOrganisation: false, isShort: false, isHard: false };
  glance.isHard = isHard(reading);
  if (!glance.isHard) lookAtWords(reading, glance);
  return glance;
}

function lookAtWords(reading: Reading, glance: Glance): void {
  let sure = 0;
  let gaps = 0;
  for (let k = 0; k < reading.count; k++) {
    const word = reading.word(k);
    glance.all |= word.mask;
    glance.initials |= 1 << word.at(0);
    gaps |= word.gap;
    if (isSureForm(word)) glance.isOrganisation = true;
    if (isBeside(word, reading)) continue;
    glance.words |= 1 << k;
    if (word.has(STRUCTURE)) continue;
    glance.sure |= word.mask;
    sure++;
  }
  const hasParts = (reading.union & (Flag.Connector | Flag.Reference)) !== 0;
  if (hasParts) glance.sure = 0;
  // Beside half of a legal form, one word can be the other half with a typing error.
  const least = (reading.union & Flag.Legal) === 0 ? 1 : 2;
  glance.isShort = sure <= least || hasParts || (gaps & Gap.Open) !== 0;
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

function beginAlike(a: Reading, b: Reading): boolean {
  for (let k = 0; k < SHORTEST_CUT; k++) if (a.letters[k] !== b.letters[k]) return false;
  return true;
}

/** More words than this are compared in full. */
const MOST_WORDS = 31;

function isHard(reading: Reading): boolean {
  return (
    reading.count > MOST_WORDS ||
    (reading.marks & HARD) !== 0 ||
    (reading.union & COUPLE) === COUPLE ||
    hasDigit(reading)
  );
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
  if (x.isHard || y.isHard || x.words === 0 || y.words === 0) return false;
  const a = own.name.reading;
  const b = other.name.reading;
  if (crossesScripts(a, b) || (a.union & b.union & Flag.Reference) !== 0) return false;
  if (beginAlike(a, b) || mayBeOneWord(x, y)) return false;
  if (mayBeAcronym(a, x, y, b.count) || mayBeAcronym(b, y, x, a.count)) return false;
  for (let i = 0; i < a.count; i++) {
    if ((x.words & (1 << i)) === 0) continue;
    for (let j = 0; j < b.count; j++) {
      if ((y.words & (1 << j)) !== 0 && mayBeTied(a.word(i), b.word(j), speller)) return false;
    }
  }
  return true;
}
