import { expect, test } from "vitest";
import type { PromotionBar } from "./promotion";
import { describeBar } from "./trusted-next.server";

const settings = {
  promotionMinSpanDays: 1,
  promotionMinDistinctDays: 3,
  promotionMinCents: 0,
  secondPersonRequired: false,
};

test.each([
  ["too_few_payments", "2 of 3 successful payments since its bank details last changed."],
  ["too_short_a_span", "Its payments do not yet span 1 day, which your policies require."],
  ["too_few_days", "Its payments do not yet fall on 3 days, which your policies require."],
  ["account_closed", "Its bank says that the account is closed. Ask the payee for new details."],
] satisfies [PromotionBar, string][])("%s is said as %s", (bar, sentence) => {
  expect(describeBar(bar, 2, settings)).toBe(sentence);
});

test("where not every payment counts, the sentence says which do", () => {
  const asked = { ...settings, promotionMinCents: 10_000, secondPersonRequired: true };
  expect(describeBar("too_few_payments", 2, asked)).toBe(
    "2 of 3 successful payments since its bank details last changed of $100.00 or more, reported by someone other than the person who recorded them.",
  );
});
