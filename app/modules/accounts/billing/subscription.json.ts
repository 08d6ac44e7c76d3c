import { toIso } from "~/kernel/dates";
import type { SubscriptionStatus } from "~/kernel/enums";

const toIsoOrNull = (ms: number | null) => (ms === null ? null : toIso(ms));

type Account = {
  status: SubscriptionStatus | null;
  currentPeriodEnd: number | null;
  cancelAtPeriodEnd: boolean | null;
  trialEndsAt: number | null;
};

/** The answer of GET /api/billing/subscription. */
export function toSubscriptionJson({ status, currentPeriodEnd, cancelAtPeriodEnd, trialEndsAt }: Account) {
  return {
    success: true,
    subscription: status && {
      status,
      currentPeriodEnd: toIsoOrNull(currentPeriodEnd),
      cancelAtPeriodEnd: cancelAtPeriodEnd ?? false,
    },
    trialEndsAt: toIsoOrNull(trialEndsAt),
  };
}

/** The answer of POST /api/billing/create-subscription. No secret where there is nothing to pay. */
export function toSubscribingJson({
  status,
  payment,
}: {
  status: SubscriptionStatus;
  payment: { clientSecret: string } | null;
}) {
  return { success: true, subscription: { status, clientSecret: payment?.clientSecret ?? null } };
}
