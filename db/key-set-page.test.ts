import { sql } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { type AskedPage, keySetPage } from "./key-set-page";

type Order = "descending" | "ascending";

/** The database's answer: rows 1 to `count`, in the order and from the position of the query. */
function read(count: number, asked: AskedPage<number>, order: Order, limit: number): number[] {
  const backwards = asked.after === undefined && asked.before !== undefined;
  const descending = (order === "descending") !== backwards;
  const key = asked.after ?? asked.before;
  const rows = Array.from({ length: count }, (_, index) => index + 1);
  if (descending) rows.reverse();
  return rows.filter((row) => key === undefined || (descending ? row < key : row > key)).slice(0, limit);
}

function pageOf(count: number, asked: AskedPage<number>, order: Order = "descending") {
  const page = keySetPage(asked, { size: 3, order });
  return page.cut(read(count, asked, order, page.limit), (row) => row);
}

test.each([
  ["an empty list", 0, {}, [], undefined, undefined],
  ["a list of one page", 3, {}, [3, 2, 1], undefined, undefined],
  ["the first page", 7, {}, [7, 6, 5], undefined, 5],
  ["a page in between", 7, { after: 5 }, [4, 3, 2], 4, 2],
  ["the last page", 7, { after: 2 }, [1], 1, undefined],
  ["a page past the end leads back", 7, { after: 1 }, [], 1, undefined],
  ["the page before", 7, { before: 1 }, [4, 3, 2], 4, 2],
  ["back on the first page", 7, { before: 4 }, [7, 6, 5], undefined, 5],
  ["a page before the first leads on", 7, { before: 7 }, [], undefined, 7],
  ["both keys: the one after counts", 7, { after: 5, before: 2 }, [4, 3, 2], 4, 2],
] as const)("%s", (_, count, asked, rows, previous, next) => {
  expect(pageOf(count, asked)).toEqual({ rows, previous, next });
});

test.each([
  [{}, [1, 2, 3], undefined, 3],
  [{ after: 3 }, [4, 5], 4, undefined],
  [{ before: 4 }, [1, 2, 3], undefined, 3],
] as const)("oldest first, %j", (asked, rows, previous, next) => {
  expect(pageOf(5, asked, "ascending")).toEqual({ rows, previous, next });
});

test("walking on and back again shows every row once, in both directions", () => {
  const there: number[][] = [];
  for (let page = pageOf(8, {}); ; page = pageOf(8, { after: page.next })) {
    there.push(page.rows);
    if (page.next === undefined) break;
  }
  const back: number[][] = [];
  for (let page = pageOf(8, { after: 3 }); ; page = pageOf(8, { before: page.previous })) {
    back.unshift(page.rows);
    if (page.previous === undefined) break;
  }
  expect(there).toEqual([
    [8, 7, 6],
    [5, 4, 3],
    [2, 1],
  ]);
  expect(back).toEqual(there);
});

test("where reading was given up before the page was full, the list goes on from there", () => {
  const page = keySetPage<number>({}, { size: 3 });
  expect(page.cut([9], (row) => row, 4)).toEqual({ rows: [9], previous: undefined, next: 4 });
  expect(page.cut([9, 8, 7, 6], (row) => row, 4)).toMatchObject({ next: 7 });
});

test.each([
  [{}, undefined, '"id" desc'],
  [{ after: "b" }, '"id" < ?', '"id" desc'],
  [{ before: "b" }, '"id" > ?', '"id" asc'],
] as const)("the key is bound to a parameter: %j", (asked: AskedPage, where, order) => {
  const page = keySetPage(asked, { size: 3 });
  const dialect = new SQLiteSyncDialect();
  const beyond = page.beyond(sql`"id"`);
  const written = beyond && dialect.sqlToQuery(beyond);
  expect(written?.sql).toBe(where);
  expect(written?.params ?? []).toEqual(where === undefined ? [] : ["b"]);
  expect(dialect.sqlToQuery(page.order(sql`"id"`)).sql).toBe(order);
});
