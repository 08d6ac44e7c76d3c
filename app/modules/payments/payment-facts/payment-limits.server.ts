import { paymentFileSettings } from "@db/schema";
import { eq } from "drizzle-orm";
import type { ReadServices } from "~/services";
import { NO_LIMITS, type PaymentLimits } from "./payment-limits";

type Columns = Pick<
  typeof paymentFileSettings.$inferSelect,
  "memberLimitCents" | "adminLimitCents" | "opensAtMinute" | "closesAtMinute" | "worksWeekends"
>;

/** The organisation's approval limits and working hours; none where it has chosen nothing. */
export async function findPaymentLimits({ db }: ReadServices, organizationId: string): Promise<PaymentLimits> {
  const [row] = await db
    .select({
      memberLimitCents: paymentFileSettings.memberLimitCents,
      adminLimitCents: paymentFileSettings.adminLimitCents,
      opensAtMinute: paymentFileSettings.opensAtMinute,
      closesAtMinute: paymentFileSettings.closesAtMinute,
      worksWeekends: paymentFileSettings.worksWeekends,
    })
    .from(paymentFileSettings)
    .where(eq(paymentFileSettings.organizationId, organizationId));
  return row ? toPaymentLimits(row) : NO_LIMITS;
}

export function toPaymentLimits(row: Columns): PaymentLimits {
  const { memberLimitCents, adminLimitCents, opensAtMinute, closesAtMinute, worksWeekends } = row;
  const workingHours =
    opensAtMinute === null || closesAtMinute === null ? null : { opensAtMinute, closesAtMinute, worksWeekends };
  return { memberLimitCents, adminLimitCents, workingHours };
}
