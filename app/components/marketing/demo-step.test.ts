import { expect, test } from "vitest";
import { DEMO_STEPS, parseDemoStep } from "./demo-card";

test("the demo has four steps and starts at the third", () => {
  expect(DEMO_STEPS).toHaveLength(4);
  expect(parseDemoStep(null)).toBe(3);
});

test.each([
  ["1", 1],
  ["2", 2],
  ["4", 4],
  ["3", 3],
  ["0", 3],
  ["5", 3],
  ["2.5", 3],
  ["two", 3],
  ["", 3],
])("?step=%s shows step %i", (text, step) => {
  expect(parseDemoStep(text)).toBe(step);
});
