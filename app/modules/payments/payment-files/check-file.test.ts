import { expect, test } from "vitest";
import { sumRules } from "./check-file.server";

test("rules of lines are summed by rule and level, the most frequent first", () => {
  const written = [{ rule: "duplicate", level: "hold", count: 3 }];
  const last = [
    { rule: "round_amount", level: "warn" },
    { rule: "duplicate", level: "hold" },
    { rule: "duplicate", level: "warn" },
  ];
  expect(sumRules([...written, ...last])).toEqual([
    { rule: "duplicate", level: "hold", count: 4 },
    { rule: "duplicate", level: "warn", count: 1 },
    { rule: "round_amount", level: "warn", count: 1 },
  ]);
  expect(sumRules([])).toEqual([]);
});
