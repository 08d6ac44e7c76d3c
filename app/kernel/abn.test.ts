import fc from "fast-check";
import { stdnum } from "stdnum";
import { describe, expect, test } from "vitest";
import { formatAbn, hasElevenDigits, isValidAbn, parseAbn } from "./abn";

const elevenDigits = fc.stringMatching(/^\d{11}$/);
const WEIGHTS = [3, 5, 7, 9, 11, 13, 15, 17, 19];

/** The register's own algorithm: takes nine digits and puts the two check digits in front. */
function issueAbn(body: string): string {
  const sum = WEIGHTS.reduce((total, weight, i) => total + weight * Number(body[i]), 0);
  return `${99 - (sum % 89)}${body}`;
}
const abns = fc.stringMatching(/^\d{9}$/).map(issueAbn);

describe("parseAbn", () => {
  test.each([
    ["51 824 753 556", "51824753556"],
    ["51824753556", "51824753556"],
    ["53 004 085 616", "53004085616"],
    ["88 000 014 675", "88000014675"],
    ["ABN 51 824 753 556", "51824753556"],
    [" ABN 51 824 753 556", "51824753556"],
    ["abn: 51-824-753-556", "51824753556"],
    [" 51\u00a0824 753 556\n", "51824753556"],
  ])("%j is read as %s", (text, abn) => {
    expect(parseAbn(text)).toBe(abn);
    expect(isValidAbn(text)).toBe(true);
  });

  test.each([
    "51 824 753 557",
    "12 345 678 901",
    "87 087 651 111",
    "",
    "51 824 753 55",
    "51 824 753 5566",
    "5182475355a",
    "５１８２４７５３５５６",
    "00 000 000 000",
    "ABN",
    "our ABN 51 824 753 556",
  ])("%j is refused", (text) => {
    expect(parseAbn(text)).toBeUndefined();
    expect(isValidAbn(text)).toBe(false);
  });

  test("every number that the register can issue is accepted", () => {
    fc.assert(
      fc.property(abns, (abn) => {
        expect(parseAbn(formatAbn(abn))).toBe(abn);
      }),
    );
  });

  test("stdnum agrees on every number", () => {
    const judge = stdnum.AU?.abn;
    fc.assert(
      fc.property(fc.oneof(elevenDigits, abns), (digits) => {
        expect(isValidAbn(digits)).toBe(judge?.validate(digits).isValid);
      }),
      { numRuns: 2000 },
    );
  });

  test("of all pairs of leading digits exactly one fits the other nine", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{9}$/), (body) => {
        const fitting = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, "0") + body).filter(isValidAbn);
        expect(fitting).toEqual([issueAbn(body)]);
      }),
      { numRuns: 50 },
    );
  });

  test("one wrong digit never goes unnoticed", () => {
    fc.assert(
      fc.property(abns, fc.nat(10), fc.integer({ min: 1, max: 9 }), (abn, at, shift) => {
        const wrong = abn.slice(0, at) + ((Number(abn[at]) + shift) % 10) + abn.slice(at + 1);
        expect(isValidAbn(wrong)).toBe(false);
      }),
    );
  });
});

test("eleven digits are told from too few, whatever the check digits", () => {
  expect(hasElevenDigits("51 824 753 557")).toBe(true);
  expect(hasElevenDigits("ABN 51824753556")).toBe(true);
  expect(hasElevenDigits("51 824 753 55")).toBe(false);
  expect(hasElevenDigits("51 824 753 5567")).toBe(false);
  expect(hasElevenDigits("")).toBe(false);
});

test("an ABN is shown in groups of two and three, and other text unchanged", () => {
  expect(formatAbn("51824753556")).toBe("51 824 753 556");
  expect(formatAbn("51 824 753 556")).toBe("51 824 753 556");
  expect(formatAbn("5182475")).toBe("5182475");
});
