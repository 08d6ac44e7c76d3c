import Papa from "papaparse";
import { expect, test } from "vitest";
import { toCsv, toCsvLines } from "./csv";

test("cells with separators, quotes and line ends come back as they were", () => {
  const rows = [
    ["a,b", 'say "x"', "two\nlines"],
    ["", "plain", "0"],
  ];
  const text = toCsv(["One", "Two", "Three"], rows);
  expect(Papa.parse(text.slice(1), { skipEmptyLines: true }).data).toEqual([["One", "Two", "Three"], ...rows]);
});

test.each(["=1+1", "+61", "-1", "@sum", "\tx", "＝1+1", "＋61", "－1", "＠sum"])(
  "%s is no formula for a spreadsheet",
  (cell) => {
    expect(toCsvLines([[cell]])).toBe(`'${cell}\r\n`);
  },
);

test("numbers and nothing are written plainly", () => {
  expect(toCsvLines([[-5, null, 12]])).toBe("-5,,12\r\n");
});
