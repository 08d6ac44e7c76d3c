import { expect, test } from "vitest";
import { type Char, linesOfText } from "../layout/lines";
import { findCovered } from "./covered-amounts";

/** Amounts that were typed over other digits. */

/** @param under the digit under the first one of the amount */
function coveredIn(text: string, under: string, isHidden = true) {
  const lines = linesOfText(text);
  const over = lines[0]?.chars.find((char) => char?.text === "1") as Char;
  return findCovered(lines, [{ ...over, text: under, isHidden, isOverlapped: true }]);
}

test("a digit that an amount was typed over", () => {
  expect(coveredIn("Total\t\t\t$13,238.79", "4")).toMatchObject([{ code: "text_over_text", digits: "4" }]);
});

test.each([
  ["the same digit", "Total\t\t\t$13,238.79", "1", true],
  ["a digit that is seen", "Total\t\t\t$13,238.79", "4", false],
  ["a number that is no amount", "Job\t\t\t1323879", "4", true],
])("%s is none", (_, text, under, isHidden) => {
  expect(coveredIn(text, under, isHidden)).toEqual([]);
});
