import { expect, test } from "vitest";
import { scoreLook } from "./score-figure";

test.each([
  [100, "Exact", "verified"],
  [95, "Exact", "verified"],
  [94, "Very Strong", "pending"],
  [90, "Very Strong", "pending"],
  [89, "Strong", "pending"],
  [80, "Strong", "pending"],
  [79, "Moderate", "pending"],
  [70, "Moderate", "pending"],
  [69, "Weak", "review"],
  [50, "Weak", "review"],
  [49, "Poor", "review"],
  [0, "Poor", "review"],
])("a score of %i reads %s in the %s tone", (score, word, tone) => {
  expect(scoreLook(score)).toEqual({ word, tone });
});
