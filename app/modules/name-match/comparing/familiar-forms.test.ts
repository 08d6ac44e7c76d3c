import { expect, test } from "vitest";
import { aWord } from "../testing";
import { areFormsByEnding } from "./familiar-forms";

test.each([
  ["gwennie", "gwendolyn", true],
  ["maddy", "madeline", true],
  ["maddey", "madeline", true],
  ["clary", "clarissa", true],
  ["roslyn", "rosalind", true],
  ["roslyn", "rosalynne", true],
  ["madelyn", "madeline", true],
  ["gwendoline", "gwendolyn", true],
  ["carly", "carl", false],
  ["kelly", "kelvin", false],
  ["sally", "salvatore", false],
  ["zebbie", "zebulon", false],
  ["gwennie", "elizabeth", false],
  ["gwend", "gwendolyn", false],
  ["gwy", "gwendolyn", false],
  ["clabie", "clarissa", false],
  ["clary", "clara", false],
  ["davvie", "david", true],
  ["ebbie", "ebony", false],
  ["rosslyn", "roslyn", false],
  ["adalyn", "adelyn", false],
  ["marlon", "marilyn", false],
  ["carolyn", "marilyn", false],
  ["evelyn", "eveline", true],
  ["colin", "collin", false],
])("%j and %j are forms of one name: %s", (a, b, are) => {
  expect(areFormsByEnding(aWord(a), aWord(b))).toBe(are);
  expect(areFormsByEnding(aWord(b), aWord(a))).toBe(are);
});
