import { Alignment, align } from "./align";
import { type Evidence, Link, Severity } from "./evidence";
import type { Name } from "./name";
import { Gap, type Reading } from "./reading";
import { Relation } from "./relation";
import { editDistance, MAX_WORD } from "./spelling";
import { COUNTRY, GIVEN, PARTICLE, PERSONAL, PLACE, STATE } from "./vocabulary/flags";
import type { Words } from "./words";

const alignment = new Alignment();

/** Spelling errors in one person's name beyond this many make it somebody else's. */
const MAX_EDITS = 3;

const isUpper = (code: number) => code >= 65 && code <= 90;
const VOWELS = new Set([97, 101, 105, 111, 117, 121]);

/** Are these two or three letters initials written together ("MJ Smith") rather than a name ("Jo Smith")? */
function isInitials(reading: Reading, token: number): boolean {
  const length = reading.length[token]!;
  if (length > 3) return false;
  const from = reading.from[token]!;
  const to = reading.to[token]!;
  if (to - from > length) return true;
  if ((reading.flags[token]! & (PERSONAL | PARTICLE)) !== 0) return false;
  let upper = true;
  for (let k = from; k < to; k++) if (!isUpper(reading.text.charCodeAt(k))) upper = false;
  if (upper && to < reading.text.length) {
    for (let k = to; k < reading.text.length; k++) {
      const code = reading.text.charCodeAt(k);
      if (code >= 97 && code <= 122) return true;
    }
  }
  for (let k = 0; k < length; k++) if (VOWELS.has(reading.codes[reading.start[token]! + k]!)) return false;
  return true;
}

/** Adds a word of a person's name: initials one by one, everything else whole. */
export function addName(words: Words, token: number): void {
  const { reading } = words;
  const length = reading.length[token]!;
  if (length === 1) words.addLetter(token, 0);
  else if (isInitials(reading, token)) for (let k = 0; k < length; k++) words.addLetter(token, k);
  else words.add(token, true);
}

/** Lists the words of one person, given names first: "SMITH, John" is "John Smith". */
export function listPerson(name: Name, words: Words): void {
  const main = name.segments[0];
  words.clear(name.reading);
  const turn = name.comma > 0 ? name.comma : 0;
  for (let k = turn; k < main.count; k++) addName(words, main.core[k]!);
  for (let k = 0; k < turn; k++) addName(words, main.core[k]!);
}

/** Index of the first word of the surname: the last word with its particles and its hyphenated half. */
function surnameStart(words: Words): number {
  let at = words.count - 1;
  while (at > 1) {
    const token = words.token[at]!;
    const hyphenated = (words.reading.gap[token]! & Gap.Hyphen) !== 0;
    if (!hyphenated && (words.flags[at - 1]! & PARTICLE) === 0) break;
    at--;
  }
  return at < 0 ? 0 : at;
}

function notePair(a: Words, i: number, b: Words, evidence: Evidence): number {
  const j = alignment.pairA[i]!;
  const relation: Relation = alignment.relationA[i]!;
  const aFirst = a.token[i]!;
  const aLast = a.token[alignment.endA[i]!]!;
  const bFirst = b.token[j]!;
  const bLast = b.token[alignment.endB[j]!]!;
  switch (relation) {
    case Relation.Equal:
      evidence.link(Link.Same, aFirst, aLast, bFirst, bLast);
      return 0;
    case Relation.Joined: {
      const plain =
        ((a.flags[i]! | b.flags[j]!) & PARTICLE) !== 0 ||
        (a.reading.gap[aLast]! & Gap.Hyphen) !== 0 ||
        (b.reading.gap[bLast]! & Gap.Hyphen) !== 0;
      evidence.link(Link.Same, aFirst, aLast, bFirst, bLast);
      evidence.note("spacing", plain ? Severity.Format : Severity.Close, plain ? 2 : 4, aFirst, aLast, bFirst, bLast);
      return 0;
    }
    default:
      evidence.link(Link.Letters, aFirst, aLast, bFirst, bLast);
  }
  switch (relation) {
    case Relation.Homoglyph:
      evidence.note("homoglyph", Severity.Close, 18, aFirst, aLast, bFirst, bLast);
      return 0;
    case Relation.Spelling:
      evidence.note("typo", Severity.Close, 7, aFirst, aLast, bFirst, bLast);
      return 0;
    case Relation.Nickname:
      evidence.note("nickname", Severity.Close, 7, aFirst, aLast, bFirst, bLast);
      return 0;
    case Relation.Initial:
      evidence.note("initial", Severity.Close, 8, aFirst, aLast, bFirst, bLast);
      return 0;
    default:
      evidence.note("typo", Severity.Close, relation === Relation.Typo ? 7 : 11, aFirst, aLast, bFirst, bLast);
      return alignment.edits[i]!;
  }
}

