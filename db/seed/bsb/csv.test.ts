import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CsvError, parseCsv } from "./csv.mjs";

const fieldsOf = (text: string) => parseCsv(text).map(({ fields }) => fields);

describe("parseCsv", () => {
  test.each([
    ["a,b,c", [["a", "b", "c"]]],
    [
      "a,b\nc,d",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "a,b\r\nc,d\r\n",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    ["a\rb\r", [["a"], ["b"]]],
    ['"a,b",c', [["a,b", "c"]]],
    ['"say ""hi""",c', [['say "hi"', "c"]]],
    ['"two\nlines",c', [["two\nlines", "c"]]],
    [",", [["", ""]]],
    ["a,", [["a", ""]]],
    ['"",', [["", ""]]],
    ["\ufeffa,b", [["a", "b"]]],
    ["a\n\n\nb\n\n", [["a"], ["b"]]],
    [" a , b ", [[" a ", " b "]]],
    ["", []],
    ["\r\n\r\n", []],
  ])("%j", (text, records) => {
    expect(fieldsOf(text)).toEqual(records);
  });

  test("each record knows the line it starts on, across empty lines and line ends within quotes", () => {
    expect(parseCsv('a\r\n\r\n"b\nb\r\nb",c\nd').map(({ line }) => line)).toEqual([1, 3, 6]);
  });

  test.each([
    ['a,"b', 1, "not closed"],
    ['a\nb,"c\nd', 2, "not closed"],
    ['"a"b,c', 1, "follows a closing quote"],
    ['x\r\n"a"b,c', 2, "follows a closing quote"],
  ])("%j is refused on line %i: %s", (text, line, reason) => {
    expect(() => parseCsv(text)).toThrow(CsvError);
    expect(() => parseCsv(text)).toThrow(new RegExp(`^line ${line}: .*${reason}`));
  });

  test("whatever is written by the rules is read back", () => {
    const field = fc.stringMatching(/^[a-z ,"\r\n]{0,8}$/);
    const records = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 5 });
    const write = (text: string) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(records, fc.constantFrom("\n", "\r\n", "\r"), (rows, lineEnd) => {
        const readBack = rows.map((row) => row.map((text) => text.replace(/\r\n?/g, "\n")));
        expect(fieldsOf(rows.map((row) => row.map(write).join(",")).join(lineEnd))).toEqual(readBack);
      }),
    );
  });
});
