import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAccountNumber, sameAccountNumber } from "~/kernel/bank-account";
import { accountText, payeeText, spellingsOf } from "./payee-keys";

const bsb = fc.stringMatching(/^\d{6}$/);
const number = fc.stringMatching(/^\d{4,9}$/).filter((digits) => /[1-9]/.test(digits));

test("two account numbers give the same text exactly when they are one account", () => {
  fc.assert(
    fc.property(bsb, number, number, (of, a, b) => {
      const same = accountText({ bsb: of, accountNumber: a }) === accountText({ bsb: of, accountNumber: b });
      expect(same).toBe(sameAccountNumber(a, b));
    }),
  );
});

test("the account and the payee never share a text, so neither digest says anything of the other", () => {
  const payee = { bsb: "062000", accountNumber: "12345678", accountName: "" };
  expect(payeeText(payee)).not.toBe(accountText(payee));
});

test.each([
  ["Acme Pty Ltd", "ACME  PTY LTD", true],
  ["Žofie Øst", "zofie ost", true],
  ["Acme Pty Ltd", "Acme Pty", false],
  ["Acme & Sons", "Acme and Sons", false],
])("the hash takes %s and %s for one name: %s", (a, b, same) => {
  const account = { bsb: "062000", accountNumber: "12345678" };
  expect(payeeText({ ...account, accountName: a }) === payeeText({ ...account, accountName: b })).toBe(same);
});

test("the spellings of a number are all it may have been stored as", () => {
  expect(spellingsOf("0012345")).toEqual(["12345", "012345", "0012345", "00012345", "000012345"]);
  expect(spellingsOf("0001")).toEqual(["0001", "00001", "000001", "0000001", "00000001", "000000001"]);
  expect(spellingsOf("123456789")).toEqual(["123456789"]);
});

test("a number is among its own spellings, each is a valid number of the same account", () => {
  fc.assert(
    fc.property(number, (digits) => {
      const spellings = spellingsOf(digits);
      expect(spellings).toContain(digits);
      for (const spelling of spellings) {
        expect(parseAccountNumber(spelling)).toBe(spelling);
        expect(sameAccountNumber(spelling, digits)).toBe(true);
      }
    }),
  );
});
