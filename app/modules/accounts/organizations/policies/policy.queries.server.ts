import { prepared } from "@db/prepared";
import { organizationPolicies } from "@db/schema";
import { eq, sql } from "drizzle-orm";
import type { ReadServices } from "~/services";
import { DEFAULT_POLICY, type Policy } from "./policy";

/** What the organisation has decided; the defaults where it has decided nothing. */
export async function findPolicy(services: ReadServices, organizationId: string): Promise<Policy> {
  return (await findPolicyState(services, organizationId)).policy;
}

/** The policies, and which state of them this is: 0 while the organisation has decided nothing. */
export async function findPolicyState(
  services: ReadServices,
  organizationId: string,
): Promise<{ policy: Policy; version: number }> {
  const [row] = await policyOf(services.db).all({ organizationId });
  if (!row) return { policy: DEFAULT_POLICY, version: 0 };
  const { updatedAt, ...policy } = row;
  return { policy, version: updatedAt };
}

const policyOf = prepared((db) =>
  db
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
      approvalEvidence: organizationPolicies.approvalEvidence,
      timeZone: organizationPolicies.timeZone,
      updatedAt: organizationPolicies.updatedAt,
    })
    .from(organizationPolicies)
    .where(eq(organizationPolicies.organizationId, sql.placeholder("organizationId")))
    .prepare(),
);
