import { isAny, isSameMeaning, isSameName, Relation, type Word } from "~/modules/name-match/name";
import { type Entry, Flag } from "~/modules/name-match/vocabulary";
import {
  commonPrefix,
  countSlips,
  haveLikeConsonants,
  isFamiliarForm,
  isPlural,
  leastEdits,
  lettersIn,
  looksAlike,
  shareLyn,
  soundsAlike,
} from "./spelling";

/** Words with a known meaning: two different known words are never one, however similar their spelling. */
const BUSINESS = Flag.Trade | Flag.Group | Flag.Branch | Flag.Link;
const LOCAL = Flag.Country | Flag.State | Flag.Place | Flag.Compass;
const NAMES = Flag.Given | Flag.Surname;

const bothAre = (a: Word, b: Word, flags: number) => isAny(a, flags) && isAny(b, flags);
const bothAreGiven = (a: Word, b: Word) => (a.flags & b.flags & Flag.Given) !== 0;
const beginAlike = (a: Word, b: Word) => a.text[0] === b.text[0];

const shares = (a: readonly number[], b: readonly number[]) =>
  a.length > 0 && b.length > 0 && a.some((group) => b.includes(group));

/** Does something about the other word lead to this word (a second reading, a place, a number)? */
const leadsTo = (entry: Entry | undefined, word: Word) => entry !== undefined && entry === word.entry.meaning;

/** The relation of two given names, from the nickname families they belong to. */
function relateKin({ entry: a }: Word, { entry: b }: Word): Relation {
  if (shares(a.spellings, b.spellings)) return Relation.Spelling;
  return shares(a.families, b.families) ? Relation.Nickname : Relation.None;
}

/** One, two or three typing errors. */
const bySlips = (edits: number): Relation => (edits > 0 ? Relation.Slip + edits - 1 : Relation.None);

/** Contains a digit, or a sign as in "P/L". */
const hasDigit = ({ text }: Word) => /[-/0-9]/.test(text);

/** The relation of two words by the vocabulary's short forms, adjectives and numerals; undefined when it has none. */
function relateByMeaning(a: Word, b: Word): Relation | undefined {
  if (isAny(a, Flag.Related) || isAny(b, Flag.Related)) {
    if (leadsTo(a.entry.second, b) || leadsTo(b.entry.second, a)) return Relation.Reading;
    if (leadsTo(a.entry.place, b) || leadsTo(b.entry.place, a)) return Relation.Stem;
  }
  if (isAny(a, Flag.Number) || isAny(b, Flag.Number) || (a.flags & b.flags & (Flag.State | Flag.Compass)) !== 0) {
    if (leadsTo(a.entry.arabic, b) || leadsTo(b.entry.arabic, a)) return Relation.Roman;
    return looksAlike(a.text, b.text) ? Relation.LookAlike : Relation.None;
  }
  return undefined;
}

const MIN_STEM = 5;
const MAX_ENDING = 4;
const LONG_SHORT_WORD = 5;

/** How many edits a word of an organisation's name may have to count as a typing error. */
function slipsAllowed(shorter: number, longer: number): number {
  if (longer < LONG_SHORT_WORD) return shorter < 3 ? 0 : 1;
  return longer === LONG_SHORT_WORD ? 1 : 2;
}

/** The relation of two unequal words in organisations' names. */
export function relateWords(a: Word, b: Word): Relation {
  const isFar = !beginAlike(a, b) && leastEdits(lettersIn(a.text), lettersIn(b.text)) > 2;
  const kin = relateKin(a, b);
  if (isFar && ((a.flags | b.flags) & (Flag.Related | Flag.Number)) === 0 && kin === Relation.None) return kin;
  const meant = relateByMeaning(a, b);
  if (meant !== undefined) return meant;
  if (isPlural(a.text, b.text)) return Relation.Plural;
  if (looksAlike(a.text, b.text)) return Relation.LookAlike;
  if (a.text.length === 1 || b.text.length === 1) {
    return beginAlike(a, b) && a.text.length !== b.text.length ? Relation.Initial : Relation.None;
  }
  if (hasDigit(a) || hasDigit(b)) return Relation.None;
  if (kin !== Relation.None || isFar) return kin;
  return relateBySpelling(a, b);
}

