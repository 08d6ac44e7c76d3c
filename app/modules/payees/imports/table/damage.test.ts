import { expect, test } from "vitest";
import {
  oddAccountSentences,
  repairBsb,
  repairNumber,
  shownNumberSentences,
  splitCombined,
  unwrapCell,
} from "./account";

test.each([
  ['="062000"', "062000"],
  ["'062000", "062000"],
  [" 12345678 ", "12345678"],
])("%s is %s kept as text", (cell, text) => {
  expect(unwrapCell(cell)).toBe(text);
});

test.each([
  ["12345678", "12345678", false],
  ["12 345 678", "12 345 678", false],
  ["12345678.0", "12345678", true],
  ["12345678.00", "12345678", true],
  ["12345678,0", "12345678", true],
  ["12,345,678", "12345678", true],
  ["1.2345678E+07", "12345678", true],
  ["1,2345678E+07", "12345678", true],
])("the account number %s is read as %s", (cell, text, isNoted) => {
  const repaired = repairNumber(cell, "account number");
  expect(repaired).toMatchObject({ text });
  expect(repaired.note !== undefined).toBe(isNoted);
  expect(repaired.problem).toBeUndefined();
});

test.each(["1.23E+08", "1.2345E+7", "1,23E+08", "1E+08"])(
  "the digits of %s are lost, and nothing is guessed",
  (cell) => {
    expect(repairNumber(cell, "account number").problem).toContain("a spreadsheet replaced digits, and they are lost");
  },
);

test.each([
  ["62000", "062000", true],
  ["62-000", "062000", true],
  ["62000.0", "062000", true],
  ["062-000", "062-000", false],
  ["062 000", "062 000", false],
  ["4000", "4000", false],
  ["71234", "71234", false],
])("the BSB %s is read as %s", (cell, text, isNoted) => {
  const repaired = repairBsb(cell);
  expect(repaired.text).toBe(text);
  expect(repaired.note !== undefined).toBe(isNoted);
});

test.each([
  ["062-000 12345678", { bsb: "062000", accountNumber: "12345678" }],
  ["062-000-1234-5678", { bsb: "062000", accountNumber: "12345678" }],
  ["062000 12345678", { bsb: "062000", accountNumber: "12345678" }],
  ["06200012345678", { bsb: "062000", accountNumber: "12345678" }],
  ["062000-12345678", { bsb: "062000", accountNumber: "12345678" }],
])("%s is a BSB and a number", (cell, account) => {
  expect(splitCombined(cell, false)).toEqual(account);
});

test("digits whose zero may be lost are refused when both readings are possible, and read where the column keeps zeros", () => {
  expect(splitCombined("11287912345678", false)).toHaveProperty("problem");
  expect(splitCombined("11287912345678", true)).toEqual({ bsb: "112879", accountNumber: "12345678" });
  expect(splitCombined("112879123456789", false)).toEqual({ bsb: "112879", accountNumber: "123456789" });
});

test.each(["62-000 12345678", "62-000-1234-5678"])(
  "%s lost the zero of its BSB, whatever the rest of the column has",
  (cell) => {
    for (const hasZeros of [true, false]) {
      expect(splitCombined(cell, hasZeros)).toMatchObject({ bsb: "062000", accountNumber: "12345678" });
      expect(splitCombined(cell, hasZeros)).toHaveProperty("note");
    }
  },
);

test("a dropped zero is put back where only that reading is possible, and said", () => {
  expect(splitCombined("1300212345678", false)).toMatchObject({ bsb: "013002", accountNumber: "12345678" });
  expect(splitCombined("1300212345678", false)).toHaveProperty("note");
});

test.each([
  "12345678",
  "06200012345678901",
  "6.2E+13",
  "IBAN 123",
  "062-000",
  "0620 0012 3456 78",
  "62 000 12345678",
  "71-234 12345678",
])("%s is no account", (cell) => {
  expect(splitCombined(cell, false)).toHaveProperty("problem");
});

test.each([
  [{ bsb: "999999", accountNumber: "12345678" }, ["No institution that we know has the BSB 999-999."]],
  [{ bsb: "013000", accountNumber: "1234" }, ["The account number has 4 digits; at ANZ Bank it usually has 9."]],
  [{ bsb: "733000", accountNumber: "12345" }, ["The account number has 5 digits; at Westpac it usually has 6 to 9."]],
  [{ bsb: "062000", accountNumber: "12345678" }, []],
])("what is odd about an account is said: %j", (account, said) => {
  expect(oddAccountSentences(account)).toEqual(said);
});

test("a number that is read as its cell shows it is noted", () => {
  const row = { line: 2, cells: ["x", "062-000", "01234567"], shown: [2] };
  expect(shownNumberSentences(row, { name: [0], bsb: [1], accountNumber: [2] })).toEqual([
    "The account number was read as 01234567, as the cell shows it: the number stored in the cell does not have these zeros.",
  ]);
});
