import { expect, test } from "vitest";
import { isLookedAt, isUnreadable } from "./judge-pictures";
import { digestOfBox } from "./painting";
import { readPicture, startBudget } from "./read-picture";
import { findLetters } from "./writing";

const looked = (characters: number, known: number) => ({ rows: [], characters, known, sure: 0 });

test.each([
  ["half of many characters was recognised", [looked(20, 10)], true],
  ["nearly all was recognised", [looked(20, 18)], false],
  ["one look recognised nearly all, and another half", [looked(20, 10), looked(20, 18)], false],
  ["next to nothing was recognised, as in the squares of a code", [looked(20, 6)], false],
  ["there are only a few characters", [looked(6, 3)], false],
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
  // So nobody can have accepted what it shows.
  expect(isLookedAt({ bands: read() })).toBe(false);
  budget.read.set(digestOfBox(page, box), [looked(20, 18)]);
  expect(read()).toEqual([[looked(20, 18)]]);
  expect(isLookedAt({ bands: read() })).toBe(true);
});

/** A page of points, white but for boxes. */
function drawn(boxes: readonly { x: number; y: number; width: number; height: number }[]) {
  const page = { x: 0, y: 0, width: 300, height: 100 };
  const pixels = new Uint8Array(page.width * page.height * 4).fill(255);
  for (const { x, y, width, height } of boxes)
    for (let row = y; row < y + height; row += 1)
      pixels.fill(0, (row * page.width + x) * 4, (row * page.width + x + width) * 4);
  return { region: page, scale: 1, width: page.width, height: page.height, pixels };
}
const dashes = (y: number) => Array.from({ length: 30 }, (_, at) => ({ x: 10 + at * 9, y, width: 5, height: 1 }));

test("a dashed line is no writing, and characters that are made of dashes are", () => {
  expect(findLetters(drawn([...dashes(20), ...dashes(60)]))).toEqual([]);
  const strokes = [...dashes(20), ...dashes(26), ...dashes(32)];
  expect(findLetters(drawn(strokes))).toHaveLength(strokes.length);
  const uprights = Array.from({ length: 29 }, (_, at) => ({ x: 16 + at * 9, y: 22, width: 1, height: 7 }));
  expect(findLetters(drawn([...dashes(20), ...uprights])).length).toBeGreaterThan(dashes(20).length);
});
