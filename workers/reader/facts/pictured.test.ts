import { expect, test } from "vitest";
import { linesOfText } from "../layout/lines";
import { findAnnounced } from "./kinds";
import { isUnsureNumber, looksLikeAccount, mayHoldAccount, wordsIn } from "./pictured";

test.each([
  ["a BSB and a number", ["063 111 99887766"]],
  ["both with words, one word misread", ["B?NK DETA?LS", "BSB 063 111", "ACCOU?T 9988 7766"]],
  ["in one piece with the word", ["BSB063111", "ACC99887766"]],
  ["ones that are only strokes", ["BSB 063 ILI", "ACC 99887766"]],
  ["letters for digits", ["EFT 734 O2O ? 5521O8"]],
  ["digits that were not recognised, beside the word", ["BSB 063 ???", "ACCOU?T 9988 ?766"]],
  ["words nearly recognised beside digits that hardly were", ["PLEASE NOTE OOR NE? ACCOO?T", "ACCOONT ?22?S7??"]],
  ["beside a number to ring", ["PHONE 02 9000 1111", "BSB 063 111", "ACC 99887766"]],
  ["an account whose last digits are like a date", ["063 111 9 11 2026"]],
])("%s looks like an account", (_, rows) => {
  expect(looksLikeAccount({ rows })).toBe(true);
});

test.each([
  ["numbers to ring", ["PH 02 9000 1111 FAX 02 9000 1112"]],
  ["numbers to ring, some of it misread", ["P?ONE ?300 ?23 456", "T02 9000 1111", "M 0412 345 6?8"]],
  ["numbers of the register", ["ABN 51 824 753 556", "ACN 824 753 556"]],
  ["licences", ["MASTER BUILDERS MEMBER 204561", "QBCC 1098765", "LIC NO 123456C"]],
  ["a biller", ["BPAY", "BILLER CODE 123456", "REF 1234 5678 9012"]],
  ["an address", ["LEVEL 3 120 PITT STREET", "SYDNEY NSW 2000"]],
  ["local numbers without their words", ["?? 9000 1111", "??? 9000 1112"]],
  ["a date whose dots were not recognised, beside the number of an invoice", ["TAX INVOICE", "05249", "9 11 2026"]],
  ["an address for accounts", ["ACCOUNTS?HARBOUR", "02 9000 1111"]],
])("%s do not", (_, rows) => {
  expect(looksLikeAccount({ rows })).toBe(false);
});

test("the number under the bars of a code is none, and one in words beside bars is", () => {
  expect(looksLikeAccount({ rows: ["?123 1234567 89?"], hasBars: true })).toBe(false);
  expect(looksLikeAccount({ rows: ["BSB 063 111 ACC 99887766"], hasBars: true })).toBe(true);
});

test("what the page says itself is no other account, unless another stands beside it", () => {
  const known = [{ bsb: "062000", accountNumber: "12345678" }];
  expect(looksLikeAccount({ rows: ["BSB 062 000", "ACC 1234 5678"] }, known)).toBe(false);
  expect(looksLikeAccount({ rows: ["OLD 062 000 12345678", "NEW 063 111 99887766"] }, known)).toBe(true);
});

test.each([
  ["BSB and some digits", ["HA?ENT BSB ?3 111 A"]],
  ["words that ask to pay, and a number", ["PIEASE PAY", "W84?99", "06?59?4"]],
  ["strokes alone", ["IIIIIIII III", "?ILL LIL"]],
])("%s may be an account", (_, rows) => {
  expect(mayHoldAccount({ rows })).toBe(true);
});

test("a letterhead, bars, and what the page says itself are none", () => {
  expect(mayHoldAccount({ rows: ["HARBOUR JOINERY", "PH 02 9000 1111"] })).toBe(false);
  expect(mayHoldAccount({ rows: ["IIIIIIIIIIIIIIII"], hasBars: true })).toBe(false);
  expect(mayHoldAccount({ rows: ["BSB 062 000"] }, [{ bsb: "062000", accountNumber: "12345678" }])).toBe(false);
});

test("a row of digits is unsure where one was not recognised, and a number to ring is longer", () => {
  expect(isUnsureNumber("6Z5598?9")).toBe(true);
  expect(isUnsureNumber("67559819")).toBe(false);
  expect(isUnsureNumber("1300 12? 456")).toBe(false);
  expect(isUnsureNumber("REF 6755?819")).toBe(false);
});

test.each([
  [["OUR BANK DETA?IS HAVE CHANGED", "CAII 0412 345 678"], "new_bank_details_words"],
  [["0LD BANK D0 NOT USE"], "new_bank_details_words"],
  [["DO NOT U5E THI5 ACC0UNT"], "refused_account_words"],
  [["WE WIIL NEVER CHANGE OUR BANK DETA?IS"], undefined],
  [["HARBOUR JOINERY", "BANK STREET"], undefined],
])("what the words of a picture announce: %j", (rows, code) => {
  expect(findAnnounced(linesOfText(wordsIn({ rows })))[0]?.code).toBe(code);
});
