import type { OrganizationRole } from "~/kernel/enums";
import type { FurtherFacts } from "~/modules/rules/facts";

/** What an organisation says of its own way of paying. */
export type PaymentLimits = {
  /** Integer cents; null: no limit. */
  memberLimitCents: number | null;
  adminLimitCents: number | null;
  workingHours: FurtherFacts["workingHours"];
};

export const NO_LIMITS: PaymentLimits = { memberLimitCents: null, adminLimitCents: null, workingHours: null };

/** How much this role may approve of one payment, in cents; null: any amount. */
export function approvalLimitOf(limits: PaymentLimits, role: OrganizationRole | null): number | null {
  return role === "admin" ? limits.adminLimitCents : limits.memberLimitCents;
}
