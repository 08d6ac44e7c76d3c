import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  findAccountNumberSlip,
  maskAccountNumber,
  padAccountNumber,
  parseAccountNumber,
  sameAccountNumber,
} from "./bank-account";

const accountNumbers = fc.stringMatching(/^\d{4,9}$/).filter((text) => /[1-9]/.test(text));
const padded = fc.stringMatching(/^\d{9}$/);

function replaceAt(text: string, at: number, letter: string): string {
  return text.slice(0, at) + letter + text.slice(at + 1);
}

describe("parseAccountNumber", () => {
  test.each([
    ["1234", "1234"],
    ["123456789", "123456789"],
    ["12345678", "12345678"],
    ["012345678", "012345678"],
    ["0001", "0001"],
    ["1234 5678", "12345678"],
    ["12-345-678", "12345678"],
    [" 10\u00a045 67 ", "104567"],
    ["12\u20133456", "123456"],
  ])("%j is read as %s", (text, number) => {
    expect(parseAccountNumber(text)).toBe(number);
  });

  test.each(["", " - ", "123", "1234567890", "0000", "000000000", "12345a", "１２３４５", "1234.5", "+12345", "1e5"])(
    "%j is refused",
    (text) => {
      expect(parseAccountNumber(text)).toBeUndefined();
    },
  );

  test("a number is read back unchanged however it is grouped", () => {
    fc.assert(
      fc.property(accountNumbers, fc.nat(9), fc.constantFrom(" ", "-", " - "), (number, at, separator) => {
        expect(parseAccountNumber(number.slice(0, at) + separator + number.slice(at))).toBe(number);
      }),
    );
  });
});

describe("sameAccountNumber", () => {
  test("a leading zero makes no other account", () => {
    expect(sameAccountNumber("12345678", "012345678")).toBe(true);
    expect(sameAccountNumber("0012345", "12345")).toBe(true);
  });

  test("a trailing zero does", () => {
    expect(sameAccountNumber("1234", "12340")).toBe(false);
  });

  test("two numbers are the same exactly when they are the same number", () => {
    fc.assert(
      fc.property(accountNumbers, accountNumbers, (a, b) => {
        expect(sameAccountNumber(a, b)).toBe(Number(a) === Number(b));
        expect(sameAccountNumber(a, padAccountNumber(a))).toBe(true);
      }),
    );
  });
});

describe("findAccountNumberSlip", () => {
  test.each([
    ["123456789", "123456780", "substitution"],
    ["12345678", "12345679", "substitution"],
    ["12345678", "112345678", "substitution"],
    ["123456789", "123456798", "transposition"],
    ["123456789", "213456789", "transposition"],
    ["12345678", "012345687", "transposition"],
    ["102345678", "12345678", "transposition"],
    ["123456789", "123456789", undefined],
    ["12345678", "012345678", undefined],
    ["123456789", "321456789", undefined],
    ["123456789", "123456700", undefined],
    ["123456789", "213456798", undefined],
    ["123456789", "124365789", undefined],
    ["1234", "12345", undefined],
    ["123456712", "123456723", undefined],
    ["123456723", "123456712", undefined],
    ["12345678901", "123456789", undefined],
    ["1234567890", "123456789", undefined],
  ])("%s for %s: %s", (typed, known, slip) => {
    expect(findAccountNumberSlip(typed, known)).toBe(slip);
  });

  test("every replaced digit is found, both ways round", () => {
    fc.assert(
      fc.property(padded, fc.nat(8), fc.integer({ min: 1, max: 9 }), (known, at, shift) => {
        const typed = replaceAt(known, at, String((Number(known[at]) + shift) % 10));
        expect(findAccountNumberSlip(typed, known)).toBe("substitution");
        expect(findAccountNumberSlip(known, typed)).toBe("substitution");
      }),
    );
  });

  test("every exchange of unequal neighbours is found, both ways round", () => {
    fc.assert(
      fc.property(padded, fc.nat(7), (known, at) => {
        const [a = "", b = ""] = known.slice(at);
        const typed = replaceAt(replaceAt(known, at, b), at + 1, a);
        const slip = a === b ? undefined : "transposition";
        expect(findAccountNumberSlip(typed, known)).toBe(slip);
        expect(findAccountNumberSlip(known, typed)).toBe(slip);
      }),
    );
  });

  test("a slip is never reported for numbers that differ in three places", () => {
    fc.assert(
      fc.property(padded, padded, (a, b) => {
        const differing = [...a].filter((digit, i) => digit !== b[i]).length;
        fc.pre(differing > 2);
        expect(findAccountNumberSlip(a, b)).toBeUndefined();
      }),
    );
  });
});

describe("maskAccountNumber", () => {
  test.each([
    ["123456789", "••••••789"],
    ["12345678", "•••••678"],
    ["123456", "•••456"],
    ["12345", "•••45"],
    ["1234", "••34"],
    ["123", "•••"],
    ["1", "•"],
    ["", ""],
  ])("%s is shown as %s", (number, masked) => {
    expect(maskAccountNumber(number)).toBe(masked);
  });

  test("the length and the last three digits, or two of a short number, are all that can be seen", () => {
    fc.assert(
      fc.property(accountNumbers, (number) => {
        const masked = maskAccountNumber(number);
        expect(masked).toHaveLength(number.length);
        expect(masked.replaceAll("•", "")).toBe(number.slice(number.length < 6 ? -2 : -3));
      }),
    );
  });
});
