import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatPhone, isMobile, parsePhone } from "./phone";

describe("parsePhone", () => {
  // The Australian numbers are from ACMA's ranges for fiction.
  test.each([
    ["0491 570 006", "+61491570006"],
    ["0491570006", "+61491570006"],
    ["+61 491 570 006", "+61491570006"],
    ["+61 (0) 491 570 006", "+61491570006"],
    ["0011 61 491 570 006", "+61491570006"],
    ["(02) 5550 4321", "+61255504321"],
    ["02-7010-1111", "+61270101111"],
    ["1800 975 707", "+611800975707"],
    ["1300 975 707", "+611300975707"],
    ["+64 21 123 4567", "+64211234567"],
    ["+44 20 7946 0958", "+442079460958"],
    ["+1 202 555 0143", "+12025550143"],
    ["０４９１ ５７０ ００６", "+61491570006"],
    [" 0491 570 006 ", "+61491570006"],
  ])("%j is read as %s", (text, e164) => {
    expect(parsePhone(text)).toBe(e164);
  });

  test.each([
    "",
    " ",
    "123",
    "0491 570 00",
    "0491 570 0066",
    "0000000000",
    "9374 4000",
    "+999 123 456",
    "+",
    "call me",
    "call 0491 570 006",
    "0491 570 006 / 0491 570 156",
    "0".repeat(1000),
  ])("%j is refused", (text) => {
    expect(parsePhone(text)).toBeUndefined();
  });

  test("every Australian mobile is read back from what is shown", () => {
    fc.assert(
      fc.property(fc.integer({ min: 91_570_000, max: 91_579_999 }), (rest) => {
        const e164 = `+614${rest}`;
        expect(parsePhone(formatPhone(e164))).toBe(e164);
      }),
      { numRuns: 50 },
    );
  });

  test("any text gives E.164 or nothing, without an exception", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(parsePhone(text) ?? "+61491570006").toMatch(/^\+[1-9]\d{4,14}$/);
      }),
    );
  });
});

test.each([
  ["+61491570006", true],
  ["+64211234567", true],
  ["+12025550143", true],
  ["+61255504321", false],
  ["+611800975707", false],
  ["+442079460958", false],
  ["", false],
])("a text message reaches %s: %s", (e164, reaches) => {
  expect(isMobile(e164)).toBe(reaches);
});

test.each([
  ["+61491570006", "0491 570 006"],
  ["+61255504321", "(02) 5550 4321"],
  ["+611300975707", "1300 975 707"],
  ["+64211234567", "+64 21 123 4567"],
  ["not a number", "not a number"],
])("%s is shown as %s", (e164, shown) => {
  expect(formatPhone(e164)).toBe(shown);
});
