import type { ShownChange } from "~/modules/payees/payee.view";

interface ChangeListProps {
  changes: readonly ShownChange[];
  /** Names of the two sides. */
  from: string;
  to: string;
}

/** Fields with their two values side by side. */
export function ChangeList({ changes, from, to }: ChangeListProps) {
  return (
    <dl className="divide-y divide-line rounded-base bg-surface text-base border border-line">
      {changes.map((change) => (
        <div key={change.field} className="grid gap-x-4 gap-y-1 px-4 py-3 sm:grid-cols-[9rem_1fr_1fr]">
          <dt className="font-medium">{change.field}</dt>
          <dd className="figures min-w-0 break-words text-ink-soft">
            <span className="block text-ink-soft text-xs">{from}</span>
            {change.from ?? "none"}
          </dd>
          <dd className="figures min-w-0 break-words">
            <span className="block text-ink-soft text-xs">{to}</span>
            <span className="font-medium">{change.to ?? "none"}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
