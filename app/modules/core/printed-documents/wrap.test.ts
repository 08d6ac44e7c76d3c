import fc from "fast-check";
import { expect, test } from "vitest";
import { wrapText } from "./pdf-document";

const widthOf = (text: string) => [...text].length;

test.each([
  ["", 10, [""]],
  ["one two three", 7, ["one two", "three"]],
  ["one two three", 100, ["one two three"]],
  ["abcdefghij", 4, ["abcd", "efgh", "ij"]],
  ["an abcdefgh end", 4, ["an", "abcd", "efgh", "end"]],
  ["first\nsecond", 100, ["first", "second"]],
])("%j in lines of %i", (text, max, lines) => {
  expect(wrapText(text, widthOf, max)).toEqual(lines);
});

test("no letter is lost and no line is too wide, whatever the text", () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 30 }), (text, max) => {
      const lines = wrapText(text, widthOf, max);
      expect(lines.join("").replaceAll(/[ \n]/g, "")).toBe(text.replaceAll(/[ \n]/g, ""));
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(max);
    }),
  );
});
