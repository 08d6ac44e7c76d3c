import type { NameDifference } from "../types";
import { explainDifference } from "./sentences";

/** Why a score is not higher: a sentence, and what it costs of the 100 points. */
export interface Reason {
  sentence: string;
  points: number;
}

/** More than a person reads. */
export const MAX_REASONS = 5;

/** What differs, in as few words as possible: for what comes last in a long list. */
function inBrief({ submitted, held }: NameDifference): string {
  if (submitted && held) return `“${submitted}” and “${held}”`;
  return submitted ? `“${submitted}” not at the bank` : `“${held}” only at the bank`;
}

/**
 * At most five sentences, the heaviest difference first; what is left over shares the last one. Their points add up to
 * what the score lacks to 100.
 * @param differences as `matchNames` gives them
 */
export function explainDifferences(differences: readonly NameDifference[]): Reason[] {
  const each = differences.map((difference) => ({
    sentence: explainDifference(difference),
    points: difference.points,
  }));
  if (each.length <= MAX_REASONS) return each;
  const rest = differences.slice(MAX_REASONS - 1);
  const sentence = `Also different: ${rest.map(inBrief).join("; ")}.`;
  const points = rest.reduce((sum, difference) => sum + difference.points, 0);
  return [...each.slice(0, MAX_REASONS - 1), { sentence, points }];
}
