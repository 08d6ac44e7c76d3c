import type { ReactNode } from "react";
import { Form, HiddenFields } from "~/components/forms/form";
import { Button, cx, Icon, Link } from "~/components/ui/elements";
import { EmptyState, type EmptyStateProps } from "~/components/ui/empty-state";
import { Card } from "~/components/ui/page-parts";
import { type TabLink, useCurrentInView } from "~/components/ui/tabs";
import { idOf, type Keyed, Table, type TableProps } from "./table";

interface ListCardProps<Row> extends Partial<Omit<TableProps<Row>, "rows">> {
  /** The name of the table and its pages: "Payees". */
  label: string;
  rows: readonly Row[];
  /** Renders a row that is not a table row. */
  item?: (row: Row) => ReactNode;
  itemClass?: string;
  id?: string;
  /** The card's heading, for a page with several. */
  title?: string;
  description?: ReactNode;
  className?: string;
  filters?: FilterTabsProps;
  search?: SearchBoxProps;
  /** Buttons beside the search. */
  tools?: ReactNode;
  /** Further filters, in a row below the tabs and search. */
  more?: ReactNode;
  /** Less space above the rows, for a queue. */
  tight?: boolean;
  /** Shown when the list is empty; absent: then nothing is shown. */
  empty?: EmptyStateProps;
  /** Wraps the rows in a form. */
  around?: (rows: ReactNode) => ReactNode;
  /** A note below the rows. */
  note?: ReactNode;
  pager?: Pager;
}

/** A list with its filters, rows or empty state, and pages. Its whole state is in the address. */
export function ListCard<Row extends object>(props: ListCardProps<Row> & Keyed<Row>) {
  const { label, rows, columns = [], item, itemClass, empty, around = (drawn) => drawn, note, pager } = props;
  const { id, title, description, className, keyOf = idOf } = props;
  const isBare = item && title && rows.length === 0;
  const drawn = item ? (
    <ul className={cx("divide-y divide-line", title && "border-line border-t")}>
      {rows.map((row) => (
        <li key={keyOf(row)} className={itemClass}>
          {item(row)}
        </li>
      ))}
    </ul>
  ) : (
    <Table {...props} caption={props.caption ?? label} columns={columns} />
  );
  return (
    <Card flush={!isBare} id={id} title={title} description={isBare ? undefined : description} className={className}>
      <Toolbar {...props} />
      {rows.length === 0 && empty ? <EmptyState headingLevel={title ? 3 : 2} {...empty} /> : around(drawn)}
      {note}
      <Pagination label={label} {...pager} />
    </Card>
  );
}

type ToolbarProps = Pick<ListCardProps<object>, "title" | "filters" | "search" | "tools" | "more" | "tight">;

function Toolbar({ title, filters, search, tools, more, tight }: ToolbarProps) {
  const space = cx("px-5", title ? "pb-4" : tight ? "py-2.5" : "py-4");
  const main = (filters || search) && (
    <div className={cx(search && "flex flex-wrap items-center justify-between gap-3", !more && space)}>
      {filters && <FilterTabs {...filters} />}
      {search && !tools && <SearchBox {...search} />}
      {search && tools && (
        <div className="flex flex-wrap items-center gap-2">
          <SearchBox {...search} />
          {tools}
        </div>
      )}
    </div>
  );
  if (!more) return main;
  return (
    <div className={cx(main && "grid gap-3", space)}>
      {main}
      {more}
    </div>
  );
}

interface FilterTabsProps {
  label: string;
  items: readonly TabLink[];
}

/**
 * Filters of a list as links with counts: All, Exact, Fuzzy, No match. On a phone one row that scrolls; without
 * scripts, which would scroll to it, the current one comes first.
 */
