import { expect, test } from "vitest";
import { judge } from "./painted-digits";
import { toGrid } from "./shapes";

/** A 7 as narrow as Oswald's: a bar and a steep stroke. */
const narrowSeven = () => {
  const [width, height] = [12, 28];
  const ink = new Float32Array(width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const stroke = 9 - (y / height) * 5;
      if (y < 4 || Math.abs(x - stroke) < 2) ink[y * width + x] = 1;
    }
  return toGrid(ink, width, { left: 0, right: width, top: 0, bottom: height });
};

/** A book of shapes that finds a 1 where a 7 is claimed. */
const bookOf = (one: number, seven: number) => ({
  look: () => ({ digit: "1", score: one, scores: [0, one, 0, 0, 0, 0, 0, seven, 0, 0], letterScore: 0 }),
});

test.each([
  ["barely", 0.728, 0.667, "unclear"],
  ["clearly", 0.9, 0.6, "other"],
])("a 7 that looks %s more like a 1", (_, one, seven, verdict) => {
  expect(judge(bookOf(one, seven), "7", narrowSeven())).toEqual({ verdict, painted: "1" });
});
