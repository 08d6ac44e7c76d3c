import type { Name, Part } from "../parsing/name";
import { Gap, Relation, sameLetters, type Word } from "../reading/word";
import type { WordList } from "../reading/word-list";
import type { NameDifferenceType } from "../types";
import { Flag } from "../vocabulary/flags";
import { LEXICON } from "../vocabulary/words";
import { compareCompanyWithPerson, compareForms, compareHolderKinds, comparePurposes } from "./compare-forms";
import type { Context } from "./context";
import { type Evidence, Link, Severity } from "./evidence";

const THE = LEXICON.get("the").id;

/** A small word that joins others ("of", "the") and tells nobody apart. */
const isLink = (word: Word) => word.has(Flag.Link) || word.id === THE;

type Related = readonly [type: NameDifferenceType, severity: Severity, weight: number];

/** What a relation of two words means. Spellings and related words count as typing errors. */
const MEANING: Partial<Record<Relation, Related>> = {
  [Relation.Reading]: ["abbreviation", Severity.Format, 1],
  [Relation.Joined]: ["spacing", Severity.Format, 2],
  [Relation.Plural]: ["plural", Severity.Close, 4],
  [Relation.LookAlike]: ["homoglyph", Severity.Close, 18],
  [Relation.Roman]: ["number", Severity.Close, 5],
  [Relation.Spelling]: ["typo", Severity.Close, 7],
  [Relation.Nickname]: ["nickname", Severity.Close, 8],
  [Relation.Initial]: ["initial", Severity.Close, 9],
  [Relation.Slip]: ["typo", Severity.Close, 6],
  [Relation.TwoSlips]: ["typo", Severity.Close, 10],
  [Relation.Stem]: ["typo", Severity.Close, 12],
};

const IS_SAME: ReadonlySet<Relation> = new Set([Relation.Equal, Relation.Joined, Relation.Reading]);
const IS_SLIP: ReadonlySet<Relation> = new Set([
  Relation.Spelling,
  Relation.Nickname,
  Relation.Initial,
  Relation.Slip,
  Relation.TwoSlips,
  Relation.Stem,
]);

/** Notes how a word is related to its partner. @returns whether that counts as a typing error */
function notePair(a: Word, b: Word, evidence: Evidence): boolean {
  const { relation } = a;
  if (relation === Relation.Equal) {
    evidence.tie(Link.Same, a, b);
    if (a.id === 0 || sameLetters(a, b)) return false;
    evidence.note(a.has(Flag.Number) || b.has(Flag.Number) ? "number" : "abbreviation", Severity.Format, 1).about(a, b);
    return false;
  }
  evidence.tie(IS_SAME.has(relation) ? Link.Same : Link.Letters, a, b).through(a.runEnd, b.runEnd);
  const [type, severity, weight] = MEANING[relation] ?? ["typo", Severity.Close, 10];
  evidence.note(type, severity, weight).about(a, b).through(a.runEnd, b.runEnd);
  return IS_SLIP.has(relation);
}

/** Does a word tell who it is by itself: an unknown word or a person's name? */
const tellsApart = (word: Word) => !word.has(Flag.Weak) || word.has(Flag.Given | Flag.Surname);

/** What the pairs of two organisations' words come to. */
interface Agreement {
  matched: number;
  /** Pairs of words that tell who it is. */
  distinct: number;
  slips: number;
}

function notePairs(a: WordList, evidence: Evidence): Agreement {
  const agreement = { matched: 0, distinct: 0, slips: 0 };
  let before: Word | undefined;
  for (let k = 0; k < a.count; k++) {
    const word = a.at(k);
    const { partner } = word;
    if (partner === undefined) continue;
    agreement.matched++;
    if (tellsApart(word) && tellsApart(partner)) agreement.distinct++;
    const isWithinRun = word.relation === Relation.Joined && partner === before;
    before = partner;
    if (!isWithinRun && notePair(word, partner, evidence)) agreement.slips++;
  }
  return agreement;
}

/** Words of one side without a partner, small joining words aside. */
interface Rest {
  count: number;
  /** Those that tell who it is. */
  distinct: number;
  union: number;
}

function restOf(list: WordList): Rest {
  const rest = { count: 0, distinct: 0, union: 0 };
  for (let k = 0; k < list.count; k++) {
    const word = list.at(k);
    if (word.partner !== undefined || isLink(word)) continue;
    rest.count++;
    rest.union |= word.flags;
    if (!word.has(Flag.Weak)) rest.distinct++;
  }
  return rest;
}

const MAX_EXTRA = 3;
const MILD = Flag.Country | Flag.Purpose | Flag.Link;

/** Do the words without a partner stand in a bracket that ends the name ("Acme Club (Juniors)")? */
function isDescription(list: WordList, { reading }: Name): boolean {
  let opened = reading.count - 1;
  while (opened > 0 && (reading.word(opened).gap & (Gap.Open | Gap.Close)) === 0) opened--;
  if ((reading.word(opened).gap & Gap.Open) === 0) return false;
  return !list.some((word) => word.partner === undefined && word.index < opened);
}

