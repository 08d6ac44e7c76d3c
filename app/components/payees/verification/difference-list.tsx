import { Icon } from "~/components/ui/elements";
import type { Reason } from "~/modules/name-match";

/** Why the score is not higher: one sentence for each difference, with the points it costs. */
export function DifferenceList({ reasons }: { reasons: readonly Reason[] }) {
  if (reasons.length === 0) {
    return <p className="text-base text-ink-soft">Nothing differs between the two names.</p>;
  }
  return (
    <ul className="grid gap-1.5 text-base">
      {reasons.map(({ sentence, points }) => (
        <li key={sentence} className="flex gap-2">
          <Icon name="notEquals" className="mt-0.5 size-4.5 text-ink-soft" />
          <span className="min-w-0 flex-1">{sentence}</span>
          {points > 0 && (
            <span className="figures shrink-0 text-ink-soft">
              <span aria-hidden="true">−{points}</span>
              <span className="sr-only">Costs {points === 1 ? "1 point" : `${points} points`}.</span>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
