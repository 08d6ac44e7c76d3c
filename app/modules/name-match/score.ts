import { type Evidence, Link, Severity } from "./evidence";
import type { Reading } from "./reading";

const EXACT_TOP = 99;
const EXACT_FLOOR = 95;
const FUZZY_TOP = 94;
const FUZZY_FLOOR = 70;
const NONE_TOP = 65;

/** Places the score inside the band of the class the evidence has decided. */
export function scoreOf(worst: Severity, a: Reading, b: Reading, evidence: Evidence): number {
  if (worst === Severity.Format) {
    const score = EXACT_TOP - evidence.cost(0, Severity.Format);
    return score < EXACT_FLOOR ? EXACT_FLOOR : score;
  }
  if (worst === Severity.Close) {
    const score = FUZZY_TOP - evidence.cost(0, Severity.Close);
    return score < FUZZY_FLOOR ? FUZZY_FLOOR : score;
  }
  let shared = 0;
  for (let k = 0; k < evidence.links; k++) {
    if (evidence.linkKind[k] !== Link.Same) continue;
    const first = evidence.linkAFirst[k]!;
    const last = evidence.linkALast[k]!;
    if (first < 0 || evidence.linkBFirst[k]! < 0) continue;
    const heldFirst = evidence.linkBFirst[k]!;
    const heldLast = evidence.linkBLast[k]!;
    shared += a.start[last]! + a.length[last]! - a.start[first]!;
    shared += b.start[heldLast]! + b.length[heldLast]! - b.start[heldFirst]!;
  }
  const score = Math.round((NONE_TOP * shared) / (a.size + b.size));
  return score > NONE_TOP ? NONE_TOP : score;
}
