import { expect, test } from "vitest";
import { toMatchBadge } from "./types";

test.each([
  [100, "Exact"],
  [95, "Exact"],
  [94.9, "Very Strong"],
  [94, "Very Strong"],
  [90, "Very Strong"],
  [89, "Strong"],
  [80, "Strong"],
  [79, "Moderate"],
  [70, "Moderate"],
  [69, "Weak"],
  [50, "Weak"],
  [49, "Poor"],
  [0, "Poor"],
])("a score of %d has the badge %s", (score, badge) => {
  expect(toMatchBadge(score)).toBe(badge);
});