function relateBySpelling(a: Word, b: Word): Relation {
  const known = bothAre(a, b, Flag.Personal) || bothAre(a, b, BUSINESS) || bothAre(a, b, LOCAL);
  const shorter = Math.min(a.text.length, b.text.length);
  const longer = Math.max(a.text.length, b.text.length);
  const prefix = commonPrefix(a.text, b.text);
  const personal = ((a.flags | b.flags) & NAMES) !== 0;
  if (prefix >= MIN_STEM && prefix * 2 >= longer && !(known && personal)) {
    const edits = known ? 0 : countSlips(a.text, b.text, 2);
    if (edits === 1 || edits === 2) return bySlips(edits);
    if (shorter - prefix <= MAX_ENDING) return Relation.Stem;
  }
  if (known) return isSlip(a, b) ? Relation.Slip : Relation.None;
  const allowed = slipsAllowed(shorter, longer);
  const edits = countSlips(a.text, b.text, allowed);
  return edits > allowed ? Relation.None : bySlips(edits);
}

const MIN_SLIP = 5;
const SAFE_SLIP = 7;

/**
 * Two well-known words one edit apart are usually two different words ("Hunt", "Hurt"; "Paul", "Paula"). In longer
 * words the edit is more likely a slip ("Walters", "Watters"), so a person should look.
 */
function isSlip(a: Word, b: Word): boolean {
  const longer = Math.max(a.text.length, b.text.length);
  if (longer < MIN_SLIP || countSlips(a.text, b.text, 1) !== 1) return false;
  if (longer >= SAFE_SLIP) return true;
  if (!beginAlike(a, b)) return false;
  return a.text.length === b.text.length || (!a.text.endsWith("a") && !b.text.endsWith("a"));
}

/** How many edits a word of a person's name may have to count as a typing error. */
export function editBudget(shorter: number, longer: number): number {
  if (shorter < 2 || longer < 3) return 0;
  if (longer < 5) return 1;
  return longer < 9 ? 2 : 3;
}

/** How many letters two forms of one name must share at the start, when they differ in their endings. */
const SHARED_START = 3;

/**
 * Are two given names forms of one name with different endings: "Gwennie" and "Gwendolyn" (a familiar form that is not
 * a name of its own), or "Roslyn" and "Rosalind"? For names that the nickname table lacks.
 */
export function areFormsByEnding(a: Word, b: Word): boolean {
  if (shareLyn(a.text, b.text)) return true;
  if (isAny(a, Flag.Given) === isAny(b, Flag.Given)) return false;
  return isAny(b, Flag.Given) ? isFamiliarForm(a.text, b.text) : isFamiliarForm(b.text, a.text);
}

/** The relation of two unequal parts of people's names. */
export function relateNames(a: Word, b: Word): Relation {
  const relation = relateNamesBySpelling(a, b);
  if (relation !== Relation.None || ((a.flags | b.flags) & Flag.Given) === 0) return relation;
  const mayBeForms = commonPrefix(a.text, b.text) >= SHARED_START;
  return mayBeForms && areFormsByEnding(a, b) ? Relation.Nickname : Relation.None;
}

function relateNamesBySpelling(a: Word, b: Word): Relation {
  if (a.text.length === 1 || b.text.length === 1) {
    return beginAlike(a, b) && a.text.length !== b.text.length ? Relation.Initial : Relation.None;
  }
  const x = lettersIn(a.text);
  const y = lettersIn(b.text);
  const rhymes = haveLikeConsonants(x, y);
  const kin = relateKin(a, b);
  if (leastEdits(x, y) > 3 && !rhymes && kin === Relation.None) {
    return looksAlike(a.text, b.text) && hasDigit(a) !== hasDigit(b) ? Relation.LookAlike : Relation.None;
  }
  if (looksAlike(a.text, b.text)) return Relation.LookAlike;
  if (kin !== Relation.None) return kin;
  const shorter = Math.min(a.text.length, b.text.length);
  const isForm = bothAreGiven(a, b) && commonPrefix(a.text, b.text) === shorter;
  if (rhymes && !isForm && shorter > 2 && soundsAlike(a.text, b.text)) return Relation.Spelling;
  if (isAny(a, NAMES) && isAny(b, NAMES)) {
    return !isForm && isSlip(a, b) ? Relation.Slip : Relation.None;
  }
  const budget = editBudget(shorter, Math.max(a.text.length, b.text.length));
  const edits = countSlips(a.text, b.text, budget);
  return edits > budget ? Relation.None : bySlips(edits);
}

/** With more unequal words than this on both sides, comparing spellings cannot change the result. */
const MAX_UNEQUAL = 8;
const LONGEST_RUN = 4;

/** The result of pairing the words of two lists; the words themselves store their partners. */
export interface Alignment {
  /** Words without a partner on each side. */
  leftA: number;
  leftB: number;
  /** Do partners come in the same order on both sides? */
  inOrder: boolean;
}

