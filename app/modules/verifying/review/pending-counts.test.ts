import { expect, test } from "vitest";
import { COUNT_CAP, showCounts } from "./pending-page.server";

test("the counts of the whole queue are said as they are, and a person's own beyond the cap as more", () => {
  const counts = { all: 1_600, exact: 440, fuzzy: 8, none: 2, notCompared: 1_150 };
  const shown = { all: "1600", exact: "440", fuzzy: "8", none: "2", notCompared: "1150" };
  expect(showCounts({ ...counts, mine: COUNT_CAP - 1 })).toEqual({ ...shown, mine: "99" });
  expect(showCounts({ ...counts, mine: COUNT_CAP })).toEqual({ ...shown, mine: "99+" });
});

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
