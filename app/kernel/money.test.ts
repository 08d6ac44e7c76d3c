import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatAud, MAX_AMOUNT_CENTS, parseAud } from "./money";

describe("formatAud", () => {
  test.each([
    [0, "$0.00"],
    [-0, "$0.00"],
    [1, "$0.01"],
    [-5, "-$0.05"],
    [99, "$0.99"],
    [100, "$1.00"],
    [99_999, "$999.99"],
    [100_000, "$1,000.00"],
    [123_450, "$1,234.50"],
    [-123_450, "-$1,234.50"],
    [50_000, "$500.00"],
    [MAX_AMOUNT_CENTS, "$99,999,999.99"],
    [Number.MAX_SAFE_INTEGER, "$90,071,992,547,409.91"],
  ])("%i cents are %s", (cents, text) => {
    expect(formatAud(cents)).toBe(text);
  });

  test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])("%d is no number of cents", (cents) => {
    expect(() => formatAud(cents)).toThrow(RangeError);
  });

  test("Intl shows the same, as far as its dollars are exact", () => {
    const judge = new Intl.NumberFormat("en-AU", { style: "currency", currency: "AUD" });
    fc.assert(
      fc.property(fc.integer({ min: -1e13, max: 1e13 }), (cents) => {
        fc.pre(cents !== 0);
        expect(formatAud(cents)).toBe(judge.format(cents / 100));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("parseAud", () => {
  test.each([
    ["0", 0],
    ["1234.5", 123_450],
    ["1234.50", 123_450],
    ["$1,234.50", 123_450],
    ["A$12", 1_200],
    ["a$ 12.34", 1_234],
    ["AUD 12", 1_200],
    [" 7 ", 700],
    [".5", 50],
    ["$.05", 5],
    ["0.29", 29],
    ["1.15", 115],
    ["4.35", 435],
    ["007", 700],
    ["1,000,000", 100_000_000],
    ["90071992547409.91", Number.MAX_SAFE_INTEGER],
  ])("%j is read as %i cents", (text, cents) => {
    expect(parseAud(text)).toBe(cents);
  });

  test.each([
    "",
    " ",
    "$",
    "AUD",
    ".",
    "1.",
    "1.234",
    "-1",
    "-$1",
    "+1",
    "(1)",
    "1e5",
    "0x10",
    "1,23",
    "12,34,567",
    ",123",
    "1234,567",
    "1,234,56",
    "1 234",
    "1.234,50",
    "$$1",
    "USD 5",
    "NaN",
    "Infinity",
    "１２",
    "90071992547409.92",
    "9".repeat(400),
  ])("%j is refused", (text) => {
    expect(parseAud(text)).toBeUndefined();
  });

  test("every amount is read back from what is shown, with and without its commas", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (cents) => {
        const shown = formatAud(cents);
        expect(parseAud(shown)).toBe(cents);
        expect(parseAud(shown.replaceAll(",", ""))).toBe(cents);
      }),
    );
  });

  test("any text gives a safe whole number of cents or nothing", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[$A,.\d -]{0,20}$/), (text) => {
        const cents = parseAud(text) ?? 0;
        expect(Number.isSafeInteger(cents) && cents >= 0).toBe(true);
      }),
    );
  });
});
