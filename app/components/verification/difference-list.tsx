import { Icon } from "~/components/ui/icons";
import { explainDifference, type NameDifference } from "~/modules/name-match";

/** Why the score is what it is, one sentence for each difference. */
export function DifferenceList({ differences }: { differences: readonly NameDifference[] }) {
  if (differences.length === 0) {
    return <p className="text-base text-ink-soft">Nothing differs between the two names.</p>;
  }
  return (
    <ul className="grid gap-1.5 text-base">
      {differences.map((difference) => (
        <li key={`${difference.type} ${difference.submitted} ${difference.held}`} className="flex gap-2">
          <Icon name="notEquals" className="mt-0.5 size-4.5 text-ink-soft" />
          <span className="min-w-0">{explainDifference(difference)}</span>
        </li>
      ))}
    </ul>
  );
}
