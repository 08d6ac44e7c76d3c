import { accountingPayments, auditLogs, organizationPolicies, payees, paymentRecords, verifications } from "@db/schema";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { CheckOutcome, VerificationStatus } from "~/kernel/enums";
import { DEFAULT_POLICY } from "~/modules/accounts/organizations/policies/policy";
import type { ReadServices } from "~/services";
import { type PaidPayment, PROMOTION_MAX_PAYMENTS, PROMOTION_MIN_PAYMENTS } from "./promotion";

export const PROMOTION_PAGE_SIZE = 100;

/** An accounting system said that it was paid, and has deleted that since: it earns nothing. */
const isDeletedThere = sql`EXISTS (SELECT 1 FROM ${accountingPayments} AS there
  WHERE there."organizationId" = ${payees.organizationId} AND there."recordId" = ${paymentRecords}."id" AND there."state" = 'deleted')`;

const isPayees = sql`"organizationId" = ${payees.organizationId} AND "payeeId" = ${payees.id}`;

/** Payments before this say nothing: the details or the name changed, or a person took the trust away. */
const countsSince = sql`max(coalesce(${payees.bankDetailsChangedAt}, -1), coalesce(${payees.renamedAt}, -1), coalesce((SELECT "createdAt" FROM ${auditLogs}
  WHERE "organizationId" = ${payees.organizationId} AND "entityType" = 'payee' AND "entityId" = ${payees.id}
  AND "action" = 'payee.unwhitelisted' ORDER BY "position" DESC LIMIT 1), -1))`;

/**
 * Facts of a payee as conditions and columns of a query on `payees`. The plus keeps a column off its index: the payee is
 * what to start from.
 */
export const promotionFacts = {
  hasOpenHold: sql<number>`EXISTS (SELECT 1 FROM ${paymentRecords}
    WHERE ${isPayees} AND "status" IN ('held', 'verification_requested'))`,
  hasFailedPayment: sql<number>`EXISTS (SELECT 1 FROM ${paymentRecords}
    WHERE ${isPayees} AND "status" = 'failed' AND +"createdAt" > ${countsSince})`,
  latestVerification: sql<string | null>`(SELECT json_object('id', "id", 'status', "status", 'outcome', "outcome")
    FROM ${verifications} WHERE ${isPayees} ORDER BY "id" DESC LIMIT 1)`,
  successes: sql<string>`(SELECT json_group_array(json_object('id', "id", 'reference', "reference", 'amount', "amount",
      'processedAt', "processedAt"))
    FROM (SELECT "id", "reference", "amount", "processedAt" FROM ${paymentRecords}
      WHERE ${isPayees} AND "status" = 'successful' AND +"createdAt" > ${countsSince} AND NOT ${isDeletedThere}
      ORDER BY "id" DESC LIMIT ${PROMOTION_MAX_PAYMENTS}) AS walk)`,
};

/** Those of these payees that may have earned their place. */
export const listCandidatesAmong = (services: ReadServices, ids: readonly string[]) =>
  listCandidates(services, sql`${payees.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);

/** One page of the walk over all payees of every organisation that may have earned their place, by id. */
export const listCandidatesAfter = (services: ReadServices, id: string) =>
  listCandidates(services, sql`${payees.id} > ${id}`);

/**
 * Payees that are not whitelisted and have been paid often enough, with all that decides about them, in one query; a
 * bounded number of rows each. The conditions of the partial index are written out, so that the database knows it serves.
 */
async function listCandidates({ db }: ReadServices, which: SQL) {
  const rows = await db
    .select({
      id: payees.id,
      organizationId: payees.organizationId,
      version: payees.version,
      whitelisted: payees.whitelisted,
      disputedAt: payees.disputedAt,
      draftSince: payees.draftSince,
      takenOffWhitelistAt: payees.takenOffWhitelistAt,
      ...promotionFacts,
      settings: {
        promotionMinSpanDays: organizationPolicies.promotionMinSpanDays,
        promotionMinDistinctDays: organizationPolicies.promotionMinDistinctDays,
        timeZone: organizationPolicies.timeZone,
      },
    })
    .from(payees)
    .leftJoin(organizationPolicies, eq(organizationPolicies.organizationId, payees.organizationId))
    .where(
      and(
        which,
        sql`${payees.whitelisted} = 0`,
        sql`${payees.paymentCount} >= ${sql.raw(String(PROMOTION_MIN_PAYMENTS))}`,
        isNull(payees.disputedAt),
        isNull(payees.draftSince),
        isNull(payees.takenOffWhitelistAt),
      ),
    )
    .orderBy(payees.id)
    .limit(PROMOTION_PAGE_SIZE);
  return rows.map(({ settings, hasOpenHold, hasFailedPayment, latestVerification, successes, ...payee }) => ({
    ...payee,
    hasOpenHold: hasOpenHold === 1,
    hasFailedPayment: hasFailedPayment === 1,
    latestVerification: latestVerification === null ? null : (JSON.parse(latestVerification) as LatestVerification),
    successes: JSON.parse(successes) as PaidPayment[],
    settings: settings ?? DEFAULT_POLICY,
  }));
}

export type LatestVerification = { id: string; status: VerificationStatus; outcome: CheckOutcome | null };

export type PromotionCandidate = Awaited<ReturnType<typeof listCandidates>>[number];
