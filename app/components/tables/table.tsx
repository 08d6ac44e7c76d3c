import type { ReactNode } from "react";
import { cx, Icon, Link } from "~/components/ui/elements";

export interface Column<Row> {
  head: string;
  cell: (row: Row) => ReactNode;
  /** For a column of buttons, whose heading is only for screen readers unless `hidden` is false. */
  actions?: boolean;
  hidden?: boolean;
  /** The column's name, shown in cells when rows are cards, except in the first cell, which is the card's title. */
  name?: string | null;
  align?: "right";
  /** The link of the heading; absent when the column does not sort. */
  sortHref?: string;
  sorted?: "ascending" | "descending";
  /** A width class for wide screens, `wide:w-[18%]`; in a fixed table, the other columns share the rest equally. */
  width?: string;
  classOf?: (row: Row) => string | undefined;
}

export interface TableProps<Row> {
  /** The table's name, only for screen readers. */
  caption: string;
  rows: readonly Row[];
  columns: readonly (Column<Row> | false | undefined)[];
  /** The key of a row; its `id` by default. */
  keyOf?: (row: Row) => string | number | undefined;
  dense?: boolean;
  /** Two lines a row on a phone; columns with the class `cell-left-out` are not among them. */
  brief?: boolean;
  /** Fixed column widths, so that columns do not move between tabs and pages. */
  fixed?: boolean;
  /** True if there is a warning about the row, in which nothing is then green. */
  isRed?: (row: Row) => boolean;
  /** Shown when a pointer rests on the row, whose link lies over all of it. */
  titleOf?: (row: Row) => string;
}

/** Rows without an `id` need `keyOf`. */
export type Keyed<Row> = [Row] extends [{ id: string }]
  ? unknown
  : { keyOf: (row: Row) => string | number | undefined };

export const idOf = (row: object) => ("id" in row ? String(row.id) : undefined);

/**
 * Rows with thin lines between them. If the page's column is narrower than 54 rem, each row is a small card whose cells
 * show their column's name; on wider pages the headings stay at the top while the rows scroll.
 */
export function Table<Row extends object>({
  caption,
  rows,
  columns,
  keyOf = idOf,
  dense,
  brief,
  fixed,
  isRed,
  titleOf,
}: TableProps<Row> & Keyed<Row>) {
  const shown = columns.flatMap((column) => column || []);
  return (
    <div className="lines">
      <table
        className={cx(
          "group/table w-full text-left text-base",
          dense && "is-dense text-sm",
          brief && "is-brief",
          fixed && "wide:table-fixed",
        )}
      >
        <caption className="sr-only">{caption}</caption>
        <thead className="text-ink-soft text-sm">
          {/* Safari shows a thin gap between sticky cells. */}
          <tr className="bg-sunken">{shown.map(Heading)}</tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row) => (
            <tr key={keyOf(row)} className="line" title={titleOf?.(row)} data-red={isRed?.(row) || undefined}>
              {shown.map((column, at) => Cell(column, row, at === 0))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Heading<Row>({ head, align, sortHref, sorted, actions, hidden = actions, width }: Column<Row>) {
  return (
    <th
      key={head}
      scope="col"
      aria-sort={sorted}
      className={cx(
        "border-line border-y bg-sunken px-3 py-2 font-medium first:pl-5 last:pr-5 wide:sticky wide:top-0 wide:z-10",
        align && "text-right",
        // A column with an explicit width may be narrower than its words.
        width ?? "whitespace-nowrap",
      )}
    >
      {sortHref ? (
        <Link
          to={sortHref}
          preventScrollReset
          className={cx("inline-flex min-h-6 items-center gap-1 rounded-base hover:text-ink", sorted && "text-ink")}
        >
          {head}
          <Icon
            name={sorted === "ascending" ? "arrowUp" : "arrowDown"}
            className={cx("size-3.5", !sorted && "opacity-0")}
          />
        </Link>
      ) : (
        <span className={hidden ? "sr-only" : undefined}>{head}</span>
      )}
    </th>
  );
}

const ACTIONS =
  "flex flex-wrap gap-2 *:relative *:z-2 wide:justify-end wide:group-not-[.is-dense]/table:-mt-1.5 print:hidden";

/** Buttons and links in a cell are above the row's own link. An empty cell shows no name. */
function Cell<Row>(column: Column<Row>, row: Row, isFirst: boolean) {
  const { head, align, actions, name = head, classOf } = column;
  const shown = column.cell(row);
  const isNamed = name !== null && !isFirst && !actions && shown !== null;
  return (
    <td
      key={head}
      className={cx(
        isNamed ? "cell cell-named" : "cell cell-title",
        align && !actions && "figures wide:text-right",
        classOf?.(row),
      )}
    >
      {isNamed && <span className="cell-name">{name}</span>}
      <div className={actions ? ACTIONS : undefined}>{shown}</div>
    </td>
  );
}

/** The row's link: a single keyboard stop, and the whole row for the pointer. */
export function RowLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} data-row prefetch="intent" className="line-link">
      {children}
    </Link>
  );
}

/** Smaller text below the first line of a cell; not among the two lines of a `brief` row. */
export function CellNote({ children }: { children: ReactNode }) {
  return <div className="cell-note">{children}</div>;
}
