import type { ReactNode } from "react";
import { cx } from "~/components/cx";
import { Form, HiddenFields } from "~/components/forms/form";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { EmptyState, type EmptyStateProps } from "~/components/ui/empty-state";
import { Icon } from "~/components/ui/icons";
import { Link } from "~/components/ui/link";
import type { TabLink } from "~/components/ui/tabs";
import { idOf, type Keyed, Table, type TableProps } from "./table";

interface ListCardProps<Row> extends Partial<Omit<TableProps<Row>, "rows">> {
  /** Names the table and its pages: "Payees". */
  label: string;
  rows: readonly Row[];
  /** Draws a row that is no line of a table. */
  item?: (row: Row) => ReactNode;
  itemClass?: string;
  id?: string;
  /** Heading of the card, for a page with several. */
  title?: string;
  description?: ReactNode;
  className?: string;
  filters?: FilterTabsProps;
  search?: SearchBoxProps;
  /** Buttons beside the search. */
  tools?: ReactNode;
  /** What else narrows the list: a row of its own under filters and search. */
  more?: ReactNode;
  /** A queue has less space above its rows. */
  tight?: boolean;
  /** What the list says when it has nothing to list; absent where it then is not drawn. */
  empty?: EmptyStateProps;
  /** Puts a form around the rows. */
  around?: (rows: ReactNode) => ReactNode;
  /** Said under the rows. */
  note?: ReactNode;
  pager?: Pager;
}

/** A list: what narrows it, its rows or why there are none, and its pages. All of it is in the address. */
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

/** Filters of a list as links with counts: All, Exact, Fuzzy, No match. */
export function FilterTabs({ items, label }: FilterTabsProps) {
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
                "flex min-h-8 items-center gap-1.5 rounded-base border px-3 text-base",
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

interface SearchBoxProps {
  /** What can be searched: "Search payee, account name, BSB or account number". */
  label: string;
  /** Query parameter; `q` unless told. */
  name?: string;
  defaultValue?: string;
  /** Other parameters of the address that a search must keep, such as the filter. */
  keep?: Readonly<Record<string, string | null | undefined>>;
  /** Where the form leads; this page unless told. */
  action?: string;
  /** Address without the search, drawn as "Clear" while there is one. */
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
  /** Address of the page before and after, keyed by the first or last row; absent at either end. */
  previousHref?: string;
  nextHref?: string;
  /** "Showing 1 to 25 of 312", ready to read. */
  summary?: string;
}

/** Previous and next by key. Draws nothing but the summary when everything fits on one page. */
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

/** What an empty page says of a search for common words that has looked at the first part only. */
export const searchedInPart = (of: "list" | "queue", nextHref: string): EmptyStateProps => ({
  icon: "search",
  title: "Nothing found so far",
  action: (
    <Button to={nextHref} variant="secondary">
      Keep looking
    </Button>
  ),
  children: `These words are common, so only part of the ${of} was searched.`,
});
