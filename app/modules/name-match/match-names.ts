import { compareCharacters, compareNames, isSameText } from "./comparing/compare-names";
import { Evidence, Link, Severity } from "./comparing/evidence";
import { couldBeRomanised, crossesScripts, soundsOf } from "./comparing/other-scripts";
import { describeComparison, describeLongTexts, describeTexts } from "./explanation/comparison";
import { wholeParts } from "./explanation/draw-parts";
import { type Explanation, explainComparison, explainWhole } from "./explanation/explain-comparison";
import { isAny, isPhrase, Mark, type Name, type Reading, type Word } from "./name";
import { parseName } from "./parsing/parse-name";
import { readLookAlikes, readName } from "./reading/read-name";
import type { MatchType, NameDifference, NameDifferenceType, NameKind, NameMatch, NamePart, NameScore } from "./types";
import { Flag } from "./vocabulary";

/** A name that has been read, so that it can be compared with many others. */
export type PreparedName = Reading;

/** Reads a name once, for comparing it with many others. */
export const prepareName: (text: string) => PreparedName = readName;

/** True if a text is longer than any name. */
export const isLong = ({ marks }: Reading): boolean => (marks & Mark.TooLong) !== 0;

function parse(reading: Reading): Name {
  reading.parsed ??= parseName(reading);
  return reading.parsed;
}

/** True for text that cannot be a name: blank, digits only, "test", "N/A", one letter repeated. */
export const isBlank = ({ words, marks, union }: Reading): boolean =>
  (marks & Mark.Letter) === 0 ||
  ((union & Flag.Placeholder) !== 0 && words.every((word) => isAny(word, Flag.Placeholder)));

/** A result and its basis: the evidence word by word, or the single way in which the names differ as a whole. */
interface Judgement extends NameScore {
  basis: Evidence | NameDifferenceType | "identical";
}

const CLASSES: Record<Severity, MatchType> = {
  [Severity.Format]: "exact",
  [Severity.Close]: "fuzzy",
  [Severity.Conflict]: "none",
};

const BLANK: Judgement = { score: 0, matchType: "none", basis: "blank" };
const IDENTICAL: Judgement = { score: 100, matchType: "exact", basis: "identical" };

function judge(a: Reading, b: Reading, kind: NameKind | undefined): Judgement {
  if (isLong(a) || isLong(b)) return judgeTexts(a.text, b.text);
  if (isBlank(a) || isBlank(b)) return BLANK;
  if (a.text === b.text) return IDENTICAL;
  const evidence = new Evidence();
  if (!haveSameWords(a, b)) {
    if (crossesScripts(a, b)) return judgeAcrossScripts(a, b);
    compareNames(parse(a), parse(b), kind, evidence);
  }
  compareCharacters(a, b, evidence);
  const worst = evidence.worst();
  return { score: scoreOf(worst, a, b, evidence), matchType: CLASSES[worst], basis: evidence };
}

/** Judges texts that are longer than any name. */
function judgeTexts(submitted: string, held: string): Judgement {
  return isSameText(submitted, held)
    ? { score: 97, matchType: "exact", basis: "formatting" }
    : { score: 0, matchType: "none", basis: "different_token" };
}

function haveSameWords({ words: a }: Reading, { words: b }: Reading): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) {
    const word = a[k];
    const other = b[k];
    if (word === undefined || other === undefined || word.text !== other.text) return false;
    if (word.entry !== other.entry && (isPhrase(word) || isPhrase(other))) return false;
  }
  return true;
}

/** Judges a name in another script: letters that only imitate Latin ones, or the same name by its sounds. */
function judgeAcrossScripts(a: Reading, b: Reading): Judgement {
  const marks = a.marks | b.marks;
  const mayImitate =
    (marks & (Mark.Cyrillic | Mark.Greek)) !== 0 && a.size === b.size && a.words.length === b.words.length;
  if (mayImitate && haveSameWords(imitate(a.text), imitate(b.text))) {
    return { score: 76, matchType: "fuzzy", basis: "homoglyph" };
  }
  return couldBeRomanised(soundsOf(a), soundsOf(b), (marks & Mark.OtherScript) === 0)
    ? { score: 72, matchType: "fuzzy", basis: "script" }
    : { score: 5, matchType: "none", basis: "script" };
}

function imitate(text: string): Reading {
  const reading = readName(text);
  readLookAlikes(reading, true);
  return reading;
}

const EXACT_TOP = 99;
const EXACT_FLOOR = 95;
const FUZZY_TOP = 94;
const FUZZY_FLOOR = 70;
const NONE_TOP = 65;

