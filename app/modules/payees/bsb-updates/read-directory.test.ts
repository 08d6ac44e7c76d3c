import { expect, test } from "vitest";
import { readDirectory } from "./load-directory.server";

const read = (text: string) => readDirectory(new TextEncoder().encode(text));

test("a file is its rows", () => {
  const file = read("062-000,CBA,Sydney,48 Martin Place,Sydney,NSW,2000,PEH\r\n");
  expect(file).toMatchObject({ ok: true, rows: [{ bsb: "062000", status: "open" }] });
});

test.each([
  ["062-000,CBA,Sydney,48 Martin Place,Sydney,NSW,2000,PEH\noops", ["Line 2: 1 columns where the directory has 8."]],
  ["", ["Line 1: the file holds no rows."]],
  ['062-000,"CBA', [expect.stringMatching(/^Line 1: /)]],
  ["\n".repeat(40_001), ["The file has more than 40,000 lines."]],
])("a fault of %j is named with its line", (text, faults) => {
  expect(read(text)).toEqual({ ok: false, faults });
});

test("twenty faults are named and the rest is counted", () => {
  const file = read(Array(25).fill("oops").join("\n"));
  expect(file.ok ? [] : file.faults.slice(19)).toEqual([
    "Line 20: 1 columns where the directory has 8.",
    "And 5 more.",
  ]);
});

test("a file that is not text is refused", () => {
  expect(readDirectory(Uint8Array.of(0x50, 0x4b, 0xff, 0xfe))).toMatchObject({ ok: false });
});
