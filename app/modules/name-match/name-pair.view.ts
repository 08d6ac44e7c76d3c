import { explainDifferences, type MarkedNames, markNames, matchNames, type Reason } from ".";

/** Two names beside each other, ready to draw: the score, the marks on the characters, and why it is not higher. */
export function comparePair({ submitted, held }: { submitted: string; held: string }): {
  submitted: string;
  held: string;
  match: { score: number; names: MarkedNames; reasons: Reason[] };
} {
  const { score, parts, differences } = matchNames(submitted, held);
  const match = { score, names: markNames(submitted, held, parts), reasons: explainDifferences(differences) };
  return { submitted, held, match };
}
