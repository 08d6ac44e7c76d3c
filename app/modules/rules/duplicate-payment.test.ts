import fc from "fast-check";
import { expect, test } from "vitest";
import { referenceKey } from "./duplicate-payment";

test.each([
  ["INV-00123", "inv123"],
  ["inv 123", "inv123"],
  ["Inv.123 ", "inv123"],
  ["000123", "123"],
  ["PO 7 / 0012", "po712"],
  ["ＩＮＶ１２３", "inv123"],
  ["000", "0"],
  ["10-05", "105"],
  ["A1000", "a1000"],
  ["Rüba–7", "rüba7"],
  ["---", ""],
])("%s is compared as %s", (reference, key) => {
  expect(referenceKey(reference)).toBe(key);
});

test("case, blanks and punctuation around a reference change nothing", () => {
  const noise = fc.stringMatching(/^[ \-./#_,:()]{0,5}$/);
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{1,5}[1-9][0-9]{0,5}$/), noise, noise, (reference, before, after) => {
      expect(referenceKey(`${before}${reference.toUpperCase()}${after}`)).toBe(referenceKey(reference));
    }),
  );
});

test("different numbers stay different", () => {
  fc.assert(
    fc.property(fc.nat(1e6), fc.nat(1e6), (a, b) => {
      expect(referenceKey(`INV-${a}`) === referenceKey(`INV-${b}`)).toBe(a === b);
    }),
  );
});
