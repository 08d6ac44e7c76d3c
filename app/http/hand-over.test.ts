import { expect, test } from "vitest";
import { isJson } from "./hand-over";

/** As `encode` of turbo-stream writes them. */
test.each([
  ["a row", '[{"_1":2,"_3":-5,"_4":-7},"id","7","note","bank"]\n', true],
  ["an empty list and an amount", '[{"_1":2,"_3":4},"rows",[],"cents",-1050]\n', true],
  ["a number that looks like a sign for none", '[{"_1":2},"cents",-2]\n', false],
  ["a date", '[{"_1":2},"at",["D",1764208800000]]\n', false],
  ["a set", '[{"_1":2},"ids",["S",3],"a"]\n', false],
  ["not a number", '[{"_1":-2},"score"]\n', false],
  ["nothing in a list", '[{"_1":2},"rows",[-7,3],"a"]\n', false],
  ["what arrives later", '[{"_1":2},"later",["P",2]]\nP2:[3]\n', false],
])("%s is JSON: %3$s", (_, encoded, expected) => {
  expect(isJson(encoded)).toBe(expected);
});
