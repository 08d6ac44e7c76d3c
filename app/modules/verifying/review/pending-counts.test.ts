import { expect, test } from "vitest";
import { COUNT_CAP, showCounts } from "./pending-page.server";

test.each([
  ["nothing waits", { all: 0, exact: 0, fuzzy: 0, none: 0 }, ["0", "0", "0", "0"]],
  ["few wait", { all: 12, exact: 3, fuzzy: 4, none: 5 }, ["12", "3", "4", "5"]],
  ["one count stopped", { all: 600, exact: 2, fuzzy: 8, none: COUNT_CAP }, ["600", "2", "8", "590"]],
  ["one stopped exactly at its number", { all: 101, exact: 1, fuzzy: 0, none: COUNT_CAP }, ["101", "1", "0", "100"]],
  ["two stopped", { all: 600, exact: COUNT_CAP, fuzzy: 8, none: COUNT_CAP }, ["99+", "99+", "8", "99+"]],
  ["a decision came between", { all: 99, exact: 1, fuzzy: 0, none: COUNT_CAP }, ["99", "1", "0", "100"]],
] as const)("counts of the filters agree with the whole when %s", (_, counts, [all, exact, fuzzy, none]) => {
  expect(showCounts({ ...counts, mine: 0 })).toEqual({ all, mine: "0", exact, fuzzy, none });
});

test("of a search and of a person's own, more than the cap is told as more", () => {
  const counts = { all: COUNT_CAP, mine: COUNT_CAP, exact: 3, fuzzy: 0, none: COUNT_CAP };
  const shown = { all: "99+", mine: "99+", exact: "3", fuzzy: "0", none: "99+" };
  expect(showCounts(counts, { isSearch: true })).toEqual(shown);
});

test("where counting stopped before the end of the queue, every number says that there may be more", () => {
  const counts = { all: 60, mine: 0, exact: 12, fuzzy: 0, none: 48, isAtLeast: true };
  const shown = { all: "60+", mine: "0+", exact: "12+", fuzzy: "0+", none: "48+" };
  expect(showCounts(counts, { isSearch: true })).toEqual(shown);
});
