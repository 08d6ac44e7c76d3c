import { expect, test } from "vitest";
import { linesOfText } from "../layout/lines";
import { findLabels } from "./labels";

test("a long line with many labels does not keep the reader busy", () => {
  const lines = linesOfText("BSB 062-000 Account 12345678 ".repeat(400));
  const started = performance.now();
  expect(findLabels(lines)).toHaveLength(800);
  // If the line were split for each label, it would take more than ten seconds.
  expect(performance.now() - started).toBeLessThan(4_000);
});
