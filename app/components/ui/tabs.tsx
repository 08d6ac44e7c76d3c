import { useEffect, useRef } from "react";
import { cx } from "~/components/cx";
import { Link } from "~/components/ui/link";

export interface TabLink {
  label: string;
  to: string;
  current: boolean;
  /** How many are behind the tab, ready to read. */
  count?: string;
}

/**
 * Tabs that are links: each has an address, so reload, back and sharing work. Where they do not fit they scroll, the
 * current one in view; without scripts they wrap. The line below is drawn inside: an edge that the tabs overlap would
 * bring a scroll bar of its own.
 */
export function Tabs({ items, label, fill }: { items: readonly TabLink[]; label: string; fill?: boolean }) {
  const nav = useRef<HTMLElement>(null);
  const current = items.find((item) => item.current)?.to;
  const isFirst = useRef(true);
  useEffect(() => {
    // A finger may have moved the row before the page's scripts arrived.
    const isMoved = isFirst.current && nav.current?.scrollLeft !== 0;
    isFirst.current = false;
    if (current !== undefined && !isMoved) showCurrent(nav.current);
  }, [current]);
  return (
    <nav ref={nav} aria-label={label} className="overflow-x-auto shadow-[inset_0_-1px_var(--color-line)]">
      <ul className="unscripted:flex-wrap flex gap-1">
        {items.map((item) => (
          <li key={item.to} className={fill ? "flex-1" : undefined}>
            <Link
              to={item.to}
              preventScrollReset
              aria-current={item.current ? "page" : undefined}
              className={cx(
                "flex min-h-11 items-center justify-center gap-2 border-b-2 px-3 text-base whitespace-nowrap transition-colors -outline-offset-2",
                item.current
                  ? "border-accent-text font-medium text-ink"
                  : "border-transparent text-ink-soft hover:border-control/50 hover:text-ink",
              )}
            >
              {item.label}
              {item.count !== undefined && (
                <span className="figures rounded-full bg-sunken px-1.5 text-ink-soft text-xs">{item.count}</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Scrolls the row, and only the row, so that the current tab is in its middle. */
function showCurrent(row: HTMLElement | null) {
  const tab = row?.querySelector("[aria-current]");
  if (!row || !tab) return;
  const { left, width } = tab.getBoundingClientRect();
  row.scrollLeft += left + width / 2 - row.getBoundingClientRect().left - row.clientWidth / 2;
}
