import { expect, test } from "vitest";
import { isExactMatch, prepareName } from "../match-names";
import { hasLetters } from "./rule-out-exact";
import { setOf } from "./spelling";

const certain = (name: string) => prepareName(name).certainLetters();

test.each([
  ["unknown words", "Zorp Quix", "zorpquix"],
  ["well-known words without short forms", "Zorp Smith", "zorpsmith"],
  ["no legal form", "Zorp Pty Ltd", "zorp"],
  ["no word with a short form", "Zorp Street", "zorp"],
  ["no word that several words stand for", "Zorp New Zealand", "zorp"],
  ["no short form", "Zorp Assoc", "zorp"],
  ["no number", "Zorp Two", "zorp"],
  ["no initials", "J Zorp", "zorp"],
  ["no word beside half of a form that may be the other half", "Zorp Lmited Pty", "zorp"],
  ["nothing of a name that is read as what it imitates", "\u0410cme Zorp", ""],
])("every exact match has the letters of %s: %j", (_, name, letters) => {
  expect(certain(name)).toBe(setOf(letters));
});

test.each([
  ["Zorp", true],
  ["z.o-r p", true],
  ["Zorb", false],
  ["Zor\u03c1", true],
  ["Z".repeat(21), true],
])("%j can have the letters of a name: %s", (text, can) => {
  expect(hasLetters(text, setOf("zorp"), 20)).toBe(can);
});

test.each([
  ["Zorp & Sons", "zorp and sons", true],
  ["Zorp New Zealand", "ZORP NZ", true],
  ["Zorp Street", "Zorp St", true],
  ["O'Hara Quix", "OHARA QUIX", true],
  ["ABC Quix", "A.B.C. Quix", true],
  ["Zoe Quix", "Zo\u00eb Quix", true],
  ["Zorp", "Zorp Quix", false],
  ["Zorp Quix", "Zorp", false],
  ["n/a", "n/a", false],
])("%j and %j are an exact match: %s", (a, b, isExact) => {
  expect([isExactMatch(prepareName(a), b), isExactMatch(prepareName(b), a)]).toEqual([isExact, isExact]);
});
