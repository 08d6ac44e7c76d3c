import { Gap, initialOf, isAny, type Name, type Reading, Relation, type Word } from "~/modules/name-match/name";
import { Flag } from "../vocabulary";
import { alignWords } from "./align";
import { type Evidence, Link, Severity } from "./evidence";
import { countSlips } from "./spelling";

const MAX_INITIALS = 3;

/** Are these two or three letters joined initials ("MJ Smith") rather than a name ("Jo Smith")? */
function isInitials({ text }: Reading, word: Word): boolean {
  const { length } = word.text;
  if (length > MAX_INITIALS) return false;
  if (length === 1 || word.to - word.from > length) return true;
  if (isAny(word, Flag.Personal | Flag.Particle | Flag.Link | Flag.Article)) return false;
  const isInCapitals = /^[A-Z]+$/.test(text.slice(word.from, word.to));
  if (isInCapitals && /[a-z]/.test(text.slice(word.to))) return true;
  return !/[aeiouy]/.test(word.text);
}

/** Adds a word of a person's name: initials separately, anything else whole. */
export function addName(list: Word[], reading: Reading, word: Word): void {
  if (isInitials(reading, word)) {
    for (let k = 0; k < word.text.length; k++) list.push(initialOf(word, k));
  } else list.push(word);
}

/** True if none of the words is a set of initials. */
function areWhole(list: readonly Word[], reading: Reading): boolean {
  for (const word of list) if (isInitials(reading, word)) return false;
  return true;
}

/** The words of one person, given names first: "SMITH, John" is "John Smith". */
export function listPerson({ reading, main: { core }, beforeComma }: Name): readonly Word[] {
  if (beforeComma === 0 && areWhole(core, reading)) return core;
  const list: Word[] = [];
  for (const word of core.slice(beforeComma)) addName(list, reading, word);
  for (const word of core.slice(0, beforeComma)) addName(list, reading, word);
  return list;
}

const MAX_PERSON = 6;

/** Could this list be one person's name: two to six words, one of them a known given name or an initial? */
export function looksPersonal(list: readonly Word[]): boolean {
  if (list.length < 2 || list.length > MAX_PERSON) return false;
  let elsewhere = Flag.State | Flag.Country;
  for (const word of list) {
    if (word.text.length === 1 || (isAny(word, Flag.Given) && !isAny(word, elsewhere))) return true;
    elsewhere |= Flag.Place;
  }
  return false;
}

/** Is a name that one side writes apart normally written with a particle or a hyphen ("Mac Bellamy", "Ann-Marie")? */
const isUsuallyApart = (a: Word, b: Word) =>
  isAny(a, Flag.Particle) ||
  isAny(b, Flag.Particle) ||
  (((a.runEnd?.gap ?? 0) | (b.runEnd?.gap ?? 0)) & Gap.Hyphen) !== 0;

/** Records how a word is related to its partner. @returns typing errors */
function notePair(a: Word, b: Word, evidence: Evidence): number {
  const { relation } = a;
  const isSame = relation === Relation.Equal || relation === Relation.Joined;
  evidence.tie(isSame ? Link.Same : Link.Letters, a, b, a.runEnd, b.runEnd);
  switch (relation) {
    case Relation.Equal:
      return 0;
    case Relation.Joined: {
      const isFormat = isUsuallyApart(a, b);
      const severity = isFormat ? Severity.Format : Severity.Close;
      evidence.note("spacing", severity, isFormat ? 2 : 4, a, b, a.runEnd, b.runEnd);
      return 0;
    }
    case Relation.LookAlike:
      evidence.note("homoglyph", Severity.Close, 18, a, b);
      return 0;
    case Relation.Spelling:
      evidence.note("typo", Severity.Close, 7, a, b);
      return 0;
    case Relation.Nickname:
      evidence.note("nickname", Severity.Close, 7, a, b);
      return 0;
    case Relation.Initial:
      evidence.note("initial", Severity.Close, 8, a, b);
      return 0;
    default:
      evidence.note("typo", Severity.Close, relation === Relation.Slip ? 7 : 11, a, b);
      return relation - Relation.Slip + 1;
  }
}

/** Totals of the word pairs of two people: those without initials, and typing errors. */
function notePairs(a: readonly Word[], evidence: Evidence): { matchedWhole: number; slips: number } {
  let matchedWhole = 0;
  let slips = 0;
  let before: Word | undefined;
  for (const word of a) {
    const { partner } = word;
    if (partner === undefined) continue;
    const isWithinRun = word.relation === Relation.Joined && partner === before;
    before = partner;
    if (isWithinRun) continue;
    slips += notePair(word, partner, evidence);
    if (word.relation !== Relation.Initial && word.text.length > 1) matchedWhole++;
  }
  return { matchedWhole, slips };
}

