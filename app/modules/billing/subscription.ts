import type { SUBSCRIPTION_STATUSES } from "~/kernel/enums";

type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** Statuses that the specification (section 4) counts as live. */
const LIVE: ReadonlySet<SubscriptionStatus> = new Set(["active", "trialing"] as const);

/** A subscription was never paid for, so the organisation's own trial still runs. */
const NEVER_PAID: ReadonlySet<SubscriptionStatus> = new Set(["incomplete", "incomplete_expired"] as const);

/**
 * Whether an organisation may open verifications, record payments and start bank checks: its subscription is active or
 * trialing, or it has never paid for one and its own trial has not ended.
 *
 * @param now epoch milliseconds; the trial is over at `trialEndsAt` itself
 */
export function isLive(
  organization: { subscriptionStatus: SubscriptionStatus | null; trialEndsAt: number | null },
  now: number,
): boolean {
  const { subscriptionStatus, trialEndsAt } = organization;
  if (subscriptionStatus !== null && LIVE.has(subscriptionStatus)) return true;
  const mayTry = subscriptionStatus === null || NEVER_PAID.has(subscriptionStatus);
  return mayTry && trialEndsAt !== null && now < trialEndsAt;
}
