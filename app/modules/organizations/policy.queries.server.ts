import { organizationPolicies } from "@db/schema";
import { eq } from "drizzle-orm";
import type { Services } from "~/services";
import { DEFAULT_POLICY, type Policy } from "./policy";

/** What the organisation has decided; the defaults where it has decided nothing. */
export async function findPolicy(services: Pick<Services, "db">, organizationId: string): Promise<Policy> {
  const [row] = await services.db
    .select({
      secondPersonRequired: organizationPolicies.secondPersonRequired,
      autoApproveExact: organizationPolicies.autoApproveExact,
      acceptVouching: organizationPolicies.acceptVouching,
      twoStepRequired: organizationPolicies.twoStepRequired,
      reverifyAfterMonths: organizationPolicies.reverifyAfterMonths,
      firstPaymentLimitCents: organizationPolicies.firstPaymentLimitCents,
      ruleLevels: organizationPolicies.ruleLevels,
      promotionMinSpanDays: organizationPolicies.promotionMinSpanDays,
      promotionMinDistinctDays: organizationPolicies.promotionMinDistinctDays,
      timeZone: organizationPolicies.timeZone,
    })
    .from(organizationPolicies)
    .where(eq(organizationPolicies.organizationId, organizationId));
  return row ?? DEFAULT_POLICY;
}
