import { expect, test } from "vitest";
import { COUNT_CAP, showCounts } from "./pending-page.server";

const PART = { none: 12, notCompared: 488, isInPart: true };

test.each([
  ["nothing waits", { all: 0, exact: 0, fuzzy: 0, none: 0, notCompared: 0 }, ["0", "0", "0", "0", "0"]],
  ["few wait", { all: 12, exact: 3, fuzzy: 4, none: 1, notCompared: 4 }, ["12", "3", "4", "1", "4"]],
  [
    "one count stopped",
    { all: 600, exact: COUNT_CAP, fuzzy: 8, none: 2, notCompared: 150 },
    ["600", "440", "8", "2", "150"],
  ],
  [
    "one stopped exactly at its number",
    { all: 101, exact: COUNT_CAP, fuzzy: 0, none: 0, notCompared: 1 },
    ["101", "100", "0", "0", "1"],
  ],
  ["most were never compared", { all: 600, exact: 2, fuzzy: 8, ...PART }, ["600", "2", "8", "12+", "488+"]],
  ["two stopped", { all: 700, exact: COUNT_CAP, fuzzy: 8, ...PART }, ["99+", "99+", "8", "12+", "488+"]],
  [
    "a decision came between",
    { all: 99, exact: COUNT_CAP, fuzzy: 0, none: 0, notCompared: 1 },
    ["99", "100", "0", "0", "1"],
  ],
] as const)(
  "counts of the filters agree with the whole when %s",
  (_, counts, [all, exact, fuzzy, none, notCompared]) => {
    expect(showCounts({ ...counts, mine: 0 })).toEqual({ all, mine: "0", exact, fuzzy, none, notCompared });
  },
);

test("of a search and of a person's own, more than the cap is told as more", () => {
  const counts = { all: COUNT_CAP, mine: COUNT_CAP, exact: 3, fuzzy: 0, none: 4, notCompared: COUNT_CAP };
  const shown = { all: "99+", mine: "99+", exact: "3", fuzzy: "0", none: "4", notCompared: "99+" };
  expect(showCounts(counts, { isSearch: true })).toEqual(shown);
});

test("where counting stopped before the end of the queue, every number says that there may be more", () => {
  const counts = { all: 60, mine: 0, exact: 12, fuzzy: 0, none: 8, notCompared: 40, isAtLeast: true };
  const shown = { all: "60+", mine: "0+", exact: "12+", fuzzy: "0+", none: "8+", notCompared: "40+" };
  expect(showCounts(counts, { isSearch: true })).toEqual(shown);
});
