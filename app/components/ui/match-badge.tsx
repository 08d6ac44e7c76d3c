import { Badge } from "~/components/ui/badge";
import { scoreLook } from "~/components/ui/score";

/** The word for a name score, with the figure beside it. Draws nothing when there is nothing to compare yet. */
export function MatchBadge({ score, showScore = true }: { score: number | null; showScore?: boolean }) {
  if (score === null) return null;
  const { word, tone } = scoreLook(score);
  return (
    <Badge tone={tone}>
      {word}
      {showScore && <span className="figures pl-0.5 font-normal">{Math.round(score)}%</span>}
    </Badge>
  );
}
