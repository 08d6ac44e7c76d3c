import { expect, test } from "vitest";
import { initialsOf } from "~/components/ui/avatar";

test.each([
  ["Maria", "Costa", "MC"],
  ["maria", null, "M"],
  [" Ó", "Briain", "ÓB"],
  ["", "", ""],
])("%s %s has the initials %s", (first, last, initials) => {
  expect(initialsOf(first, last)).toBe(initials);
});