/** Compares two people, each given as a list of words (given names first). Adds what differs to the evidence. */
export function comparePeople(a: Words, b: Words, evidence: Evidence): void {
  if (a.count === 0 || b.count === 0) {
    evidence.note("different_token", Severity.Conflict, 0, -1, -1, -1, -1);
    return;
  }
  align(a, b, true, alignment);
  let edits = 0;
  let matched = 0;
  let matchedWhole = 0;
  for (let i = 0; i < a.count; i++) {
    const j = alignment.pairA[i]!;
    if (j < 0 || (i > 0 && alignment.pairA[i - 1] === j && alignment.relationA[i] === Relation.Joined)) continue;
    edits += notePair(a, i, b, evidence);
    matched++;
    if (alignment.relationA[i] !== Relation.Initial && a.length[i]! > 1) matchedWhole++;
  }
  const { leftA, leftB } = alignment;
  if (edits > MAX_EDITS) {
    evidence.note("different_token", Severity.Conflict, 0, a.token[0]!, -1, b.token[0]!, -1);
  }
  if (matchedWhole === 0 && (matched > 0 || leftA > 0)) {
    noteLeft(a, b, Severity.Conflict, evidence);
    if (leftA === 0 && leftB === 0) evidence.note("initial", Severity.Conflict, 0, -1, -1, -1, -1);
    return;
  }
  if (leftA === 0 && leftB === 0) {
    if (!alignment.inOrder) noteOrder(a, b, evidence);
    return;
  }
  const surnameA = surnameStart(a);
  const surnameB = surnameStart(b);
  const shorter = leftA === 0 ? a : b;
  if (leftA > 0 && leftB > 0 && a.count !== b.count && meetsAsOneWord(a, b)) {
    evidence.note("typo", Severity.Close, 14, a.token[0]!, a.token[a.count - 1]!, b.token[0]!, b.token[b.count - 1]!);
    return;
  }
  if ((leftA > 0 && leftB > 0) || shorter.count < 2 || leansOnLater(a, b)) {
    noteLeft(a, b, Severity.Conflict, evidence);
    return;
  }
  if (!surnamesMeet(a, surnameA, surnameB)) {
    noteOrder(a, b, evidence);
  }
  noteLeft(a, b, Severity.Close, evidence);
}

/** Is an initial among the words without a partner? Two different initials are no misplaced space. */
function leavesInitial(words: Words, pairs: Int32Array): boolean {
  for (let k = 0; k < words.count; k++) if (pairs[k]! < 0 && words.length[k] === 1) return true;
  return false;
}

const MIN_WRITTEN = 8;

/** Spaces in the wrong place and a slip or two at once: the whole names are compared as if written in one word. */
function meetsAsOneWord(a: Words, b: Words): boolean {
  if (leavesInitial(a, alignment.pairA) || leavesInitial(b, alignment.pairB)) return false;
  const x = writeTogether(a, writtenA);
  const y = writeTogether(b, writtenB);
  return Math.min(x, y) >= MIN_WRITTEN && editDistance(writtenA, 0, x, writtenB, 0, y, 2) <= 2;
}

const writtenA = new Uint16Array(MAX_WORD + 1);
const writtenB = new Uint16Array(MAX_WORD + 1);

function writeTogether(words: Words, into: Uint16Array): number {
  let size = 0;
  for (let k = 0; k < words.count; k++) {
    for (let i = 0; i < words.length[k]! && size <= MAX_WORD; i++) {
      into[size++] = words.reading.codes[words.start[k]! + i]!;
    }
  }
  return size;
}

/**
 * "Odette Farley" may be "Imogen Odette Farley", who goes by the second name; but an initial or a typing error is
 * not enough to skip the first name for.
 */
function leansOnLater(a: Words, b: Words): boolean {
  const firstOfB = alignment.pairB[0]! < 0;
  const firstOfA = alignment.pairA[0]! < 0;
  if (firstOfA === firstOfB) return false;
  const shorter = firstOfA ? b : a;
  if (shorter.count !== 2) return false;
  const i = firstOfA ? alignment.pairB[0]! : 0;
  const relation: Relation = alignment.relationA[i]!;
  return relation !== Relation.Equal && relation !== Relation.Nickname && relation !== Relation.Spelling;
}

function surnamesMeet(a: Words, surnameA: number, surnameB: number): boolean {
  for (let i = surnameA; i < a.count; i++) if (alignment.pairA[i]! >= surnameB) return true;
  return false;
}

function noteOrder(a: Words, b: Words, evidence: Evidence): void {
  evidence.note(
    "order",
    Severity.Close,
    4,
    Math.min(a.token[0]!, a.token[a.count - 1]!),
    Math.max(a.token[0]!, a.token[a.count - 1]!),
    Math.min(b.token[0]!, b.token[b.count - 1]!),
    Math.max(b.token[0]!, b.token[b.count - 1]!),
  );
}

function noteLeft(a: Words, b: Words, severity: Severity, evidence: Evidence): void {
  let i = 0;
  let j = 0;
  const conflict = severity === Severity.Conflict;
  while (conflict) {
    while (i < a.count && alignment.pairA[i]! >= 0) i++;
    while (j < b.count && alignment.pairB[j]! >= 0) j++;
    if (i >= a.count || j >= b.count) break;
    evidence.note("different_token", severity, 0, a.token[i]!, a.token[i]!, b.token[j]!, b.token[j]!);
    evidence.link(Link.Different, a.token[i]!, a.token[i]!, b.token[j]!, b.token[j]!);
    i++;
    j++;
  }
  for (; i < a.count; i++) {
    if (alignment.pairA[i]! >= 0) continue;
    evidence.note("extra_token", severity, i === 0 ? 14 : 7, a.token[i]!, a.token[i]!, -1, -1);
  }
  for (; j < b.count; j++) {
    if (alignment.pairB[j]! >= 0) continue;
    evidence.note("missing_token", severity, j === 0 ? 14 : 7, -1, -1, b.token[j]!, b.token[j]!);
  }
}

/** Could this list be one person's name: two to five words, the first or second a known given name or an initial? */
export function looksPersonal(words: Words): boolean {
  if (words.count < 2 || words.count > 6) return false;
  for (let k = 0; k < words.count; k++) {
    if (words.length[k] === 1) return true;
    const elsewhere = k === 0 ? STATE | COUNTRY : STATE | COUNTRY | PLACE;
    if ((words.flags[k]! & GIVEN) !== 0 && (words.flags[k]! & elsewhere) === 0) return true;
  }
  return false;
}
