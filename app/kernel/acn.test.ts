import fc from "fast-check";
import { stdnum } from "stdnum";
import { describe, expect, test } from "vitest";
import { formatAcn, isValidAcn, parseAcn } from "./acn";

describe("parseAcn", () => {
  // The first rows are examples from ASIC's page on the digit check.
  test.each([
    ["000 000 019", "000000019"],
    ["000 250 000", "000250000"],
    ["000 500 005", "000500005"],
    ["001 000 004", "001000004"],
    ["010 499 966", "010499966"],
    ["004 085 616", "004085616"],
    ["ACN 004085616", "004085616"],
    ["acn:004-085-616", "004085616"],
  ])("%j is read as %s", (text, acn) => {
    expect(parseAcn(text)).toBe(acn);
    expect(isValidAcn(text)).toBe(true);
  });

  test.each(["", "our ACN 004 085 616", "004 085 617", "04 085 616", "0040856160", "00408561x", "００４０８５６１６"])(
    "%j is refused",
    (text) => {
      expect(parseAcn(text)).toBeUndefined();
      expect(isValidAcn(text)).toBe(false);
    },
  );

  test("stdnum agrees on every number", () => {
    const judge = stdnum.AU?.acn;
    fc.assert(
      fc.property(fc.stringMatching(/^\d{9}$/), (digits) => {
        expect(isValidAcn(digits)).toBe(judge?.validate(digits).isValid);
      }),
      { numRuns: 2000 },
    );
  });

  test("exactly one check digit fits any eight digits", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{8}$/), (body) => {
        const fitting = Array.from({ length: 10 }, (_, check) => `${body}${check}`).filter(isValidAcn);
        expect(fitting).toHaveLength(1);
      }),
    );
  });
});

test("an ACN is shown in groups of three, and other text unchanged", () => {
  expect(formatAcn("004085616")).toBe("004 085 616");
  expect(formatAcn("4085616")).toBe("4085616");
});
