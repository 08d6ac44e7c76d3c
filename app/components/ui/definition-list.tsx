import type { ReactNode } from "react";

export interface Definition {
  term: string;
  value: ReactNode;
}

/**
 * Terms and values with thin lines between them. With `columns` 2, pairs are side by side where there is room, and each
 * value beside its term where there is less.
 */
export function DefinitionList({ items, columns = 1 }: { items: readonly Definition[]; columns?: 1 | 2 }) {
  return (
    <div className="@container">
      <dl className={columns === 2 ? "term-pairs" : "terms"}>
        {items.map(({ term, value }) => (
          <div key={term}>
            <dt className="text-ink-soft">{term}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