/** Places the score within the band of the class that the evidence decided. */
function scoreOf(worst: Severity, a: Reading, b: Reading, evidence: Evidence): number {
  if (worst === Severity.Format) return Math.max(EXACT_FLOOR, EXACT_TOP - evidence.cost(0, Severity.Format));
  if (worst === Severity.Close) return Math.max(FUZZY_FLOOR, FUZZY_TOP - evidence.cost(0, Severity.Close));
  let shared = 0;
  for (const { link, aFirst, aLast, bFirst, bLast } of evidence.ties) {
    if (link === Link.Same) shared += countLetters(a, aFirst, aLast) + countLetters(b, bFirst, bLast);
  }
  return Math.min(NONE_TOP, Math.round((NONE_TOP * shared) / (a.size + b.size)));
}

/** How many letters a stretch of words has. */
function countLetters({ words }: Reading, first: Word | undefined, last: Word | undefined): number {
  if (first === undefined || last === undefined) return 0;
  if (first === last) return first.text.length;
  const start = countBefore(words, first.index) + Math.max(0, first.offset);
  const end = last.offset < 0 ? countBefore(words, last.index + 1) : countBefore(words, last.index) + last.offset + 1;
  return end - start;
}

function countBefore(words: readonly Word[], end: number): number {
  let letters = 0;
  for (let k = 0; k < end; k++) letters += words[k]?.text.length ?? 0;
  return letters;
}

function explain(a: Reading, b: Reading, { basis, ...verdict }: Judgement): Explanation {
  if (basis === "identical") return { differences: [], parts: wholeParts(a.text, b.text, "same") };
  if (typeof basis !== "string") return explainComparison(describeComparison(a, b, basis, verdict));
  const describe = isLong(a) || isLong(b) ? describeLongTexts : describeTexts;
  return explainWhole(describe(a.text, b.text, verdict), basis);
}

/** A result whose reasons are computed when they are read. */
class ReasonedMatch implements NameMatch {
  readonly score: number;
  readonly matchType: MatchType;
  private explained: Explanation | undefined;

  constructor(
    private readonly submitted: Reading,
    private readonly held: Reading,
    private readonly judgement: Judgement,
  ) {
    this.score = judgement.score;
    this.matchType = judgement.matchType;
  }

  private explain(): Explanation {
    this.explained ??= explain(this.submitted, this.held, this.judgement);
    return this.explained;
  }

  get differences(): NameDifference[] {
    return this.explain().differences;
  }

  get parts(): NamePart[] {
    return this.explain().parts;
  }

  toJSON(): NameMatch {
    const { score, matchType, differences, parts } = this;
    return { score, matchType, differences, parts };
  }
}

/**
 * Compares the name that somebody typed with the name that the bank holds.
 *
 * The evidence decides the class step by step, and the score is then placed inside the band of that class.
 * Deterministic, never throws, and takes time proportional to the length of the names, whatever they contain.
 * @param kind what the account holder is believed to be; optional, and outweighed by the names themselves
 */
export function matchNames(submitted: string, held: string, kind?: NameKind): NameMatch {
  const a = readName(submitted);
  const b = readName(held);
  return new ReasonedMatch(a, b, judge(a, b, kind));
}

/** The same as plain data for a page's loader, because getters are not serialised. */
export function matchNamesForPage(submitted: string, held: string): NameMatch {
  const { score, matchType, differences, parts } = matchNames(submitted, held);
  return { score, matchType, differences, parts };
}

const prepared = (name: string | PreparedName) => (typeof name === "string" ? readName(name) : name);

/** Score and class from `matchNames`, for names as text or prepared, when comparing with many. */
export function scoreNames(submitted: string | PreparedName, held: string | PreparedName, kind?: NameKind): NameScore {
  const { score, matchType } = judge(prepared(submitted), prepared(held), kind);
  return { score, matchType };
}

/** Score and class of a prepared name and one of many, as from `scoreNames`; undefined when they do not match. */
export function scoreIfAlike(own: PreparedName, other: string | PreparedName, kind?: NameKind): NameScore | undefined {
  const found = scoreNames(own, other, kind);
  return found.matchType === "none" ? undefined : found;
}

/** True if a new name is a different one. A different spelling ("Pty. Limited", capitals) does not count. */
export const isAnotherName = (from: string, to: string): boolean =>
  from !== to && scoreNames(from, to).matchType !== "exact";

/** True if the matcher considers two names different. */
export const namesDiffer = (a: string, b: string): boolean => scoreNames(a, b).matchType === "none";

/** Is one of many names an exact match of a prepared one? */
export const isExactMatch = (own: PreparedName, other: string): boolean => scoreNames(own, other).matchType === "exact";
