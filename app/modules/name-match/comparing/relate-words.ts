import { Code } from "../reading/characters";
import { Relation, type Word } from "../reading/word";
import { Flag } from "../vocabulary/flags";
import type { Entry } from "../vocabulary/lexicon";
import { areFormsByEnding } from "./familiar-forms";
import { looksAlike } from "./look-alikes";
import { commonPrefix, haveLikeConsonants, isPlural, leastEdits, type Speller } from "./spelling";

const LETTER_A = 97;

/** Words whose meaning is known: a different known word is a different word, however near its spelling. */
const BUSINESS = Flag.Trade | Flag.Group | Flag.Branch | Flag.Link;
const LOCAL = Flag.Country | Flag.State | Flag.Place | Flag.Compass;
const NAMES = Flag.Given | Flag.Surname;

const bothAre = (a: Word, b: Word, flags: number) => a.has(flags) && b.has(flags);
const bothAreKnown = (a: Word, b: Word) =>
  bothAre(a, b, Flag.Personal) || bothAre(a, b, BUSINESS) || bothAre(a, b, LOCAL);
const bothAreGiven = (a: Word, b: Word) => (a.flags & b.flags & Flag.Given) !== 0;
const beginAlike = (a: Word, b: Word) => a.letters[a.start] === b.letters[b.start];

/** Can both be forms of one given name? */
const mayBeKin = (a: Word, b: Word) => (a.kin & b.kin) !== 0;

function shares(a: readonly number[], b: readonly number[]): boolean {
  for (let i = 0; i < a.length; i++) for (let j = 0; j < b.length; j++) if (a[i] === b[j]) return true;
  return false;
}

/** Is a word the one that something of the other word leads to (a second reading, a place, a number)? */
const leadsTo = (entry: Entry | undefined, word: Word) => entry !== undefined && entry.id === word.meaning;

/** Relation of two given names by the groups they belong to. */
function relateKin(a: Word, b: Word): Relation {
  if (!mayBeKin(a, b)) return Relation.None;
  const { entry } = a;
  const other = b.entry;
  if (shares(entry.spellings, other.spellings)) return Relation.Spelling;
  return shares(entry.families, other.families) ? Relation.Nickname : Relation.None;
}

/** Are both forms of one given name? */
export const areKin = (a: Word, b: Word): boolean => relateKin(a, b) !== Relation.None;

/** One, two or three typing errors. */
const bySlips = (edits: number): Relation => (edits > 0 ? Relation.Slip + edits - 1 : Relation.None);

function hasDigit(word: Word): boolean {
  for (let k = 0; k < word.length; k++) if (word.at(k) < Code.DigitEnd) return true;
  return false;
}

/** Short forms, adjectives and numerals of the vocabulary; undefined when it has no say. */
function relateByMeaning(a: Word, b: Word): Relation | undefined {
  if (a.has(Flag.Related) || b.has(Flag.Related)) {
    if (leadsTo(a.entry.second, b) || leadsTo(b.entry.second, a)) return Relation.Reading;
    if (leadsTo(a.entry.place, b) || leadsTo(b.entry.place, a)) return Relation.Stem;
  }
  if (a.has(Flag.Number) || b.has(Flag.Number) || (a.flags & b.flags & (Flag.State | Flag.Compass)) !== 0) {
    if (leadsTo(a.entry.arabic, b) || leadsTo(b.entry.arabic, a)) return Relation.Roman;
    return looksAlike(a, b) ? Relation.LookAlike : Relation.None;
  }
  return undefined;
}

const MIN_STEM = 5;
const MAX_ENDING = 4;
const LONG_SHORT_WORD = 5;

/** Edits that a word of an organisation's name may have and still be a typing error. */
function slipsAllowed(shorter: number, longer: number): number {
  if (longer < LONG_SHORT_WORD) return shorter < 3 ? 0 : 1;
  return longer === LONG_SHORT_WORD ? 1 : 2;
}

