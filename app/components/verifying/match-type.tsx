import { Badge, type Tone } from "~/components/ui/badge";
import type { IconName } from "~/components/ui/icons";
import type { MatchType } from "~/modules/name-match";

const LOOKS: Record<MatchType, { tone: Tone; icon: IconName; word: string }> = {
  exact: { tone: "verified", icon: "checkCircle", word: "Exact" },
  fuzzy: { tone: "pending", icon: "notEquals", word: "Fuzzy" },
  none: { tone: "review", icon: "flag", word: "No match" },
};

interface MatchTypeLabelProps {
  /** Null: nothing was compared yet. */
  matchType: MatchType | null;
  /** Null: the bank answered without a name to compare. */
  score: number | null;
}

/** How the two names compare, with the score as a rounded percentage where there is one. */
export function MatchTypeLabel({ matchType, score }: MatchTypeLabelProps) {
  if (matchType === null) return <span className="text-ink-soft">Not compared</span>;
  const { tone, icon, word } = LOOKS[matchType];
  return (
    <Badge tone={tone} icon={icon}>
      {word}
      {score !== null && <span className="figures pl-0.5 font-normal">{Math.round(score)}%</span>}
    </Badge>
  );
}
