import type { Name } from "../parsing/name";
import { type Evidence, Link, Severity } from "./evidence";

const EXACT_TOP = 99;
const EXACT_FLOOR = 95;
const FUZZY_TOP = 94;
const FUZZY_FLOOR = 70;
const NONE_TOP = 65;

/** Places the score inside the band of the class that the evidence has decided. */
export function scoreOf(worst: Severity, a: Name, b: Name, evidence: Evidence): number {
  if (worst === Severity.Format) return Math.max(EXACT_FLOOR, EXACT_TOP - evidence.cost(0, Severity.Format));
  if (worst === Severity.Close) return Math.max(FUZZY_FLOOR, FUZZY_TOP - evidence.cost(0, Severity.Close));
  const letters = a.reading.size + b.reading.size;
  return Math.min(NONE_TOP, Math.round((NONE_TOP * sharedLetters(evidence)) / letters));
}

/** Letters of both names that stand in words they share. */
function sharedLetters(evidence: Evidence): number {
  let shared = 0;
  for (let k = 0; k < evidence.tieCount; k++) {
    const { link, aFirst, aLast, bFirst, bLast } = evidence.tieAt(k);
    if (link !== Link.Same || !aFirst || !aLast || !bFirst || !bLast) continue;
    shared += aLast.start + aLast.length - aFirst.start;
    shared += bLast.start + bLast.length - bFirst.start;
  }
  return shared;
}
