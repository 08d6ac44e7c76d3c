import { expect, test } from "vitest";
import { SUBSCRIPTION_STATUSES } from "~/kernel/enums";
import { isLive } from "./subscription";

const NOW = 1_000_000;
const during = { trialEndsAt: NOW + 1 };
const after = { trialEndsAt: NOW };

test("an organisation in its own trial is live, and is not from the instant the trial ends", () => {
  expect(isLive({ subscriptionStatus: null, ...during }, NOW)).toBe(true);
  expect(isLive({ subscriptionStatus: null, ...after }, NOW)).toBe(false);
  expect(isLive({ subscriptionStatus: null, trialEndsAt: null }, NOW)).toBe(false);
});

test("after the trial only an active or trialing subscription is live", () => {
  const live = SUBSCRIPTION_STATUSES.filter((subscriptionStatus) => isLive({ subscriptionStatus, ...after }, NOW));
  expect(live).toEqual(["active", "trialing"]);
});

test("a first payment that was never finished does not end the trial, a subscription that lapsed does", () => {
  const live = SUBSCRIPTION_STATUSES.filter((subscriptionStatus) => isLive({ subscriptionStatus, ...during }, NOW));
  expect(live).toEqual(["active", "trialing", "incomplete", "incomplete_expired"]);
});
