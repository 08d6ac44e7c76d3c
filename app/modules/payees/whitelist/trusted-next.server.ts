import { payees } from "@db/schema";
import { and, desc, eq, sql } from "drizzle-orm";
import { findPolicy } from "~/modules/accounts/organizations/policies/policy.server";
import type { ReadServices } from "~/services";
import { decidePromotion, type PaidPayment } from "./promotion";
import { type LatestVerification, promotionFacts } from "./promotion.server";
import { describeBar } from "./trusted-next";

/** Payees that the page shows, those with the most payments first. */
const MAX_SHOWN = 100;

export type TrustedNext = {
  id: string;
  name: string;
  paymentCount: number;
  /** Nothing is missing: the next run of the schedule whitelists it. */
  isDue: boolean;
  /** What is missing, or the reason that the whitelist will show. */
  sentence: string;
};

/** Payees that are paid and not whitelisted, and what each still lacks. A bounded number of rows each. */
export async function listTrustedNext(services: ReadServices, organizationId: string): Promise<TrustedNext[]> {
  const { db } = services;
  const [policy, rows] = await Promise.all([
    findPolicy(services, organizationId),
    db
      .select({
        id: payees.id,
        name: payees.name,
        paymentCount: payees.paymentCount,
        whitelisted: payees.whitelisted,
        disputedAt: payees.disputedAt,
        draftSince: payees.draftSince,
        takenOffWhitelistAt: payees.takenOffWhitelistAt,
        ...promotionFacts,
      })
      .from(payees)
      // Written out, not bound: the database then knows that its partial index serves.
      .where(and(eq(payees.organizationId, organizationId), sql`"whitelisted" = 0 AND "paymentCount" > 0`))
      .orderBy(desc(payees.paymentCount), desc(payees.id))
      .limit(MAX_SHOWN),
  ]);
  return rows
    .map(({ hasOpenHold, hasFailedPayment, latestVerification, successes, ...payee }) => {
      const paid = JSON.parse(successes) as PaidPayment[];
      const subject = {
        ...payee,
        hasOpenHold: hasOpenHold === 1,
        hasFailedPayment: hasFailedPayment === 1,
        latestVerification: latestVerification === null ? null : (JSON.parse(latestVerification) as LatestVerification),
        successes: paid,
      };
      const decision = decidePromotion(subject, policy);
      const { id, name, paymentCount } = payee;
      const sentence = decision.promote ? decision.reason : describeBar(decision.because, paid.length, policy);
      return { id, name, paymentCount, isDue: decision.promote, sentence };
    })
    .sort((a, b) => Number(b.isDue) - Number(a.isDue));
}
