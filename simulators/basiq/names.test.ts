import fc from "fast-check";
import { expect, test } from "vitest";
import { asBankWrites, closeForm, unrelatedName } from "./names";

const WORD = fc.stringMatching(/^[A-Za-z]{2,10}$/);
const NAME = fc.array(WORD, { minLength: 1, maxLength: 5 }).map((words) => words.join(" "));

test.each([
  ["Acme Pty Ltd", "ACME"],
  ["Harbour Print Co.", "HARBOUR PRINT"],
  ["Jane  Citizen", "J CITIZEN"],
  ["Jane Mary Citizen", "J MARY CITIZEN"],
  ["J Citizen", "J CIITZEN"],
  ["Smith & Sons", "SIMTH & SONS"],
  ["Riverbend Bakery", "RIVREBEND BAKERY"],
  ["Mary-Jane Watson", "MARY-JANE WASTON"],
  ["AA", "AAA"],
])("a close form of %s is %s", (name, close) => {
  expect(closeForm(name)).toBe(close);
});

test("a close form is never the name itself", () => {
  fc.assert(
    fc.property(NAME, (name) => {
      expect(closeForm(name)).not.toBe(asBankWrites(name));
    }),
  );
});

test("an unrelated name shares no word with the name, legal forms aside", () => {
  const names = fc.oneof(NAME, fc.constantFrom("Meridian Supplies", "Oluwaseun Smith", "Tamarisk Meridian Brandtzaeg"));
  fc.assert(
    fc.property(names, (name) => {
      const words = new Set(asBankWrites(name).split(" "));
      const shared = unrelatedName(name)
        .split(" ")
        .filter((word) => words.has(word) && word !== "PTY" && word !== "LTD");
      expect(shared).toEqual([]);
    }),
  );
});
