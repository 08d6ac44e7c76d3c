import { type MatchBadge, toMatchBadge } from "~/modules/name-match/types";
import { cx, type Tone, toneFill, toneText } from "./elements";

/** Only an exact match is green: a person has to judge everything else. */
const tones: Record<MatchBadge, Tone> = {
  Exact: "verified",
  "Very Strong": "pending",
  Strong: "pending",
  Moderate: "pending",
  Weak: "review",
  Poor: "review",
};

/** The word and tone for a name score from 0 to 100. */
export function scoreLook(score: number): { word: MatchBadge; tone: Tone } {
  const word = toMatchBadge(score);
  return { word, tone: tones[word] };
}

/** The scores at which the word changes, marked on the arc. */
const thresholds = [50, 70, 80, 90, 95] as const;
const radius = 50;
const centre = 60;

/** A point on the semicircle: 0 at the left end, 100 at the right. */
function at(score: number, distance: number): string {
  const angle = Math.PI * (1 - score / 100);
  const x = centre + distance * Math.cos(angle);
  const y = centre - distance * Math.sin(angle);
  return `${x.toFixed(2)} ${y.toFixed(2)}`;
}

/** The name score on one line, because beside a warning not to pay, a good score must not be prominent. */
export function ScoreLine({ score }: { score: number }) {
  return (
    <p className="figures text-base text-ink-soft">
      Name score {Math.round(score)} of 100, {scoreLook(score).word}
    </p>
  );
}

/** The name score as a figure below an arc, with its word. `null`: an empty arc, because nothing is compared yet. */
export function ScoreFigure({ score, className }: { score: number | null; className?: string }) {
  const look = score === null ? null : scoreLook(score);
  const shown = score === null ? 0 : Math.min(100, Math.max(0, score));
  return (
    <div className={cx("relative inline-flex w-36 flex-col items-center", className)}>
      <svg aria-hidden="true" viewBox="0 0 120 66" fill="none" className="w-full">
        <path
          d={`M${at(0, radius)}A${radius} ${radius} 0 0 1 ${at(100, radius)}`}
          className="stroke-line"
          strokeWidth="7"
          strokeLinecap="round"
        />
        {look && shown > 0 && (
          <path
            d={`M${at(0, radius)}A${radius} ${radius} 0 0 1 ${at(shown, radius)}`}
            className={toneFill[look.tone]}
            stroke="currentColor"
            strokeWidth="7"
            strokeLinecap="round"
          />
        )}
        {thresholds.map((mark) => (
          <path
            key={mark}
            d={`M${at(mark, radius - 4)}L${at(mark, radius + 4)}`}
            className="stroke-surface"
            strokeWidth="1.5"
          />
        ))}
      </svg>
      <p data-over-drawing className="-mt-10 flex flex-col items-center">
        <span className="figures font-medium text-3xl tracking-[-0.03em]">
          {score === null ? <span aria-hidden="true">–</span> : Math.round(score)}
          {score !== null && <span className="sr-only"> out of 100, </span>}
        </span>
        <span className={cx("font-medium text-sm", look ? toneText[look.tone] : "text-ink-soft")}>
          {look ? look.word : "No score yet"}
        </span>
      </p>
    </div>
  );
}
