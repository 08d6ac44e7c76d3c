import { expect, test } from "vitest";
import { RULES } from "~/modules/rules";
import { HOLD_RULES } from "~/routes/_public+/how-it-works";

test("the public list of rules is what holds a payment of a new organisation", () => {
  const holding = RULES.filter(({ defaultLevel }) => defaultLevel === "hold").map(({ id }) => id);
  expect(Object.keys(HOLD_RULES)).toEqual(holding);
});