/** Relation of two words of organisations' names that are not equal. */
export function relateWords(a: Word, b: Word, speller: Speller): Relation {
  const least = leastEdits(a.mask, b.mask);
  const far = least > 2 && !beginAlike(a, b);
  const either = a.flags | b.flags;
  if (far && (either & (Flag.Related | Flag.Number)) === 0 && !mayBeKin(a, b)) return Relation.None;
  const meant = relateByMeaning(a, b);
  if (meant !== undefined) return meant;
  if (isPlural(a, b)) return Relation.Plural;
  if (looksAlike(a, b)) return Relation.LookAlike;
  if (a.length === 1 || b.length === 1) {
    return beginAlike(a, b) && a.length !== b.length ? Relation.Initial : Relation.None;
  }
  if (hasDigit(a) || hasDigit(b)) return Relation.None;
  const kin = relateKin(a, b);
  if (kin !== Relation.None) return kin;
  if (far) return Relation.None;
  return relateBySpelling(a, b, speller);
}

function relateBySpelling(a: Word, b: Word, speller: Speller): Relation {
  const known = bothAreKnown(a, b);
  const shorter = Math.min(a.length, b.length);
  const longer = Math.max(a.length, b.length);
  const prefix = commonPrefix(a, b);
  const personal = ((a.flags | b.flags) & NAMES) !== 0;
  if (prefix >= MIN_STEM && prefix * 2 >= longer && !(known && personal)) {
    const edits = known ? 0 : speller.editDistance(a, b, 2);
    if (edits === 1 || edits === 2) return bySlips(edits);
    if (shorter - prefix <= MAX_ENDING) return Relation.Stem;
  }
  if (known) return leastEdits(a.mask, b.mask) <= 1 && isSlip(a, b, speller) ? Relation.Slip : Relation.None;
  const allowed = slipsAllowed(shorter, longer);
  const edits = speller.editDistance(a, b, allowed);
  return edits > allowed ? Relation.None : bySlips(edits);
}

const MIN_SLIP = 5;
const SAFE_SLIP = 7;

/**
 * Two well-known words one edit apart are mostly two different words ("Hunt", "Hurt"; "Paul", "Paula"). In longer
 * words the edit is more likely a slip ("Walters", "Watters"), so that somebody should look.
 */
function isSlip(a: Word, b: Word, speller: Speller): boolean {
  const longer = Math.max(a.length, b.length);
  if (longer < MIN_SLIP || speller.editDistance(a, b, 1) !== 1) return false;
  if (longer >= SAFE_SLIP) return true;
  if (!beginAlike(a, b)) return false;
  return a.length === b.length || (a.at(a.length - 1) !== LETTER_A && b.at(b.length - 1) !== LETTER_A);
}

/** Edits that a word of a person's name may have and still be a typing error. */
export function editBudget(shorter: number, longer: number): number {
  if (shorter < 2 || longer < 3) return 0;
  if (longer < 5) return 1;
  return longer < 9 ? 2 : 3;
}

/** Letters that forms of one name by their endings begin with. */
const SHARED_START = 3;

/** Relation of two parts of people's names that are not equal. */
export function relateNames(a: Word, b: Word, speller: Speller): Relation {
  const relation = relateNamesBySpelling(a, b, speller);
  if (relation !== Relation.None || ((a.flags | b.flags) & Flag.Given) === 0) return relation;
  const areForms = beginAlike(a, b) && commonPrefix(a, b) >= SHARED_START && areFormsByEnding(a, b);
  return areForms ? Relation.Nickname : Relation.None;
}

function relateNamesBySpelling(a: Word, b: Word, speller: Speller): Relation {
  if (a.length === 1 || b.length === 1) {
    return beginAlike(a, b) && a.length !== b.length ? Relation.Initial : Relation.None;
  }
  const least = leastEdits(a.mask, b.mask);
  const rhymes = haveLikeConsonants(a.mask, b.mask);
  if (least > 3 && !rhymes && !mayBeKin(a, b)) {
    return looksAlike(a, b) && hasDigit(a) !== hasDigit(b) ? Relation.LookAlike : Relation.None;
  }
  if (looksAlike(a, b)) return Relation.LookAlike;
  const kin = relateKin(a, b);
  if (kin !== Relation.None) return kin;
  const shorter = Math.min(a.length, b.length);
  const isForm = bothAreGiven(a, b) && commonPrefix(a, b) === shorter;
  if (rhymes && !isForm && shorter > 2 && speller.soundsAlike(a, b)) return Relation.Spelling;
  if (a.has(NAMES) && b.has(NAMES)) {
    return !isForm && least <= 1 && isSlip(a, b, speller) ? Relation.Slip : Relation.None;
  }
  const budget = editBudget(shorter, Math.max(a.length, b.length));
  const edits = speller.editDistance(a, b, budget);
  return edits > budget ? Relation.None : bySlips(edits);
}
