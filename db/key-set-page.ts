import { asc, desc, gt, lt, type Placeholder, type SQL, type SQLWrapper } from "drizzle-orm";

/**
 * Rows of a long list that is drawn as a page. Compressed, forty are less than the first ten packets of a connection, so
 * they arrive without another round trip; fifty are more.
 */
export const SCREEN_ROWS = 40;

/** The page to read: the one after a row, or the one before it; with neither, the first page. */
export type AskedPage<K extends string | number | Placeholder = string> = { after?: K; before?: K };

/** The rows of one page, and the keys of the pages beside it; absent if there is none. */
export type KeySetPage<T, K> = { rows: T[]; previous?: K; next?: K };

/**
 * A list in pages by a unique key, such as an id: the rows read depend on the page, not on how far along it is. A page
 * before a row is read backwards and reversed. One row more than the page is read, to know whether there are others.
 * @param options.size rows of a page
 * @param options.order of the whole list; newest first, which is descending, unless said otherwise
 * @example
 * const page = keySetPage({ after, before }, { size: 50 });
 * const rows = await db.select().from(payees).where(page.beyond(payees.id)).orderBy(page.order(payees.id)).limit(page.limit);
 * const { rows: shown, previous, next } = page.cut(rows, (row) => row.id);
 */
export function keySetPage<K extends string | number | Placeholder>(
  asked: AskedPage<K>,
  { size, order = "descending" }: { size: number; order?: "descending" | "ascending" },
) {
  const { after, before } = asked;
  const isBackwards = after === undefined && before !== undefined;
  const descending = (order === "descending") !== isBackwards;
  const key = after ?? before;
  return {
    /** The key and the direction, for a list that is sorted by something else and writes its own condition. */
    key,
    isBackwards,
    /** How many rows to read. */
    limit: size + 1,
    /** The condition for rows beyond the given key; undefined on the first page. */
    beyond: (column: SQLWrapper): SQL | undefined =>
      key === undefined ? undefined : (descending ? lt : gt)(column, key),
    order: (column: SQLWrapper): SQL => (descending ? desc(column) : asc(column)),
    /**
     * Builds the page from the rows that were read.
     * @param stoppedAt the key at which reading stopped early, if the page may not be full: the list continues there
     */
    cut<T>(read: readonly T[], keyOf: (row: T) => K, stoppedAt?: K): KeySetPage<T, K> {
      const rows = read.slice(0, size);
      const last = rows.at(-1);
      const onwards = read.length > size && last !== undefined ? keyOf(last) : stoppedAt;
      if (isBackwards) rows.reverse();
      const [first] = rows;
      const end = rows.at(-1);
      if (isBackwards) return { rows, previous: onwards, next: end === undefined ? before : keyOf(end) };
      const previous = after === undefined ? undefined : first === undefined ? after : keyOf(first);
      return { rows, previous, next: onwards };
    },
  };
}
