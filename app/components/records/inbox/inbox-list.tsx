import { type ReactNode, useEffect, useRef } from "react";
import { SkipLink } from "~/components/layout/skip-link";
import { cx, Icon, Link, toneText } from "~/components/ui/elements";
import { Amount } from "~/components/ui/page-parts";
import { appPaths } from "~/kernel/paths/app";
import { centsOf } from "~/modules/records/inbox/inbox";
import type { Inbox } from "~/modules/records/inbox/inbox.server";

type Item = Inbox["items"][number];

/** The list's scroll position, because the list is rendered again beside each item. */
let scrolled = 0;

interface InboxListProps {
  inbox: Inbox;
  /** The page that the list is beside, or the one that is being loaded; null: the list is the page. */
  path: string | null;
  keys?: ReactNode;
}

/** Everything that waits for a person, in groups, most serious first: two lines per item, and names are never cut. */
export function InboxList({ inbox, path, keys }: InboxListProps) {
  const isBeside = path !== null;
  const { items, groups, tabs, cents } = inbox;
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    const box = list.current;
    if (!box) return;
    const keep = () => {
      scrolled = box.scrollTop;
    };
    // The list may have been scrolled before the page's scripts arrived; moving it would put a different row under the
    // finger.
    if (box.scrollTop > 0) keep();
    else {
      box.scrollTop = scrolled;
      box.querySelector("[aria-current=page][data-item]")?.scrollIntoView({ block: "nearest" });
    }
    box.addEventListener("scroll", keep, { passive: true });
    return () => box.removeEventListener("scroll", keep);
  }, []);
  const titleId = isBeside ? "inbox-title" : "page-title";
  const Heading = isBeside ? "h2" : "h1";
  const shown = Object.entries(groups).map(([group, label]) => ({
    label,
    rows: items.filter((item) => item.group === group),
  }));
  return (
    <section ref={list} aria-labelledby={titleId} className="inbox-list">
      <div className="flex items-baseline gap-x-3 px-4 pt-4 pb-1">
        <Heading id={titleId} tabIndex={-1} className="display text-2xl">
          Inbox
        </Heading>
        {cents > 0 && (
          <p className="min-w-0 text-ink-soft text-sm">
            {inbox.isPartial && "At least "}
            <Amount cents={cents} className="font-medium" /> is waiting for a decision
          </p>
        )}
        <span className="ml-auto shrink-0 self-center">{keys}</span>
      </div>
      <SkipLink to="inbox-rows">Skip to the first row</SkipLink>
      <InboxTabs tabs={tabs} />
      <div id="inbox-rows" tabIndex={-1} />
      {items.length === 0 && (
        <p className={cx("px-4 py-6 text-base text-ink-soft", inbox.total === 0 && "@max-[56rem]/main:hidden")}>
          {inbox.total === 0 ? "Nothing needs a decision." : "Nothing of this kind needs a decision."}
        </p>
      )}
      {shown.map(
        ({ label, rows }) =>
          rows.length > 0 && <Group key={label} label={label} rows={rows} path={path} level={isBeside ? 3 : 2} />,
      )}
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3 text-ink-soft text-sm print:hidden">
        {inbox.isPartial && <span>This list shows at most the first 100 of each kind; there are more.</span>}
        <Link to={appPaths.pendingVerifications} className="underline underline-offset-2 hover:text-ink">
          Pending verifications as a table
        </Link>
      </p>
    </section>
  );
}

function InboxTabs({ tabs }: Pick<Inbox, "tabs">) {
  return (
    <nav aria-label="Show" className="@container/tabs border-line border-b px-2.5">
      <ul className="flex flex-wrap">
        {tabs.map(({ label, to, count, current }) => (
          <li key={label} className={label === "Mine" ? "ml-auto" : undefined}>
            <Link
              to={to}
              aria-current={current ? "page" : undefined}
              className={cx(
                "flex min-h-9 items-center gap-1 border-b-2 px-1.5 text-sm whitespace-nowrap -outline-offset-2 @max-[26rem]/tabs:flex-col @max-[26rem]/tabs:items-start @max-[26rem]/tabs:gap-0 @max-[26rem]/tabs:py-1 @max-[26rem]/tabs:leading-4",
                current
                  ? "border-b-accent-text font-medium text-ink"
                  : "border-b-transparent text-ink-soft hover:text-ink",
              )}
            >
              {label}
              <span className="figures">{count}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface GroupProps extends Pick<InboxListProps, "path"> {
  label: string;
  rows: readonly Item[];
  level: 2 | 3;
}

function Group({ label, rows, path, level }: GroupProps) {
  const Heading = `h${level}` as const;
  const cents = centsOf(rows);
  return (
    <div>
      <Heading className="flex justify-between gap-3 border-line border-b bg-sunken px-4 py-0.5 font-medium text-xs">
        <span>
          {label} <span className="figures pl-1 font-normal text-ink-soft">{rows.length}</span>
        </span>
        {cents > 0 && <Amount cents={cents} className="font-normal text-ink-soft" />}
      </Heading>
      <ul>
        {rows.map((row) => (
          <Row key={row.href} row={row} isCurrent={row.href.split("?")[0] === path} />
        ))}
      </ul>
    </div>
  );
}

function Row({ row, isCurrent }: { row: Item; isCurrent: boolean }) {
  return (
    <li className={cx("inbox-row", isCurrent && "bg-surface")}>
      <Icon name={row.icon} className={cx("mt-0.5 size-4.5", toneText[row.tone])} />
      <p className="min-w-0">
        <Link
          to={row.href}
          data-item
          prefetch="intent"
          aria-current={isCurrent ? "page" : undefined}
          className="inbox-link leading-5"
        >
          {row.title}
        </Link>
        <span className="block text-ink-soft text-sm leading-5">
          <span className={toneText[row.tone]}>{row.word}</span>, {row.what}
        </span>
      </p>
      <p className="figures text-right text-base leading-5">
        {row.cents === null ? <span className="sr-only">No payments waiting</span> : <Amount cents={row.cents} />}
        <span className="block text-ink-soft text-sm leading-5" title={row.exact}>
          {row.who && `${row.who}, `}
          {row.age}
        </span>
      </p>
    </li>
  );
}
