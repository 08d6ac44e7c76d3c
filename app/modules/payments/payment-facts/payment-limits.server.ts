import { paymentFileSettings } from "@db/schema";
import { eq } from "drizzle-orm";
import type { OrganizationRole } from "~/kernel/enums";
import { dueChanges, withDue } from "~/modules/accounts/organizations/policy-changes.server";
import type { FurtherFacts } from "~/modules/rules/facts";
import type { TimedServices } from "~/services";

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

type Columns = Pick<
  typeof paymentFileSettings.$inferSelect,
  "memberLimitCents" | "adminLimitCents" | "opensAtMinute" | "closesAtMinute" | "worksWeekends"
> & {
  /** Limits and hours that were to wait and are due. */
  due: string;
};

/** The organisation's approval limits and working hours; none where it has chosen nothing. */
export async function findPaymentLimits({ db, clock }: TimedServices, organizationId: string): Promise<PaymentLimits> {
  const [row] = await db
    .select({
      memberLimitCents: paymentFileSettings.memberLimitCents,
      adminLimitCents: paymentFileSettings.adminLimitCents,
      opensAtMinute: paymentFileSettings.opensAtMinute,
      closesAtMinute: paymentFileSettings.closesAtMinute,
      worksWeekends: paymentFileSettings.worksWeekends,
      due: dueChanges(paymentFileSettings.organizationId, clock.now()),
    })
    .from(paymentFileSettings)
    .where(eq(paymentFileSettings.organizationId, organizationId));
  return row ? toPaymentLimits(row) : NO_LIMITS;
}

export function toPaymentLimits(row: Columns): PaymentLimits {
  const { memberLimitCents, adminLimitCents, opensAtMinute, closesAtMinute, worksWeekends } = row;
  const workingHours =
    opensAtMinute === null || closesAtMinute === null ? null : { opensAtMinute, closesAtMinute, worksWeekends };
  return withDue({ memberLimitCents, adminLimitCents, workingHours }, row.due);
}
