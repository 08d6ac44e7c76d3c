import type { Tone } from "~/components/ui/badge";
import { type MatchBadge, toMatchBadge } from "~/modules/name-match/badge";

/** Only an exact name is green: everything between is for a person to judge. */
const tones: Record<MatchBadge, Tone> = {
  Exact: "verified",
  "Very Strong": "pending",
  Strong: "pending",
  Moderate: "pending",
  Weak: "review",
  Poor: "review",
};

/** Word and tone of a name score from 0 to 100. */
export function scoreLook(score: number): { word: MatchBadge; tone: Tone } {
  const word = toMatchBadge(score);
  return { word, tone: tones[word] };
}