/** What it means that one name has words the other lacks. */
function severityOfRest(rest: Rest, bothHaveForms: boolean, { matched, distinct }: Agreement): Severity {
  if ((rest.union & (Flag.Number | Flag.Telling | Flag.Entity)) !== 0) return Severity.Conflict;
  if (distinct === 0 && matched < 2) return Severity.Conflict;
  if (rest.count > MAX_EXTRA) return Severity.Conflict;
  const isMild = rest.distinct === 0 && (rest.union & ~MILD) === 0;
  return bothHaveForms && !isMild ? Severity.Conflict : Severity.Close;
}

/** Could the words that only one name has be a description: few, no number, no other kind of holder? */
const canBeDescribed = (rest: Rest, { matched, distinct }: Agreement) =>
  rest.count <= MAX_EXTRA && (rest.union & (Flag.Number | Flag.Entity)) === 0 && (distinct > 0 || matched > 1);

/** What kind of difference a word makes that only one name has. */
function typeOfExtra(word: Word, isSubmitted: boolean): NameDifferenceType {
  if (word.has(Flag.Number)) return "number";
  if (word.has(Flag.Place | Flag.State | Flag.Country | Flag.Compass)) return "place";
  return isSubmitted ? "extra_token" : "missing_token";
}

const LINK_WEIGHT = 3;

function noteRest(list: WordList, isSubmitted: boolean, [severity, weight]: [Severity, number], evidence: Evidence) {
  for (let k = 0; k < list.count; k++) {
    const word = list.at(k);
    if (word.partner !== undefined) continue;
    const finding = isLink(word)
      ? evidence.note(typeOfExtra(word, isSubmitted), Severity.Close, LINK_WEIGHT)
      : evidence.note(typeOfExtra(word, isSubmitted), severity, weight);
    if (isSubmitted) finding.about(word, undefined);
    else finding.about(undefined, word);
  }
}

const MAX_SLIPS = 2;

/** Is one word made of the first letters of the other side's words ("NPC", "Northern Paddlers Club")? */
function isAcronym(short: WordList, long: WordList): boolean {
  if (short.count !== 1) return false;
  const word = short.at(0);
  let k = 0;
  for (let j = 0; j < long.count; j++) {
    if (k < word.length && long.at(j).at(0) === word.at(k)) k++;
    else if (!long.at(j).has(Flag.Link)) return false;
  }
  return k > 1 && k === word.length;
}

/** Compares the words that tell two organisations apart. */
function compareWords(a: Part, b: Part, { evidence, aligner }: Context): void {
  const x = a.core;
  const y = b.core;
  if (x.count === 0 || y.count === 0) {
    evidence.note("different_token", Severity.Conflict, 0);
    return;
  }
  aligner.align(x, y, false);
  const agreement = notePairs(x, evidence);
  if (agreement.slips > MAX_SLIPS) evidence.note("different_token", Severity.Conflict, 0);
  if (aligner.leftA === 0 && aligner.leftB === 0) {
    if (!aligner.inOrder) noteOrder(x, y, evidence);
    return;
  }
  const restA = restOf(x);
  const restB = restOf(y);
  if (restA.count > 0 && restB.count > 0) {
    if (isAcronym(x, y) || isAcronym(y, x)) {
      evidence.note("acronym", Severity.Close, 22).about(x.first, y.first).through(x.last, y.last);
    } else evidence.note("different_token", Severity.Conflict, 0);
    return;
  }
  if (agreement.matched === 0) {
    evidence.note("different_token", Severity.Conflict, 0);
    return;
  }
  if (!aligner.inOrder) noteOrder(x, y, evidence);
  const rest = restA.count > 0 ? restA : restB;
  let severity = severityOfRest(rest, a.form !== 0 && b.form !== 0, agreement);
  if (severity === Severity.Conflict && canBeDescribed(rest, agreement)) {
    if (rest === restA ? isDescription(x, a.name) : isDescription(y, b.name)) severity = Severity.Close;
  }
  const weight = rest.distinct > 0 ? 13 : 10;
  noteRest(x, true, [severity, weight], evidence);
  noteRest(y, false, [severity, weight], evidence);
}

function noteOrder(a: WordList, b: WordList, evidence: Evidence): void {
  evidence.note("order", Severity.Close, 8).about(a.first, b.first).through(a.last, b.last);
}

/** Compares "and" between the same words: spelled, signed or left out. */
function compareAnds(a: Name, b: Name, evidence: Evidence): void {
  if (a.and !== undefined && b.and !== undefined) evidence.tie(Link.Same, a.and, b.and);
  else if (a.and !== undefined || b.and !== undefined) {
    evidence.note("and_symbol", Severity.Close, 3).about(a.and, b.and);
  }
}

/** Compares one part of two organisations' names. Adds what differs to the evidence. */
export function compareOrganisations(a: Part, b: Part, context: Context): void {
  const { evidence } = context;
  compareWords(a, b, context);
  compareForms(a, b, evidence);
  compareHolderKinds(a, b, evidence);
  comparePurposes(a, b, evidence);
  compareAnds(a.name, b.name, evidence);
  compareCompanyWithPerson(a, b, evidence);
}
