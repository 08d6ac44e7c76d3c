import type { SubscriptionStatus } from "~/kernel/enums";
import { isLiveStatus } from "./subscription-status";

type Trialling = {
  trialEndsAt: number | null;
  /** When the first invoice was paid; null: nothing has ever been paid. */
  firstPaidAt: number | null;
};

/**
 * Whether the organisation's own trial still runs. A payment ends it; an attempt to pay that failed does not.
 *
 * @param now epoch milliseconds; the trial is over at `trialEndsAt` itself
 */
export const isInTrial = ({ trialEndsAt, firstPaidAt }: Trialling, now: number): boolean =>
  firstPaidAt === null && trialEndsAt !== null && now < trialEndsAt;

/** Whether an organisation may open verifications, record payments and start bank checks. */
export const isLive = (
  organization: Trialling & { subscriptionStatus: SubscriptionStatus | null },
  now: number,
): boolean => isLiveStatus(organization.subscriptionStatus) || isInTrial(organization, now);
