import { useEffect, useRef } from "react";
import { cx, Link } from "./elements";

export interface TabLink {
  label: string;
  to: string;
  current: boolean;
  /** The number of items in the tab, as text. */
  count?: string;
}

/** A row of links that scrolls where it does not fit: the current one is scrolled into view. */
export function useCurrentInView(items: readonly TabLink[]) {
  const nav = useRef<HTMLElement>(null);
  const current = items.find((item) => item.current)?.to;
  const isFirst = useRef(true);
  useEffect(() => {
    // The tabs may have been scrolled before the page's scripts arrived.
    const isMoved = isFirst.current && nav.current?.scrollLeft !== 0;
    isFirst.current = false;
    if (current !== undefined && !isMoved) showCurrent(nav.current);
  }, [current]);
  return nav;
}

/**
 * Tabs that are links: each has an address, so reloading, going back and sharing work. If they do not fit they scroll,
 * with the current one visible; without scripts they wrap. The line below is drawn inside, because an overlapping
 * border would add a scroll bar.
 */
export function Tabs({ items, label, fill }: { items: readonly TabLink[]; label: string; fill?: boolean }) {
  const nav = useCurrentInView(items);
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

/** Scrolls only the row of tabs, so that the current one is centred. */
function showCurrent(row: HTMLElement | null) {
  const tab = row?.querySelector("[aria-current]");
  if (!row || !tab) return;
  const { left, width } = tab.getBoundingClientRect();
  row.scrollLeft += left + width / 2 - row.getBoundingClientRect().left - row.clientWidth / 2;
}
