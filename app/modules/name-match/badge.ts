/** The words of the score badge (specification, verification card). */
export type MatchBadge = "Exact" | "Very Strong" | "Strong" | "Moderate" | "Weak" | "Poor";

/** @param score 0-100 */
export function toMatchBadge(score: number): MatchBadge {
  if (score >= 95) return "Exact";
  if (score >= 90) return "Very Strong";
  if (score >= 80) return "Strong";
  if (score >= 70) return "Moderate";
  if (score >= 50) return "Weak";
  return "Poor";
}
