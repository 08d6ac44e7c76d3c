import type { Name } from "../parsing/name";
import type { Reading } from "../reading/reading";
import { type Evidence, indexAt, Link, NOWHERE, offsetAt, Severity } from "./evidence";

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
  return Math.min(NONE_TOP, Math.round((NONE_TOP * sharedLetters(a.reading, b.reading, evidence)) / letters));
}

/** Letters of both names that stand in words they share. */
function sharedLetters(a: Reading, b: Reading, evidence: Evidence): number {
  let shared = 0;
  for (let k = 0; k < evidence.tieCount; k++) {
    const { link, aFirst, aLast, bFirst, bLast } = evidence.tieAt(k);
    if (link !== Link.Same || aFirst === NOWHERE || bFirst === NOWHERE) continue;
    shared += lettersFrom(a, aFirst, aLast) + lettersFrom(b, bFirst, bLast);
  }
  return shared;
}

/** How many letters a stretch of words has. */
function lettersFrom(reading: Reading, first: number, last: number): number {
  const start = reading.word(indexAt(first)).start + Math.max(0, offsetAt(first));
  const word = reading.word(indexAt(last));
  const offset = offsetAt(last);
  return (offset < 0 ? word.start + word.length : word.start + offset + 1) - start;
}