export function FilterTabs({ items, label }: FilterTabsProps) {
  const nav = useCurrentInView(items);
  return (
    <nav
      ref={nav}
      aria-label={label}
      className="max-w-full overflow-x-auto rounded-base border border-line bg-sunken p-1"
    >
      <ul className="flex flex-wrap gap-1 @max-[40rem]/main:flex-nowrap">
        {items.map((item) => (
          <li key={item.to} className={item.current ? "@max-[40rem]/main:unscripted:-order-1" : undefined}>
            <Link
              to={item.to}
              preventScrollReset
              aria-current={item.current ? "page" : undefined}
              className={cx(
                // In a row of less height Safari's scroll bar would lie over the lower half.
                "flex min-h-8 items-center gap-1.5 rounded-base border px-3 text-base whitespace-nowrap -outline-offset-2 @max-[40rem]/main:min-h-11",
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

interface FoldedFiltersProps {
  /** What can be chosen: "Dates, amounts and people". */
  summary: string;
  /** The filters in use; a new value opens or closes them again. */
  filter: unknown;
  isNarrowed: boolean;
  children: ReactNode;
}

/** A list's further filters behind their names, open while they narrow the list. */
export function FoldedFilters({ summary, filter, isNarrowed, children }: FoldedFiltersProps) {
  return (
    <details key={JSON.stringify(filter)} open={isNarrowed} className="group min-w-0 grow print:hidden">
      <summary className="inline-flex min-h-10 items-center gap-1.5 rounded-base text-accent-text text-base">
        {summary}
        <Icon name="chevronDown" className="size-4 transition-transform group-open:rotate-180" />
      </summary>
      <div className="pt-2">{children}</div>
    </details>
  );
}

interface SearchBoxProps {
  /** What can be searched: "Search payee, account name, BSB or account number". */
  label: string;
  /** The query parameter; `q` by default. */
  name?: string;
  defaultValue?: string;
  /** Other parameters of the address that a search must keep, such as the filter. */
  keep?: Readonly<Record<string, string | null | undefined>>;
  /** The form's action; this page by default. */
  action?: string;
  /** The address without the search, for the "Clear" link. */
  clearHref?: string;
}

/** A GET form, so a search has an address. */
export function SearchBox({ label, name = "q", defaultValue, keep = {}, action, clearHref }: SearchBoxProps) {
  return (
    <Form
      method="get"
      action={action}
      role="search"
      className="flex w-full flex-wrap gap-2 sm:w-auto"
      preventScrollReset
    >
      <HiddenFields values={keep} />
      <label className="relative min-w-0 grow basis-40 sm:w-80 sm:flex-none">
        <span className="sr-only">{label}</span>
        <Icon name="search" className="pointer-events-none absolute top-2.5 left-3 text-ink-soft" />
        <input
          type="search"
          name={name}
          defaultValue={defaultValue}
          placeholder={label}
          autoComplete="off"
          spellCheck={false}
          className="block min-h-10 w-full truncate rounded-base bg-surface py-2 pr-3 pl-10 text-md shadow-rest border border-control placeholder:text-ink-soft sm:text-base any-pointer-coarse:text-md"
        />
      </label>
      <Button type="submit" variant="secondary">
        Search
      </Button>
      {defaultValue && clearHref && (
        <Button to={clearHref} variant="quiet">
          Clear
        </Button>
      )}
    </Form>
  );
}

interface Pager {
  /** Addresses of the pages before and after, by the key of the first or last row; absent at either end. */
  previousHref?: string;
  nextHref?: string;
  /** "Showing 1 to 25 of 312", ready to read. */
  summary?: string;
}

/** Previous and next links. Shows only the summary when everything fits on one page. */
function Pagination({ previousHref, nextHref, summary, label }: Pager & { label: string }) {
  if (!previousHref && !nextHref && !summary) return null;
  return (
    <nav aria-label={`${label} pages`} className="flex flex-wrap items-center justify-between gap-3 px-5 py-3">
      <p className="figures text-ink-soft text-sm">{summary}</p>
      {(previousHref || nextHref) && (
        <div className="flex gap-2">
          {previousHref && (
            <Button to={previousHref} variant="secondary" size="sm" icon="chevronLeft" rel="prev">
              Previous
            </Button>
          )}
          {nextHref && (
            <Button to={nextHref} variant="secondary" size="sm" iconAfter="chevronRight" rel="next">
              Next
            </Button>
          )}
        </div>
      )}
    </nav>
  );
}

/** The empty state for a search for common words that has only covered part of the list. */
export const nothingFoundSoFar = (of: "list" | "queue", nextHref: string): EmptyStateProps => ({
  icon: "search",
  title: "Nothing found so far",
  action: (
    <Button to={nextHref} variant="secondary">
      Keep looking
    </Button>
  ),
  children: `These words are common, so only part of the ${of} was searched.`,
});
