import { Gap, Relation, type Word } from "../reading/word";
import type { WordList } from "../reading/word-list";
import { Flag } from "../vocabulary/flags";
import type { Context } from "./context";
import { type Evidence, Link, Severity } from "./evidence";
import { surnamePlace } from "./list-person";
import { MAX_WORD, type Speller } from "./spelling";

/** Spelling errors in one person's name beyond this many make it somebody else's. */
const MAX_SLIPS = 3;

/** Is a name that is written apart on one side written with a particle or a hyphen ("Mac Bellamy", "Ann-Marie")? */
const isUsuallyApart = (a: Word, b: Word) =>
  a.has(Flag.Particle) ||
  b.has(Flag.Particle) ||
  (a.runEnd.gap & Gap.Hyphen) !== 0 ||
  (b.runEnd.gap & Gap.Hyphen) !== 0;

/** Notes how a word is related to its partner. @returns typing errors */
function notePair(a: Word, b: Word, evidence: Evidence): number {
  const { relation } = a;
  const isSame = relation === Relation.Equal || relation === Relation.Joined;
  evidence.tie(isSame ? Link.Same : Link.Letters, a, b).through(a.runEnd, b.runEnd);
  switch (relation) {
    case Relation.Equal:
      return 0;
    case Relation.Joined: {
      const severity = isUsuallyApart(a, b) ? Severity.Format : Severity.Close;
      const weight = severity === Severity.Format ? 2 : 4;
      evidence.note("spacing", severity, weight).about(a, b).through(a.runEnd, b.runEnd);
      return 0;
    }
    case Relation.LookAlike:
      evidence.note("homoglyph", Severity.Close, 18).about(a, b);
      return 0;
    case Relation.Spelling:
      evidence.note("typo", Severity.Close, 7).about(a, b);
      return 0;
    case Relation.Nickname:
      evidence.note("nickname", Severity.Close, 7).about(a, b);
      return 0;
    case Relation.Initial:
      evidence.note("initial", Severity.Close, 8).about(a, b);
      return 0;
    default:
      evidence.note("typo", Severity.Close, relation === Relation.Slip ? 7 : 11).about(a, b);
      return relation - Relation.Slip + 1;
  }
}

/** What the pairs of two people's words come to. */
interface Agreement {
  /** Pairs in which neither word is an initial. */
  matchedWhole: number;
  slips: number;
}

function notePairs(a: WordList, evidence: Evidence): Agreement {
  const agreement = { matchedWhole: 0, slips: 0 };
  let before: Word | undefined;
  for (let k = 0; k < a.count; k++) {
    const word = a.at(k);
    const { partner } = word;
    if (partner === undefined) continue;
    const isWithinRun = word.relation === Relation.Joined && partner === before;
    before = partner;
    if (isWithinRun) continue;
    agreement.slips += notePair(word, partner, evidence);
    if (word.relation !== Relation.Initial && word.length > 1) agreement.matchedWhole++;
  }
  return agreement;
}

/** Compares two people, each given as a list of words (given names first). Adds what differs to the evidence. */
export function comparePeople(a: WordList, b: WordList, context: Context): void {
  const { evidence, aligner, speller } = context;
  aligner.align(a, b, true);
  const { leftA, leftB } = aligner;
  const { matchedWhole, slips } = notePairs(a, evidence);
  if (slips > MAX_SLIPS) evidence.note("different_token", Severity.Conflict, 0);
  if (matchedWhole === 0) {
    evidence.note("different_token", Severity.Conflict, 0);
    return;
  }
  if (leftA === 0 && leftB === 0) {
    if (!aligner.inOrder) noteOrder(a, b, evidence);
    return;
  }
  const bothLeft = leftA > 0 && leftB > 0;
  if (bothLeft && a.count !== b.count && meetsAsOneWord(a, b, speller)) {
    evidence.note("typo", Severity.Close, 14).about(a.first, b.first).through(a.last, b.last);
    return;
  }
  const shorter = leftA === 0 ? a : b;
  if (bothLeft || shorter.count < 2 || leansOnLater(a, b)) {
    evidence.note("different_token", Severity.Conflict, 0);
    return;
  }
  if (!surnamesMeet(a, b)) noteOrder(a, b, evidence);
  noteExtra(a, b, evidence);
}

const MIN_WRITTEN = 8;
const SLIPS_AS_ONE = 2;

const leavesInitial = (list: WordList) => list.some((word) => word.partner === undefined && word.length === 1);

/** Spaces in the wrong place and a slip or two at once: the whole names are compared as if written in one word. */
function meetsAsOneWord(a: WordList, b: WordList, speller: Speller): boolean {
  if (leavesInitial(a) || leavesInitial(b)) return false;
  const x = writeTogether(a, speller.together);
  const y = writeTogether(b, speller.otherTogether);
  if (Math.min(x.length, y.length) < MIN_WRITTEN) return false;
  return speller.editDistance(x, y, SLIPS_AS_ONE) <= SLIPS_AS_ONE;
}

function writeTogether(list: WordList, together: Word): Word {
  together.length = 0;
  for (let k = 0; k < list.count; k++) {
    const word = list.at(k);
    for (let i = 0; i < word.length && together.length <= MAX_WORD; i++) {
      together.letters[together.length++] = word.at(i);
    }
  }
  return together;
}

/**
 * "Odette Farley" may be "Imogen Odette Farley", who goes by the second name; but an initial or a typing error is
 * not enough to skip the first name for.
 */
function leansOnLater(a: WordList, b: WordList): boolean {
  const [firstOfA, firstOfB] = [a.at(0), b.at(0)];
  if ((firstOfA.partner === undefined) === (firstOfB.partner === undefined)) return false;
  const [shorter, first] = firstOfA.partner === undefined ? [b, firstOfB] : [a, firstOfA];
  if (shorter.count !== 2) return false;
  const { relation } = first;
  return relation !== Relation.Equal && relation !== Relation.Nickname && relation !== Relation.Spelling;
}

function surnamesMeet(a: WordList, b: WordList): boolean {
  const place = surnamePlace(b);
  for (let k = surnamePlace(a); k < a.count; k++) if ((a.at(k).partner?.place ?? -1) >= place) return true;
  return false;
}

function noteOrder(a: WordList, b: WordList, evidence: Evidence): void {
  evidence.note("order", Severity.Close, 4).about(a.first, b.first).through(a.last, b.last);
}

/** Notes the names that only one of them has; a first name weighs more. */
function noteExtra(a: WordList, b: WordList, evidence: Evidence): void {
  const weigh = (place: number) => (place === 0 ? 14 : 7);
  for (let k = 0; k < a.count; k++) {
    if (a.at(k).partner === undefined) evidence.note("extra_token", Severity.Close, weigh(k)).about(a.at(k), undefined);
  }
  for (let k = 0; k < b.count; k++) {
    if (b.at(k).partner === undefined) {
      evidence.note("missing_token", Severity.Close, weigh(k)).about(undefined, b.at(k));
    }
  }
}
