import { expect, test } from "vitest";
import { SUBSCRIPTION_STATUSES } from "~/kernel/enums";
import { isLive } from "./subscription";

const NOW = 1_000_000;
const during = { trialEndsAt: NOW + 1, firstPaidAt: null };
const after = { trialEndsAt: NOW, firstPaidAt: null };
const paid = { trialEndsAt: NOW + 1, firstPaidAt: NOW - 1 };

const liveWith = (trial: typeof during | typeof paid) =>
  SUBSCRIPTION_STATUSES.filter((subscriptionStatus) => isLive({ subscriptionStatus, ...trial }, NOW));

test("an organisation in its own trial is live, and is not from the instant the trial ends", () => {
  expect(isLive({ subscriptionStatus: null, ...during }, NOW)).toBe(true);
  expect(isLive({ subscriptionStatus: null, ...after }, NOW)).toBe(false);
  expect(isLive({ subscriptionStatus: null, trialEndsAt: null, firstPaidAt: null }, NOW)).toBe(false);
});

test("after the trial only an active or trialing subscription is live", () => {
  expect(liveWith(after)).toEqual(["active", "trialing"]);
});

test("until something was paid the trial stands, whatever became of an attempt to pay", () => {
  expect(liveWith(during)).toEqual([...SUBSCRIPTION_STATUSES]);
});

test("once an invoice was paid there is no trial", () => {
  expect(liveWith(paid)).toEqual(["active", "trialing"]);
});
