import fc from "fast-check";
import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "~/kernel/dates";
import { CHECK_OUTCOMES, VERIFICATION_STATUSES } from "~/kernel/enums";
import { decidePromotion, type PaidPayment, type PromotionCase } from "./promotion";

const START = Date.UTC(2026, 10, 2, 2, 0);
const ANY = {
  promotionMinSpanDays: 0,
  promotionMinDistinctDays: 0,
  timeZone: "Australia/Sydney",
  promotionMinCents: 0,
  secondPersonRequired: false,
};

const paid = (n: number, processedAt = START + n * DAY_MS): PaidPayment => ({
  id: `id-${n}`,
  reference: `INV-${n}`,
  amount: 120_000 + n,
  processedAt,
});

const EARNED: PromotionCase = {
  whitelisted: false,
  disputedAt: null,
  draftSince: null,
  takenOffWhitelistAt: null,
  hasOpenHold: false,
  hasFailedPayment: false,
  latestVerification: { status: "verified", outcome: "match" },
  successes: [paid(1), paid(2), paid(3)],
};

const barOf = (given: Partial<PromotionCase>, settings: Partial<typeof ANY> = {}) => {
  const decision = decidePromotion({ ...EARNED, ...given }, { ...ANY, ...settings });
  return decision.promote ? "promoted" : decision.because;
};

const verification = (
  status: NonNullable<PromotionCase["latestVerification"]>["status"],
  outcome: NonNullable<PromotionCase["latestVerification"]>["outcome"] = null,
) => ({ latestVerification: { status, outcome } });

test.each([
  ["three successful payments", {}, "promoted"],
  ["two successful payments", { successes: [paid(1), paid(2)] }, "too_few_payments"],
  ["no payment", { successes: [] }, "too_few_payments"],
  ["a payee on the whitelist", { whitelisted: true }, "already_whitelisted"],
  ["a dispute", { disputedAt: START }, "disputed"],
  ["details from a link that no person accepted", { draftSince: START }, "draft"],
  ["taken off by hand, and nobody decided since", { takenOffWhitelistAt: START }, "taken_off_by_hand"],
  ["an open hold", { hasOpenHold: true }, "open_hold"],
  ["a failed payment among them", { hasFailedPayment: true }, "failed_payment"],
  ["a rejected verification", verification("rejected", "match"), "verification_rejected"],
  ["a closed account", verification("failed", "account_closed"), "account_closed"],
  ["a check that failed otherwise", verification("failed", "consent_refused"), "promoted"],
  ["a verification that still waits", verification("pending"), "promoted"],
  ["no verification at all", { latestVerification: null }, "promoted"],
] as const)("%s: %s", (_, given, expected) => {
  expect(barOf(given)).toBe(expected);
});

test("the span runs from the first to the last payment, to the millisecond", () => {
  expect(barOf({}, { promotionMinSpanDays: 2 })).toBe("promoted");
  expect(barOf({ successes: [paid(1, START + DAY_MS + 1), paid(2), paid(3)] }, { promotionMinSpanDays: 2 })).toBe(
    "too_short_a_span",
  );
});

test("days are counted in the organisation's time zone", () => {
  // 2 November 2026, 13:00 UTC is midnight in Sydney and 9 pm in Perth.
  const midnight = Date.UTC(2026, 10, 2, 13);
  const successes = [paid(1, midnight - HOUR_MS), paid(2, midnight - 1), paid(3, midnight)];
  const settings = { promotionMinDistinctDays: 2 };
  expect(barOf({ successes }, settings)).toBe("promoted");
  expect(barOf({ successes }, { ...settings, timeZone: "Australia/Perth" })).toBe("too_few_days");
});

test("the reason names the last payments and says how many there were", () => {
  const three = decidePromotion(EARNED, ANY);
  expect(three).toMatchObject({
    promote: true,
    reason:
      "3 successful payments since the bank details last changed: INV-1 ($1,200.01, 3 Nov 2026); INV-2 ($1,200.02, 4 Nov 2026); INV-3 ($1,200.03, 5 Nov 2026)",
  });
  const five = decidePromotion({ ...EARNED, successes: [paid(5), paid(4), paid(3), paid(2), paid(1)] }, ANY);
  expect(five).toMatchObject({
    promote: true,
    reason: expect.stringMatching(/^5 .* changed, the last of them: INV-3 .*; INV-4 .*; INV-5 /),
  });
});

const anyCase = fc.record<PromotionCase>({
  whitelisted: fc.boolean(),
  disputedAt: fc.option(fc.constant(START), { nil: null }),
  draftSince: fc.option(fc.constant(START), { nil: null }),
  takenOffWhitelistAt: fc.option(fc.constant(START), { nil: null }),
  hasOpenHold: fc.boolean(),
  hasFailedPayment: fc.boolean(),
  latestVerification: fc.option(
    fc.record({
      status: fc.constantFrom(...VERIFICATION_STATUSES),
      outcome: fc.option(fc.constantFrom(...CHECK_OUTCOMES), { nil: null }),
    }),
    { nil: null },
  ),
  successes: fc.array(
    fc.integer({ min: 0, max: 40 }).map((n) => paid(n)),
    { maxLength: 8 },
  ),
});

test("a promoted payee has three payments and no reason against promotion", () => {
  fc.assert(
    fc.property(anyCase, (subject) => {
      const decision = decidePromotion(subject, ANY);
      if (!decision.promote) return;
      expect(decision.payments.length).toBeGreaterThanOrEqual(3);
      expect(subject).toMatchObject({
        whitelisted: false,
        disputedAt: null,
        draftSince: null,
        takenOffWhitelistAt: null,
        hasOpenHold: false,
        hasFailedPayment: false,
      });
    }),
  );
});

test("one more success never takes a promotion away, and stricter settings never give one", () => {
  fc.assert(
    fc.property(anyCase, fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 9 }), (subject, span, days) => {
      const before = decidePromotion(subject, ANY).promote;
      const more = { ...subject, successes: [...subject.successes, paid(41)] };
      expect(before && !decidePromotion(more, ANY).promote).toBe(false);
      const strict = { ...ANY, promotionMinSpanDays: span, promotionMinDistinctDays: days };
      expect(!before && decidePromotion(subject, strict).promote).toBe(false);
    }),
  );
});

test("three one-cent payments, recorded and reported by one clerk, whitelist nothing where a second person is required", () => {
  const successes = EARNED.successes.map((payment) => ({ ...payment, amount: 1, isOwnReport: true }));
  expect(barOf({ successes }, { secondPersonRequired: true })).toBe("too_few_payments");
  expect(barOf({ successes })).toBe("promoted");
  const others = successes.map((payment) => ({ ...payment, isOwnReport: false }));
  expect(barOf({ successes: others }, { secondPersonRequired: true })).toBe("promoted");
});

test("payments under the least amount do not count, and those of just that amount do", () => {
  const of = (amount: number) => EARNED.successes.map((payment) => ({ ...payment, amount }));
  expect(barOf({ successes: of(9_999) }, { promotionMinCents: 10_000 })).toBe("too_few_payments");
  expect(barOf({ successes: of(10_000) }, { promotionMinCents: 10_000 })).toBe("promoted");
});
