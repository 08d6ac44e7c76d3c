import { expect, test } from "vitest";
import { digestOfBox } from "./painting";
import { isUnreadable, readPicture, startBudget } from "./read-picture";

const looked = (signs: number, known: number) => ({ rows: [], signs, known, sure: 0 });

test.each([
  ["half of many signs was recognised", [looked(20, 10)], true],
  ["nearly all was recognised", [looked(20, 18)], false],
  ["one look recognised nearly all, and another half", [looked(20, 10), looked(20, 18)], false],
  ["next to nothing was recognised, as in the squares of a code", [looked(20, 6)], false],
  ["there are only a few signs", [looked(6, 3)], false],
  ["there are as many specks as in a photograph", [looked(400, 200)], false],
  ["nothing was seen", [], false],
])("a picture of which %s", (_, reads, expected) => {
  expect(isUnreadable(reads)).toBe(expected);
});

test("a picture that comes when enough was looked at counts as not read, unless it was read before", () => {
  const box = { x: 0, y: 0, width: 100, height: 50 };
  const page = { region: box, scale: 1, width: 100, height: 50, pixels: new Uint8Array(100 * 50 * 4) };
  const budget = { ...startBudget(), pixels: 0 };
  // Nothing is painted any more.
  const read = () => readPicture({} as never, {} as never, box, budget, page);
  expect(read().some(isUnreadable)).toBe(true);
  budget.read.set(digestOfBox(page, box), [looked(20, 18)]);
  expect(read()).toEqual([[looked(20, 18)]]);
});
