import type { ReactNode } from "react";
import { cx } from "~/components/cx";

export interface Definition {
  term: string;
  value: ReactNode;
}

/**
 * Terms and values with thin lines between them. With `columns` 2, pairs are side by side from 640 px; on a phone each
 * value is beside its term.
 */
export function DefinitionList({ items, columns = 1 }: { items: readonly Definition[]; columns?: 1 | 2 }) {
  return (
    <dl
      className={cx(
        "text-base",
        columns === 2 ? "grid gap-x-10 gap-y-2.5 sm:grid-cols-2 sm:gap-y-4" : "@container divide-y divide-line",
      )}
    >
      {items.map(({ term, value }) => (
        <div
          key={term}
          className={
            columns === 2
              ? "min-w-0 @max-[40rem]/main:grid @max-[40rem]/main:grid-cols-[7.5rem_minmax(0,1fr)] gap-x-3 @max-[18rem]/main:grid-cols-1"
              : "grid gap-x-6 py-2.5 first:pt-0 last:pb-0 @[22rem]:grid-cols-[minmax(9rem,1fr)_2fr]"
          }
        >
          <dt className="text-ink-soft">{term}</dt>
          <dd className={cx("min-w-0", columns === 2 && "sm:mt-0.5 break-words")}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
