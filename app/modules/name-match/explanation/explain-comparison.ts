import { Link, Severity } from "../comparing/evidence";
import type { NameDifference, NameDifferenceType, NamePart } from "../types";
import { type Comparison, quote, toRuns, writtenWords } from "./comparison";
import { drawParts, wholeParts } from "./draw-parts";
import { pairWords, type WordPairs } from "./pair-words";
import { type Fact, settleDifferences, typeBySides } from "./settle-differences";

export interface Explanation {
  differences: NameDifference[];
  parts: NamePart[];
}

/** A fact as a difference, in whole words; names that differ only in their legal form are quoted in full. */
function toDifference(fact: Fact, comparison: Comparison, pairs: WordPairs): Omit<NameDifference, "points"> {
  const { submitted, held } = comparison;
  if (fact.type === "formatting") return { type: fact.type, submitted: submitted.text, held: held.text };
  const whole = pairs.wholeWords(fact);
  const type = typeBySides({ type: fact.type, ...whole });
  return { type, submitted: quote(submitted, whole.submitted), held: quote(held, whole.held) };
}

/** Sorts the heaviest first, equal ones by position in the name. Facts that quote the same words are merged. */
function toDifferences(comparison: Comparison, pairs: WordPairs, facts: readonly Fact[]): NameDifference[] {
  const points = sharePoints(comparison.score, facts);
  const differences = new Map<string, NameDifference>();
  facts.forEach((fact, k) => {
    const difference = toDifference(fact, comparison, pairs);
    const key = JSON.stringify(difference);
    const earlier = differences.get(key)?.points ?? 0;
    differences.set(key, { ...difference, points: earlier + (points[k] ?? 0) });
  });
  const told = withoutRepeated([...differences.values()], comparison.matchType === "exact");
  return told.sort((a, b) => b.points - a.points);
}

const quotesAlike = (a: NameDifference, b: NameDifference) => a.submitted === b.submitted && a.held === b.held;
const isVague = ({ type }: NameDifference) => type === "different_token" || type === "abbreviation";
const isKnown = ({ type }: NameDifference) => type !== "different_token";

/**
 * If two sentences are about the same words, such as "“No1” is not “1”" and "“No1” and “No2” mean the same", keeps one
 * and adds up their points. In an exact match it keeps the one that explains how they are related, otherwise the one
 * with more points.
 */
function withoutRepeated(differences: readonly NameDifference[], isExact: boolean): NameDifference[] {
  const told = [...differences];
  for (const vague of differences.filter(isVague)) {
    const at = told.indexOf(vague);
    const otherAt = told.findIndex((difference) => difference !== vague && quotesAlike(difference, vague));
    const other = told[otherAt];
    if (at < 0 || other === undefined) continue;
    const prefersOther = isExact ? isKnown(other) : other.points >= vague.points;
    told[otherAt] = { ...(prefersOther ? other : vague), points: vague.points + other.points };
    told.splice(at, 1);
  }
  return told;
}

const count = (words: readonly string[], word: string) => words.filter((other) => other === word).length;

/**
 * Drops words of one name that a reader finds equally often in the other ("J.B. B" beside "B"): there is no visible
 * difference, so their points go to other differences.
 */
function withoutUnseen(differences: readonly NameDifference[], { submitted, held }: Comparison): NameDifference[] {
  const a = writtenWords(submitted.text);
  const b = writtenWords(held.text);
  const isUnseen = (difference: NameDifference) => {
    if (difference.submitted && difference.held) return false;
    const words = writtenWords(difference.submitted || difference.held);
    return words.length > 0 && words.every((word) => count(a, word) > 0 && count(a, word) === count(b, word));
  };
  const seen = differences.filter((difference) => !isUnseen(difference));
  if (seen.length === differences.length) return seen;
  const points = differences.filter(isUnseen).reduce((sum, difference) => sum + difference.points, 0);
  const [first, ...others] = seen;
  if (first !== undefined) return [{ ...first, points: first.points + points }, ...others];
  return [{ type: "different_token", submitted: submitted.text, held: held.text, points }];
}

const FORMATTING: Omit<Fact, "submitted" | "held"> = { type: "formatting", severity: 0, weight: 1 };

/** Differences and parts of two names that have been compared word by word. */
export function explainComparison(comparison: Comparison): Explanation {
  const pairs = pairWords(comparison);
  const facts = settleDifferences(comparison, pairs);
  const told = facts.length > 0 ? facts : [{ ...FORMATTING, submitted: [], held: [] }];
  for (const { submitted, held } of facts) {
    if (toRuns(submitted).length === 1 && toRuns(held).length === 1) pairs.add(Link.Different, submitted, held);
  }
  const differences = withoutUnseen(toDifferences(comparison, pairs, told), comparison);
  return { differences, parts: drawParts(comparison, pairs) };
}

/** Differences and parts of two names that were judged as a whole, for one reason. */
export function explainWhole(comparison: Comparison, type: NameDifferenceType): Explanation {
  const { submitted, held, score, matchType } = comparison;
  const drawn = submitted.words.length > 0 && held.words.length > 0 && matchType !== "exact";
  return {
    differences: [{ type, submitted: submitted.text, held: held.text, points: 100 - score }],
    parts: drawn
      ? drawParts(comparison, pairWords(comparison))
      : wholeParts(submitted.text, held.text, matchType === "exact" ? "formatting" : "different"),
  };
}

const TOP = 100;

/**
 * Distributes the points that a score lacks to 100 among the differences, in proportion to their weight. Only the
 * differences that decided the class (or, if a person should look, those to look at) cost points. Whole points with an
 * exact total.
 * @param score 0-100
 */
function sharePoints(score: number, facts: readonly { severity: Severity; weight: number }[]): number[] {
  const worst = facts.reduce<Severity>((severity, fact) => Math.max(severity, fact.severity), Severity.Format);
  const weights = facts.map(({ severity, weight }) =>
    severity === worst || severity === Severity.Close ? Math.max(1, weight) : 0,
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const lost = TOP - score;
  const exact = weights.map((weight) => (total === 0 ? 0 : (lost * weight) / total));
  const points = exact.map(Math.floor);
  const byRemainder = exact.map((share, k) => ({ k, rest: share - Math.floor(share) })).sort((a, b) => b.rest - a.rest);
  let left = lost - points.reduce((sum, share) => sum + share, 0);
  for (const { k } of byRemainder) {
    if (left <= 0) break;
    points[k] = (points[k] ?? 0) + 1;
    left--;
  }
  return points;
}
