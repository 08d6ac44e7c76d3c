import { Badge, type Tone } from "~/components/ui/badge";
import type { IconName } from "~/components/ui/icons";
import type { MatchType } from "~/modules/name-match";

const LOOKS: Record<MatchType, { tone: Tone; icon: IconName; word: string }> = {
  exact: { tone: "verified", icon: "checkCircle", word: "Exact" },
  fuzzy: { tone: "pending", icon: "notEquals", word: "Fuzzy" },
  none: { tone: "review", icon: "flag", word: "No match" },
};

/** How the two names compare, with the score as a rounded percentage; in words when there is nothing to compare yet. */
export function MatchTypeLabel({
  matchType,
  score,
  short,
}: {
  matchType: MatchType;
  score: number | null;
  /** For a narrow column: what stands where nothing was compared is shorter. */
  short?: boolean;
}) {
  if (score === null && matchType === "none")
    return <span className="text-ink-soft">{short ? "Not compared" : "Nothing to compare yet"}</span>;
  const { tone, icon, word } = LOOKS[matchType];
  return (
    <Badge tone={tone} icon={icon}>
      {word}
      {score !== null && <span className="figures pl-0.5 font-normal">{Math.round(score)}%</span>}
    </Badge>
  );
}
