import { Gap, isAny, type Name, newPart, Relation, type Word, wordAt } from "~/modules/name-match/name";
import { collectCore } from "../parsing/parse-name";
import type { NameDifferenceType } from "../types";
import { entryOf, Flag, UNKNOWN } from "../vocabulary";
import { alignWords } from "./align";
import { compareForms, compareHolderKinds, comparePurposes, type PartOf } from "./compare-forms";
import { type Evidence, Link, Severity } from "./evidence";

type PartedType = "trading_as" | "trustee";

/** A name as its main part and its second part, if any: a trading name, or the beneficiary of a trustee. */
interface Parted {
  main: PartOf;
  second: PartOf | undefined;
}

/** Compares two organisations' names: part by part if either has several, otherwise as a whole. */
export function compareByParts(a: Name, b: Name, evidence: Evidence): void {
  const isTrading = a.trading !== undefined || b.trading !== undefined;
  if (!isTrading && a.beneficiary === undefined && b.beneficiary === undefined) {
    compareOrganisations({ name: a, part: a.main }, { name: b, part: b.main }, evidence);
    return;
  }
  const [x, y] = [takeParts(a, isTrading), takeParts(b, isTrading)];
  const type = isTrading ? "trading_as" : "trustee";
  if (x.second !== undefined && y.second !== undefined) compareBoth(x, x.second, y, y.second, type, evidence);
  else compareWithEither(x, y, type, evidence);
}

function takeParts(name: Name, isTrading: boolean): Parted {
  const second = isTrading ? name.trading : name.beneficiary;
  if (second === undefined && isTrading) return openBracket(name);
  return { main: { name, part: name.main }, second: second && { name, part: second } };
}

/** "Bolt Electrical (Acme Pty Ltd)": a bracket may contain the other name. */
function openBracket(name: Name): Parted {
  const { reading, main } = name;
  for (let k = main.from + 1; k < main.end; k++) {
    if ((wordAt(reading, k).gap & Gap.Open) === 0) continue;
    const before = { ...main, end: k };
    const within = newPart(k, main.end);
    collectCore(name, before);
    collectCore(name, within);
    return { main: { name, part: before }, second: { name, part: within } };
  }
  return { main: { name, part: main }, second: undefined };
}

const wordsOf = ({ name, part }: PartOf) => name.reading.words.slice(part.from, part.end);

/** Both names have a second part: each part is compared with the parts of the other. */
function compareBoth(
  a: Parted,
  secondA: PartOf,
  b: Parted,
  secondB: PartOf,
  type: PartedType,
  evidence: Evidence,
): void {
  const mainAgrees = evidence.keepIfAgreeing(() => compareOrganisations(a.main, b.main, evidence));
  const secondAgrees = evidence.keepIfAgreeing(() => compareOrganisations(secondA, secondB, evidence));
  if (mainAgrees && secondAgrees) return;
  const isKept = type === "trading_as" ? mainAgrees : secondAgrees;
  const severity = isKept ? Severity.Close : Severity.Conflict;
  const [x, y] = mainAgrees ? [wordsOf(secondA), wordsOf(secondB)] : [wordsOf(a.main), wordsOf(b.main)];
  const reason = mainAgrees || type === "trustee" ? type : "different_token";
  evidence.note(reason, severity, 22, x[0], y[0], x.at(-1), y.at(-1));
}

/** Only one name has a second part: the other is compared with either part. */
function compareWithEither(a: Parted, b: Parted, type: PartedType, evidence: Evidence): void {
  const mainAgrees = evidence.keepIfAgreeing(() => compareOrganisations(a.main, b.main, evidence));
  const agrees =
    mainAgrees || evidence.keepIfAgreeing(() => compareOrganisations(a.second ?? a.main, b.second ?? b.main, evidence));
  const [x, y] = [a, b].map(({ second }) => (second === undefined ? [] : wordsOf(second)));
  const severity = agrees ? Severity.Close : Severity.Conflict;
  evidence.note(type, severity, mainAgrees ? 10 : 12, x?.[0], y?.[0], x?.at(-1), y?.at(-1));
}

/** Compares one part of two organisations' names, and records the differences. */
function compareOrganisations(a: PartOf, b: PartOf, evidence: Evidence): void {
  compareWords(a, b, evidence);
  compareForms(a, b, evidence);
  compareHolderKinds(a, b, evidence);
  comparePurposes(a.part, b.part, evidence);
  compareAnds(a.name, b.name, evidence);
}

const THE = entryOf("the");

/** A small joining word ("of", "the") that does not distinguish names. */
const isLink = (word: Word) => isAny(word, Flag.Link) || word.entry === THE;

