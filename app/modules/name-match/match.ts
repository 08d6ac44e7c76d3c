import { compareNames } from "./compare";
import { readLookAlikes } from "./confusables";
import { Evidence, Link, Severity } from "./evidence";
import { describeComparison, describeTexts } from "./explanation/describe-comparison";
import { wholeParts } from "./explanation/draw-parts";
import { type Explanation, explainComparison, explainWhole } from "./explanation/explain-comparison";
import { MAX_TEXT, sameLong } from "./long";
import { Name } from "./name";
import { parse } from "./parse";
import { readName } from "./read";
import { Mark, type Reading } from "./reading";
import { scoreOf } from "./score";
import { couldBeRomanised, crossesScripts } from "./scripts";
import { compareCharacters } from "./signs";
import { sameLetters } from "./token-edits";
import type { MatchType, NameDifference, NameDifferenceType, NameKind, NameMatch, NamePart, NameScore } from "./types";
import { PLACEHOLDER } from "./vocabulary/flags";

const nameA = new Name();
const nameB = new Name();
const evidence = new Evidence();

/** Nothing that could be a name: blank, digits only, "test", "N/A", one letter over and over. */
function isBlank(reading: Reading): boolean {
  if (reading.count === 0) return true;
  if ((reading.marks & Mark.Letter) === 0) return true;
  if ((reading.union & PLACEHOLDER) === 0) return false;
  for (let i = 0; i < reading.count; i++) if ((reading.flags[i]! & PLACEHOLDER) === 0) return false;
  return true;
}

function sameWords(a: Reading, b: Reading): boolean {
  if (a.count !== b.count || a.size !== b.size) return false;
  for (let i = 0; i < a.count; i++) if (!sameLetters(a, i, b, i)) return false;
  return true;
}

const FOREIGN = Mark.Cyrillic | Mark.Greek;

/** Where the reasons for an answer are. */
enum Reason {
  /** In the evidence, word by word. */
  Evidence = 0,
  /** The names as wholes; `verdict.type` says how they differ. */
  Whole = 1,
  /** There is nothing to tell: the texts are identical. */
  Identical = 2,
}

/** The answer on the names last compared, before anything is written down about it. */
const verdict: { score: number; matchType: MatchType; reason: Reason; type: NameDifferenceType } = {
  score: 0,
  matchType: "none",
  reason: Reason.Whole,
  type: "blank",
};

function decide(score: number, matchType: MatchType, reason: Reason, type: NameDifferenceType): void {
  verdict.score = score;
  verdict.matchType = matchType;
  verdict.reason = reason;
  verdict.type = type;
}

function decideWhole(score: number, matchType: MatchType, type: NameDifferenceType): void {
  decide(score, matchType, Reason.Whole, type);
}

function decideByEvidence(): void {
  const worst = evidence.worst(0);
  const matchType = worst === Severity.Format ? "exact" : worst === Severity.Close ? "fuzzy" : "none";
  decide(scoreOf(worst, nameA.reading, nameB.reading, evidence), matchType, Reason.Evidence, "formatting");
}

function decideLong(submitted: string, held: string): void {
  if (sameLong(submitted, held)) decideWhole(97, "exact", "formatting");
  else decideWhole(0, "none", "different_token");
}

function compareRead(submitted: string, held: string, kind: NameKind | undefined): void {
  const a = nameA.reading;
  const b = nameB.reading;
  if (((a.marks | b.marks) & FOREIGN) !== 0) {
    readLookAlikes(a, false);
    readLookAlikes(b, false);
  }
  if (isBlank(a) || isBlank(b)) {
    decideWhole(0, "none", "blank");
    return;
  }
  evidence.clear();
  if (sameWords(a, b)) {
    for (let i = 0; i < a.count; i++) evidence.link(Link.Same, i, i, i, i);
    compareCharacters(a, b, evidence);
    decideByEvidence();
    return;
  }
  if (crossesScripts(a, b)) {
    readLookAlikes(a, true);
    readLookAlikes(b, true);
    if (sameWords(a, b)) {
      decideWhole(76, "fuzzy", "homoglyph");
      return;
    }
    readName(nameA.reading, submitted);
    readName(nameB.reading, held);
    const possible = couldBeRomanised(a, b);
    decideWhole(possible ? 72 : 5, possible ? "fuzzy" : "none", "script");
    return;
  }
  parse(nameA);
  parse(nameB);
  compareNames(nameA, nameB, kind, evidence);
  compareCharacters(a, b, evidence);
  decideByEvidence();
}

function judge(submitted: string, held: string, kind: NameKind | undefined): void {
  if (submitted.length > MAX_TEXT || held.length > MAX_TEXT) {
    decideLong(submitted, held);
    return;
  }
  readName(nameA.reading, submitted);
  if (submitted === held) {
    if (isBlank(nameA.reading)) decideWhole(0, "none", "blank");
    else decide(100, "exact", Reason.Identical, "formatting");
    return;
  }
  readName(nameB.reading, held);
  if (((nameA.reading.marks | nameB.reading.marks) & Mark.TooLong) !== 0) decideLong(submitted, held);
  else compareRead(submitted, held, kind);
}

function explain(submitted: string, held: string): Explanation {
  const { reason, type } = verdict;
  switch (reason) {
    case Reason.Identical:
      return { differences: [], parts: wholeParts(submitted, held, "same") };
    case Reason.Whole:
      return explainWhole(describeTexts(submitted, held, verdict), type);
    case Reason.Evidence:
      return explainComparison(describeComparison(nameA.reading, nameB.reading, evidence, verdict));
  }
}

/** Comparisons made so far: an answer knows by its number whether the evidence is still its own. */
let comparisons = 0;

/** An answer; the reasons are written down when somebody reads them. */
class ReasonedMatch implements NameMatch {
  readonly score: number;
  readonly matchType: MatchType;
  readonly #submitted: string;
  readonly #held: string;
  readonly #kind: NameKind | undefined;
  readonly #number: number;
  #explanation: Explanation | undefined;

  constructor(submitted: string, held: string, kind: NameKind | undefined) {
    judge(submitted, held, kind);
    this.score = verdict.score;
    this.matchType = verdict.matchType;
    this.#submitted = submitted;
    this.#held = held;
    this.#kind = kind;
    this.#number = ++comparisons;
  }

  #explain(): Explanation {
    if (this.#explanation === undefined) {
      if (this.#number !== comparisons) judge(this.#submitted, this.#held, this.#kind);
      this.#explanation = explain(this.#submitted, this.#held);
    }
    return this.#explanation;
  }

  get differences(): NameDifference[] {
    return this.#explain().differences;
  }

  get parts(): NamePart[] {
    return this.#explain().parts;
  }

  toJSON(): NameMatch {
    const { score, matchType, differences, parts } = this;
    return { score, matchType, differences, parts };
  }
}

/**
 * Compares the name somebody typed with the name the bank holds.
 *
 * The class is decided from evidence, step by step, and the score is then placed inside its band. Deterministic,
 * never throws, and takes time in proportion to the length of the names whatever they contain.
 * @param kind what the account holder is believed to be; optional, and outweighed by the names themselves
 */
export function matchNames(submitted: string, held: string, kind?: NameKind): NameMatch {
  return new ReasonedMatch(submitted, held, kind);
}

/**
 * Score and class as `matchNames` gives them, without the reasons: for looking through many names, of which few are
 * shown. A quarter of the time goes into writing reasons down.
 */
export function scoreNames(submitted: string, held: string, kind?: NameKind): NameScore {
  judge(submitted, held, kind);
  comparisons++;
  return { score: verdict.score, matchType: verdict.matchType };
}
