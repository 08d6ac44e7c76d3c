import { expect, test } from "vitest";
import { findCodes, readCodes } from "./codes";
import type { Blob } from "./writing";

const region = { x: 0, y: 0, width: 600, height: 200 };
const page = { region, scale: 1, width: 600, height: 200, pixels: new Uint8Array(600 * 200 * 4).fill(255) };

/** A corner of a code, in modules of a pixel: a square of three in a frame of seven. */
const corner = (x: number, y: number): Blob[] => [
  { left: x, top: y, right: x + 7, bottom: y + 7, area: 24 },
  { left: x + 2, top: y + 2, right: x + 5, bottom: y + 5, area: 9 },
];
const CODE = [corner(20, 100), corner(60, 100), corner(20, 140)].flat();
const inARow = (count: number) => Array.from({ length: count }, (_, at) => corner(10 + at * 9, 10)).flat();

test("a code is found by its corners", () => {
  expect(findCodes(page, CODE)).toEqual([{ box: { x: 20, y: 100, width: 47, height: 47 }, corner: 7 }]);
});

test("behind more corners than are compared there may be a code, and it was not read", () => {
  expect(findCodes(page, [...inARow(57), ...CODE])).toHaveLength(1);
  expect(findCodes(page, [...inARow(61), ...CODE])).toEqual([{ box: region }]);
});

test("a code that comes when enough was looked at was not read", () => {
  const pixels = page.pixels.slice();
  const fill = (x: number, y: number, side: number, value: number) => {
    for (let row = y; row < y + side; row += 1)
      pixels.fill(value, (row * page.width + x) * 4, (row * page.width + x + side) * 4);
  };
  for (const [x, y] of [
    [20, 20],
    [140, 20],
    [20, 140],
  ] as const) {
    fill(x, y, 28, 0);
    fill(x + 4, y + 4, 20, 255);
    fill(x + 8, y + 8, 12, 0);
  }
  // Nothing is painted any more.
  const read = readCodes({ space: { width: 600, height: 200 } } as never, { ...page, pixels }, { pixels: 0 });
  expect(read[0]).toEqual({ box: { x: 20, y: 20, width: 148, height: 148 } });
  expect(read.filter(({ text }) => text !== undefined)).toEqual([]);
});
