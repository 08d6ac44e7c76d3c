import { cx } from "~/components/cx";
import { Link } from "~/components/ui/link";
import type { TabLink } from "~/components/ui/tabs";

/** Filters of a list as links with counts: All, Exact, Fuzzy, No match. */
export function FilterTabs({ items, label }: { items: readonly TabLink[]; label: string }) {
  return (
    <nav aria-label={label}>
      <ul className="flex flex-wrap gap-1 rounded-base bg-sunken p-1 border border-line">
        {items.map((item) => (
          <li key={item.to}>
            <Link
              to={item.to}
              preventScrollReset
              aria-current={item.current ? "page" : undefined}
              className={cx(
                "flex min-h-8 items-center gap-1.5 rounded-base border px-3 text-base whitespace-nowrap",
                item.current
                  ? "border-line bg-surface font-medium text-ink shadow-rest"
                  : "border-transparent text-ink-soft hover:text-ink",
              )}
            >
              {item.label}
              {item.count !== undefined && (
                <span className="figures font-normal text-ink-soft text-sm">{item.count}</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
