import { paymentFileSettings } from "@db/schema";
import { eq } from "drizzle-orm";
import { dueChanges, withDue } from "~/modules/accounts/organizations/policy-changes.server";
import { NO_LIMITS, type PaymentLimits } from "~/modules/payments/approval-limits";
import type { TimedServices } from "~/services";

type Columns = Pick<
  typeof paymentFileSettings.$inferSelect,
  "memberLimitCents" | "adminLimitCents" | "opensAtMinute" | "closesAtMinute" | "worksWeekends"
> & {
  /** JSON of delayed changes of limits and hours that are now due. */
  due: string;
};

/** The organisation's approval limits and working hours; no limits if it has set none. */
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
