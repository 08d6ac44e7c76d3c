import { Severity } from "../comparing/evidence";

const TOP = 100;

/**
 * Shares the points a score lacks to 100 among what differs, in proportion to its weight. Only what decided the class
 * (or, where somebody has to look, what they have to look at) costs points. Whole points; their sum is exact.
 * @param score 0-100
 */
export function sharePoints(score: number, facts: readonly { severity: Severity; weight: number }[]): number[] {
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