/**
 * Pairs the words of two lists: equal ones, then ones written apart, then the closest related ones.
 * @param personal whether the words are of people's names
 */
export function alignWords(a: readonly Word[], b: readonly Word[], personal: boolean): Alignment {
  begin(a);
  begin(b);
  const equal = pairEqual(a, b, personal);
  let leftA = a.length - equal;
  let leftB = b.length - equal;
  if (leftA > 0 && leftB > 0 && leftA <= MAX_UNEQUAL && leftB <= MAX_UNEQUAL) {
    for (const whole of b) {
      if (leftA < 2) break;
      const taken = pairRun(a, whole);
      leftA -= taken;
      if (taken > 0) leftB--;
    }
    for (const whole of a) {
      if (leftB < 2) break;
      const taken = pairRun(b, whole);
      leftB -= taken;
      if (taken > 0) leftA--;
    }
    const related = leftB > 0 ? pairRelated(a, b, personal) : 0;
    leftA -= related;
    leftB -= related;
  }
  return { leftA, leftB, inOrder: areInOrder(a) };
}

function begin(list: readonly Word[]): void {
  let place = 0;
  for (const word of list) {
    word.partner = undefined;
    word.place = place++;
  }
}

function pair(a: Word, b: Word, relation: Relation): void {
  a.partner = b;
  a.relation = relation;
  a.runEnd = a;
  b.partner = a;
  b.relation = relation;
  b.runEnd = b;
}

/** Pairs equal words: each with the next one in order, otherwise with the first that is equal. @returns how many */
function pairEqual(a: readonly Word[], b: readonly Word[], personal: boolean): number {
  let pairs = 0;
  let expected = 0;
  for (const word of a) {
    const next = b[expected];
    const isNext = next !== undefined && isFreeAndSame(word, next, personal);
    const found = isNext ? next : findEqual(word, b, personal);
    if (found === undefined) continue;
    pair(word, found, Relation.Equal);
    expected = found.place + 1;
    pairs++;
  }
  return pairs;
}

const isFreeAndSame = (word: Word, other: Word, personal: boolean): boolean =>
  other.partner === undefined && (personal ? isSameName(word, other) : isSameMeaning(word, other));

function findEqual(word: Word, list: readonly Word[], personal: boolean): Word | undefined {
  for (const other of list) if (isFreeAndSame(word, other, personal)) return other;
  return undefined;
}

/** Pairs a word with the run of words that together spell it. @returns how many, 0 when there are none */
function pairRun(parts: readonly Word[], whole: Word): number {
  if (whole.partner !== undefined) return 0;
  for (const first of parts) {
    if (first.text.length >= whole.text.length || !whole.text.startsWith(first.text)) continue;
    const run = runFrom(parts, first.place, whole.text);
    if (run.length === 0) continue;
    for (const part of run) {
      part.partner = whole;
      part.relation = Relation.Joined;
      part.runEnd = part;
    }
    first.runEnd = run.at(-1);
    whole.partner = first;
    whole.relation = Relation.Joined;
    whole.runEnd = whole;
    return run.length;
  }
  return 0;
}

/** The free words starting at a position that together spell the one word `whole`; empty if they do not. */
function runFrom(parts: readonly Word[], from: number, whole: string): Word[] {
  let done = 0;
  for (let k = from; k < from + LONGEST_RUN; k++) {
    const part = parts[k];
    if (part === undefined || part.partner !== undefined || !whole.startsWith(part.text, done)) return [];
    done += part.text.length;
    if (done === whole.length) return parts.slice(from, k + 1);
  }
  return [];
}

/** Pairs each remaining word with the closest remaining word of the other list. @returns how many */
function pairRelated(a: readonly Word[], b: readonly Word[], personal: boolean): number {
  let pairs = 0;
  for (const word of a) {
    if (word.partner !== undefined) continue;
    let nearest = Relation.None;
    let partner: Word | undefined;
    for (const other of b) {
      if (other.partner !== undefined) continue;
      const relation = personal ? relateNames(word, other) : relateWords(word, other);
      if (relation >= nearest) continue;
      nearest = relation;
      partner = other;
    }
    if (partner === undefined) continue;
    pair(word, partner, nearest);
    pairs++;
  }
  return pairs;
}

function areInOrder(a: readonly Word[]): boolean {
  let previous = -1;
  for (const { partner } of a) {
    if (partner === undefined) continue;
    if (partner.place < previous) return false;
    previous = partner.place;
  }
  return true;
}
