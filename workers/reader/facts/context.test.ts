import { expect, test } from "vitest";
import { linesOfText } from "../layout/lines";
import { findLabels } from "./labels";
import { readPageFacts } from "./page-facts";

test("a long line with many labels does not keep the reader busy", () => {
  const lines = linesOfText("BSB 062-000 Account 12345678 ".repeat(400));
  const started = performance.now();
  expect(findLabels(lines)).toHaveLength(800);
  // If the line were split for each label, it would take more than ten seconds.
  expect(performance.now() - started).toBeLessThan(4_000);
});

test("a text with too many labels and numbers is refused instead of read for minutes", () => {
  const words = "BSB 062-000 Account 12345678";
  expect(() => readPageFacts(linesOfText(`${words} `.repeat(400)))).toThrow("too_slow");
  expect(readPageFacts(linesOfText(`${words}\n`.repeat(50))).accounts.length).toBeGreaterThan(0);
});
