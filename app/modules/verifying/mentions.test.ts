import { expect, test } from "vitest";
import { findMentions } from "./comment.server";

const people = ["Maria Costa", "Maria Costas", "Dana Wu", "Ana Silva", "Sam O'Neil"].map((name) => ({
  userId: name,
  name,
}));

test.each<[string, string[], string[]]>([
  ["No mention at all", [], []],
  ["@Dana Wu please look", ["Dana Wu"], []],
  ["@dana: please look", ["Dana Wu"], []],
  ["Ask (@Ana Silva) and @DANA.", ["Dana Wu", "Ana Silva"], []],
  ["@Maria Costa called", ["Maria Costa"], []],
  ["@Maria Costas called", ["Maria Costas"], []],
  ["@Sam O'Neil, @Sam", ["Sam O'Neil"], []],
  ["@Maria called", [], ["Maria"]],
  ["@Danaher called", [], ["Danaher"]],
  ["@Nobody and @Dana", ["Dana Wu"], ["Nobody"]],
  ["write to dana@example.com, 5 @ 3 dollars", [], []],
])("%j", (text, names, unknown) => {
  const found = findMentions(text, people);
  expect(found.people.map(({ name }) => name)).toEqual(names);
  expect(found.unknown).toEqual(unknown);
});
