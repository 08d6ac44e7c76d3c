import { expect, test } from "vitest";
import { isSumOf } from "./purpose.server";

const many = Array.from({ length: 40 }, (_, nth) => 100 + nth * nth);
const all = many.reduce((sum, bill) => sum + bill, 0);

test.each([
  [500, [500, 300], true],
  [800, [500, 300, 70], true],
  [870, [500, 300, 70], true],
  [501, [500, 300], false],
  [0, [500], false],
  [500, [], false],
  [101, many, true],
  [100 + 101, many, true],
  [all, many, true],
  [all + 1, many, false],
])("%i of %j: %s", (amount, bills, expected) => {
  expect(isSumOf(amount, bills)).toBe(expected);
});
