import { expect, test } from "vitest";
import { isOutOfFocus } from "./ink";

/** A grey picture, each row with the same lights and darks. */
function rowsOf(lumaAt: (x: number) => number) {
  const [width, height] = [120, 8];
  const pixels = new Uint8Array(width * height * 4);
  for (let at = 0; at < width * height; at += 1) pixels.fill(Math.round(lumaAt(at % width)), at * 4, at * 4 + 4);
  return { region: { x: 0, y: 0, width, height }, scale: 1, width, height, pixels };
}

test.each([
  ["light and dark that go over into each other", (x: number) => 128 + 60 * Math.sin(x / 3), true],
  ["strokes with sharp edges", (x: number) => (x % 10 < 4 ? 0 : 255), false],
  ["one ground that grows lighter", (x: number) => x * 2, false],
  ["nearly nothing", (x: number) => 250 + 3 * Math.sin(x / 3), false],
])("%s: out of focus %s", (_, lumaAt, expected) => {
  expect(isOutOfFocus(rowsOf(lumaAt))).toBe(expected);
});