/** The difference that each relation of two words is. Spelling variants and related words are typing errors. */
const MEANING: Partial<Record<Relation, readonly [type: NameDifferenceType, severity: Severity, weight: number]>> = {
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

/** Records how a word is related to its partner. @returns whether that counts as a typing error */
function notePair(a: Word, b: Word, evidence: Evidence): boolean {
  const { relation } = a;
  if (relation === Relation.Equal) {
    evidence.tie(Link.Same, a, b);
    if (a.entry === UNKNOWN || a.text === b.text) return false;
    const type = isAny(a, Flag.Number) || isAny(b, Flag.Number) ? "number" : "abbreviation";
    evidence.note(type, Severity.Format, 1, a, b);
    return false;
  }
  evidence.tie(IS_SAME.has(relation) ? Link.Same : Link.Letters, a, b, a.runEnd, b.runEnd);
  const [type, severity, weight] = MEANING[relation] ?? ["typo", Severity.Close, 10];
  evidence.note(type, severity, weight, a, b, a.runEnd, b.runEnd);
  return IS_SLIP.has(relation);
}

/** Does a word identify its holder: an unknown word or a person's name? */
const tellsApart = (word: Word) => !isAny(word, Flag.Weak) || isAny(word, Flag.Given | Flag.Surname);

/** Totals of the word pairs of two organisations' names. */
interface Agreement {
  matched: number;
  /** Pairs of identifying words. */
  distinct: number;
  slips: number;
}

function notePairs(a: readonly Word[], evidence: Evidence): Agreement {
  const agreement = { matched: 0, distinct: 0, slips: 0 };
  let before: Word | undefined;
  for (const word of a) {
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

/** Words of one side without a partner, apart from small joining words. */
interface Rest {
  count: number;
  /** How many of them are identifying words. */
  distinct: number;
  union: number;
}

function restOf(list: readonly Word[]): Rest {
  const rest = { count: 0, distinct: 0, union: 0 };
  for (const word of list) {
    if (word.partner !== undefined || isLink(word)) continue;
    rest.count++;
    rest.union |= word.flags;
    if (!isAny(word, Flag.Weak)) rest.distinct++;
  }
  return rest;
}

const MAX_EXTRA = 3;
const MILD = Flag.Country | Flag.Purpose | Flag.Link;

/** Are the words without a partner in brackets at the end of the name ("Acme Club (Juniors)")? */
function isDescription(list: readonly Word[], { reading }: Name): boolean {
  let opened = reading.words.length - 1;
  while (opened > 0 && (wordAt(reading, opened).gap & (Gap.Open | Gap.Close)) === 0) opened--;
  if ((wordAt(reading, opened).gap & Gap.Open) === 0) return false;
  return !list.some((word) => word.partner === undefined && word.index < opened);
}

/** How serious it is that one name has words that the other lacks. */
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

/** The type of difference for a word that only one name has. */
function typeOfExtra(word: Word, isSubmitted: boolean): NameDifferenceType {
  if (isAny(word, Flag.Number)) return "number";
  if (isAny(word, Flag.Place | Flag.State | Flag.Country | Flag.Compass)) return "place";
  return isSubmitted ? "extra_token" : "missing_token";
}

const LINK_WEIGHT = 3;

function noteRest(list: readonly Word[], isSubmitted: boolean, severity: Severity, weight: number, evidence: Evidence) {
  for (const word of list) {
    if (word.partner !== undefined) continue;
    const type = typeOfExtra(word, isSubmitted);
    const [a, b] = isSubmitted ? [word, undefined] : [undefined, word];
    if (isLink(word)) evidence.note(type, Severity.Close, LINK_WEIGHT, a, b);
    else evidence.note(type, severity, weight, a, b);
  }
}

const MAX_SLIPS = 2;

/** Is one word made of the first letters of the other side's words ("NPC", "Northern Paddlers Club")? */
function isAcronym([short, ...more]: readonly Word[], long: readonly Word[]): boolean {
  if (short === undefined || more.length > 0) return false;
  let k = 0;
  for (const word of long) {
    if (k < short.text.length && word.text[0] === short.text[k]) k++;
    else if (!isAny(word, Flag.Link)) return false;
  }
  return k > 1 && k === short.text.length;
}

/** Compares the words that tell two organisations apart. */
function compareWords({ name: nameA, part: a }: PartOf, { name: nameB, part: b }: PartOf, evidence: Evidence): void {
  const x = a.core;
  const y = b.core;
  if (x.length === 0 || y.length === 0) {
    evidence.note("different_token", Severity.Conflict, 0);
    return;
  }
  const { leftA, leftB, inOrder } = alignWords(x, y, false);
  const agreement = notePairs(x, evidence);
  if (agreement.slips > MAX_SLIPS) evidence.note("different_token", Severity.Conflict, 0);
  if (leftA === 0 && leftB === 0) {
    if (!inOrder) noteWhole("order", 8, x, y, evidence);
    return;
  }
  const restA = restOf(x);
  const restB = restOf(y);
  if (restA.count > 0 && restB.count > 0) {
    if (isAcronym(x, y) || isAcronym(y, x)) noteWhole("acronym", 22, x, y, evidence);
    else evidence.note("different_token", Severity.Conflict, 0);
    return;
  }
  if (agreement.matched === 0) {
    evidence.note("different_token", Severity.Conflict, 0);
    return;
  }
  if (!inOrder) noteWhole("order", 8, x, y, evidence);
  const rest = restA.count > 0 ? restA : restB;
  let severity = severityOfRest(rest, a.form !== "" && b.form !== "", agreement);
  if (severity === Severity.Conflict && canBeDescribed(rest, agreement)) {
    if (rest === restA ? isDescription(x, nameA) : isDescription(y, nameB)) severity = Severity.Close;
  }
  const weight = rest.distinct > 0 ? 13 : 10;
  noteRest(x, true, severity, weight, evidence);
  noteRest(y, false, severity, weight, evidence);
}

function noteWhole(
  type: "order" | "acronym",
  weight: number,
  a: readonly Word[],
  b: readonly Word[],
  evidence: Evidence,
): void {
  evidence.note(type, Severity.Close, weight, a[0], b[0], a.at(-1), b.at(-1));
}

/** Compares "and" between the same words: spelled, signed or left out. */
function compareAnds({ and: a }: Name, { and: b }: Name, evidence: Evidence): void {
  if (a !== undefined && b !== undefined) evidence.tie(Link.Same, a, b);
  else if (a !== undefined || b !== undefined) evidence.note("and_symbol", Severity.Close, 3, a, b);
}
