import type { Desk } from "./desk";
import type { Asked } from "./endpoint";
import { invalid } from "./errors";
import { textAt } from "./form";
import { listOf, present } from "./views";

/** Parameters of every list. */
export const LIST_TAKES = ["limit", "starting_after", "ending_before", "created"];

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;

/** One page, newest first, cursored by id as the provider does. */
export function listPage<T extends { id: string; created: number }>(
  desk: Desk,
  rows: Iterable<T>,
  asked: Asked,
  url: string,
): object {
  const text = (name: string) => textAt(asked.params, name);
  const limit = Number(text("limit") ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw invalid(`Invalid integer: limit must be between 1 and ${MAX_LIMIT}.`, "parameter_invalid_integer", "limit");
  }
  const from = Number(textAt(asked.params, "created", "gte") ?? 0);
  // Kept in the order in which they were made: reversed, and stable where instants are equal.
  const all = [...rows].reverse().filter((row) => row.created >= from);
  const [after, before] = [text("starting_after"), text("ending_before")];
  const start = after ? indexOf(all, after) + 1 : 0;
  const end = before ? indexOf(all, before) : all.length;
  const chosen = before ? all.slice(Math.max(0, end - limit), end) : all.slice(start, start + limit);
  const hasMore = before ? end - limit > 0 : start + limit < all.length;
  const expand = asked.expand.flatMap((path) => (path.startsWith("data.") ? [path.slice("data.".length)] : []));
  return listOf(
    chosen.map((row) => present(desk, row, expand)),
    url,
    hasMore,
  );
}

function indexOf(rows: readonly { id: string }[], id: string): number {
  const index = rows.findIndex((row) => row.id === id);
  if (index < 0) throw invalid(`No such object: '${id}'`, "resource_missing");
  return index;
}

/** Parameters of every search. */
export const SEARCH_TAKES = ["query", "limit", "page"];

const CLAUSE = /^(?:metadata\['([^']+)'\]|([a-z_]+))(:|~)(?:'([^']*)'|"([^"]*)")$/;

/** Rows that fit every clause of a query, as the provider's search words them: `email:'a@b.example' AND metadata['k']:'v'`. */
export function searchPage<T extends { id: string; created: number; metadata?: Record<string, string> }>(
  desk: Desk,
  rows: readonly T[],
  asked: Asked,
  url: string,
): object {
  const clauses = (textAt(asked.params, "query") ?? "").split(/ AND /i).map((text) => {
    const [, key, field = "", sign, single, double] = CLAUSE.exec(text.trim()) ?? [];
    const wanted = single ?? double;
    if (wanted === undefined) throw invalid("We were unable to parse your search query.", undefined, "query");
    return (row: T) => {
      const value = String((key ? row.metadata?.[key] : (row as Record<string, unknown>)[field]) ?? "");
      return sign === "~" ? value.toLowerCase().includes(wanted.toLowerCase()) : value === wanted;
    };
  });
  const found = rows.filter((row) => clauses.every((fits) => fits(row)));
  const { limit } = asked.params;
  const page = listPage(desk, found, { ...asked, params: limit === undefined ? {} : { limit } }, url);
  return { ...page, object: "search_result", next_page: null };
}

/** Rows whose fields equal what the query asks for; a parameter that is not given filters nothing. */
export function matching<T extends object>(rows: Record<string, T>, asked: Asked, ...names: (keyof T & string)[]): T[] {
  return Object.values(rows).filter((row) =>
    names.every((name) => {
      const wanted = textAt(asked.params, name);
      return wanted === undefined || (name === "status" && wanted === "all") || row[name] === wanted;
    }),
  );
}
