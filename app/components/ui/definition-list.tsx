import type { ReactNode } from "react";
import { cx } from "~/components/cx";

export interface Definition {
  term: string;
  value: ReactNode;
}

/**
 * Terms and values with thin lines between them. With `columns` 2, pairs are side by side where there is room, and each
 * value beside its term where there is less.
 */
export function DefinitionList({ items, columns = 1 }: { items: readonly Definition[]; columns?: 1 | 2 }) {
  const isDouble = columns === 2;
  return (
    <div className="@container">
      <dl
        className={cx(
          "text-base",
          isDouble ? "grid gap-x-10 gap-y-2.5 @[34rem]:grid-cols-2 @[34rem]:gap-y-4" : "divide-y divide-line",
        )}
      >
        {items.map(({ term, value }) => (
          <div
            key={term}
            className={
              isDouble
                ? "grid min-w-0 content-start gap-x-3 gap-y-0.5 @[16rem]:@max-[34rem]:grid-cols-[7.5rem_minmax(0,1fr)]"
                : "grid gap-x-6 py-2.5 first:pt-0 last:pb-0 @[22rem]:grid-cols-[minmax(9rem,1fr)_2fr]"
            }
          >
            <dt className="text-ink-soft">{term}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