/** With more typing errors than this, a person's name counts as somebody else's. */
const MAX_SLIPS = 3;

/** Compares two people, each given as a list of words (given names first), and records the differences. */
export function comparePeople(a: readonly Word[], b: readonly Word[], evidence: Evidence): void {
  const { leftA, leftB, inOrder } = alignWords(a, b, true);
  const { matchedWhole, slips } = notePairs(a, evidence);
  if (slips > MAX_SLIPS) evidence.note("different_token", Severity.Conflict, 0);
  if (matchedWhole === 0) {
    evidence.note("different_token", Severity.Conflict, 0);
    return;
  }
  if (leftA === 0 && leftB === 0) {
    if (!inOrder) noteOrder(a, b, evidence);
    return;
  }
  const bothLeft = leftA > 0 && leftB > 0;
  if (bothLeft && a.length !== b.length && meetAsOneWord(a, b)) {
    evidence.note("typo", Severity.Close, 14, a[0], b[0], a.at(-1), b.at(-1));
    return;
  }
  const shorter = leftA === 0 ? a : b;
  if (bothLeft || shorter.length < 2 || leansOnLater(a, b)) {
    evidence.note("different_token", Severity.Conflict, 0);
    return;
  }
  if (!surnamesMeet(a, b)) noteOrder(a, b, evidence);
  noteExtra(a, b, evidence);
}

const MIN_WRITTEN = 8;
const SLIPS_AS_ONE = 2;

const leavesInitial = (list: readonly Word[]) => list.some(({ partner, text }) => !partner && text.length === 1);
const writeTogether = (list: readonly Word[]) => list.reduce((text, word) => text + word.text, "");

/** Misplaced spaces together with a typing error or two: compares the whole names as if written as one word. */
function meetAsOneWord(a: readonly Word[], b: readonly Word[]): boolean {
  if (leavesInitial(a) || leavesInitial(b)) return false;
  const x = writeTogether(a);
  const y = writeTogether(b);
  return Math.min(x.length, y.length) >= MIN_WRITTEN && countSlips(x, y, SLIPS_AS_ONE) <= SLIPS_AS_ONE;
}

/**
 * "Odette Farley" may be "Imogen Odette Farley", who uses her second name; but an initial or a typing error is not
 * enough to justify skipping the first name.
 */
function leansOnLater(a: readonly Word[], b: readonly Word[]): boolean {
  const first = a[0];
  const other = b[0];
  if ((first?.partner === undefined) === (other?.partner === undefined)) return false;
  const shorter = first?.partner === undefined ? b : a;
  const relation = shorter[0]?.relation;
  if (shorter.length !== 2) return false;
  return relation !== Relation.Equal && relation !== Relation.Nickname && relation !== Relation.Spelling;
}

/** Position of the surname's first word: the last word, with its particles and its hyphenated half. */
function surnamePlace(list: readonly Word[]): number {
  let at = list.length - 1;
  while (at > 1) {
    const word = list[at];
    const before = list[at - 1];
    const isHyphenated = ((word?.gap ?? 0) & Gap.Hyphen) !== 0;
    if (!isHyphenated && !(before !== undefined && isAny(before, Flag.Particle))) break;
    at--;
  }
  return Math.max(at, 0);
}

function surnamesMeet(a: readonly Word[], b: readonly Word[]): boolean {
  const place = surnamePlace(b);
  return a.slice(surnamePlace(a)).some(({ partner }) => partner !== undefined && partner.place >= place);
}

function noteOrder(a: readonly Word[], b: readonly Word[], evidence: Evidence): void {
  evidence.note("order", Severity.Close, 4, a[0], b[0], a.at(-1), b.at(-1));
}

/** Records the names that only one of them has; a first name weighs more. */
function noteExtra(a: readonly Word[], b: readonly Word[], evidence: Evidence): void {
  const weigh = ({ place }: Word) => (place === 0 ? 14 : 7);
  for (const word of a) if (!word.partner) evidence.note("extra_token", Severity.Close, weigh(word), word, undefined);
  for (const word of b) if (!word.partner) evidence.note("missing_token", Severity.Close, weigh(word), undefined, word);
}
