import {
  accountingPayments,
  auditLogs,
  type Condition,
  columnsOf,
  organizationPolicies,
  payeeChanges,
  payees,
  paymentRecords,
  paymentTransitions,
  promotionDue,
  rowIn,
  verifications,
} from "@db/database";
import { findWalk, saveWalk } from "@db/walk";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "~/kernel/dates";
import type { CheckOutcome, VerificationStatus } from "~/kernel/enums";
import { dueChanges, withDue } from "~/modules/accounts/organizations/policy.server";
import { runCommand, runStatement } from "~/modules/core/commands/run-command.server";
import { whitelistPayee } from "~/modules/payees/payee.server";
import { DEFAULT_POLICY } from "~/modules/rules/policy-fields";
import { type SystemActor, systemActor, type TimedServices, type WriteServices } from "~/services-and-actor";
import { decidePromotion, type PaidPayment, PROMOTION_MAX_PAYMENTS, PROMOTION_MIN_PAYMENTS } from "./promotion";

export const PROMOTION_PAGE_SIZE = 100;

/** An accounting system reported the payment and has deleted it since: it does not count. */
const isDeletedThere = sql`EXISTS (SELECT 1 FROM ${accountingPayments} AS there
  WHERE there."organizationId" = ${payees.organizationId} AND there."recordId" = ${paymentRecords}."id" AND there."state" = 'deleted')`;

/** The only person who reported the payment's success is the one who recorded it. */
const isOwnReport = sql`EXISTS (SELECT 1 FROM ${paymentTransitions} AS step WHERE step."paymentId" = ${paymentRecords}."id"
  AND step."toStatus" = 'successful' AND step."userId" = ${paymentRecords}."recordedById")`;

const isPayees = sql`"organizationId" = ${payees.organizationId} AND "payeeId" = ${payees.id}`;

/** Payments before this do not count: the details or name changed, or a person ended the trust. */
const countsSince = sql`max(coalesce(${payees.bankDetailsChangedAt}, -1), coalesce(${payees.renamedAt}, -1), coalesce((SELECT "createdAt" FROM ${auditLogs}
  WHERE "organizationId" = ${payees.organizationId} AND "entityType" = 'payee' AND "entityId" = ${payees.id}
  AND "action" = 'payee.unwhitelisted' ORDER BY "position" DESC LIMIT 1), -1))`;

/**
 * Facts about a payee as conditions and columns of a query on `payees`. The unary plus keeps SQLite from using a
 * column's index, so that it starts from the payee.
 */
export const promotionFacts = {
  hasOpenHold: sql<number>`EXISTS (SELECT 1 FROM ${paymentRecords}
    WHERE ${isPayees} AND "status" IN ('held', 'verification_requested'))`,
  hasFailedPayment: sql<number>`EXISTS (SELECT 1 FROM ${paymentRecords}
    WHERE ${isPayees} AND "status" = 'failed' AND +"createdAt" > ${countsSince})`,
  latestVerification: sql<string | null>`(SELECT json_object('id', "id", 'status', "status", 'outcome', "outcome")
    FROM ${verifications} WHERE ${isPayees} ORDER BY "id" DESC LIMIT 1)`,
  successes: sql<string>`(SELECT json_group_array(json_object('id', "id", 'reference', "reference", 'amount', "amount",
      'processedAt', "processedAt", 'isOwnReport', json(iif("isOwnReport", 'true', 'false'))))
    FROM (SELECT "id", "reference", "amount", "processedAt", ${isOwnReport} AS "isOwnReport" FROM ${paymentRecords}
      WHERE ${isPayees} AND "status" = 'successful' AND +"createdAt" > ${countsSince} AND NOT ${isDeletedThere}
      ORDER BY "id" DESC LIMIT ${PROMOTION_MAX_PAYMENTS}) AS walk)`,
};

/** The payees among these that may qualify. */
export const listCandidatesAmong = (services: TimedServices, ids: readonly string[]) =>
  listCandidates(services, sql`${payees.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);

/** The next candidates by id, across all organisations. */
export const listCandidatesAfter = (services: TimedServices, id: string) =>
  listCandidates(services, sql`${payees.id} > ${id}`);

/**
 * Payees that are not whitelisted and have been paid often enough, with all facts that decide, in one query; a bounded
 * number of rows each. The conditions are literal SQL, so that SQLite can use the partial index.
 */
async function listCandidates({ db, clock }: TimedServices, which: SQL) {
  const rows = await db
    .select({
      ...columnsOf(payees, "id", "organizationId", "version", "whitelisted"),
      ...columnsOf(payees, "disputedAt", "draftSince", "takenOffWhitelistAt"),
      ...promotionFacts,
      settings: {
        ...columnsOf(organizationPolicies, "promotionMinSpanDays", "promotionMinDistinctDays", "promotionMinCents"),
        ...columnsOf(organizationPolicies, "secondPersonRequired", "timeZone"),
      },
      due: dueChanges(payees.organizationId, clock.now()),
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
  return rows.map(({ settings, due, hasOpenHold, hasFailedPayment, latestVerification, successes, ...payee }) => ({
    ...payee,
    hasOpenHold: hasOpenHold === 1,
    hasFailedPayment: hasFailedPayment === 1,
    latestVerification: latestVerification === null ? null : (JSON.parse(latestVerification) as LatestVerification),
    successes: JSON.parse(successes) as PaidPayment[],
    settings: withDue(settings ?? DEFAULT_POLICY, due),
  }));
}

export type LatestVerification = { id: string; status: VerificationStatus; outcome: CheckOutcome | null };

export type PromotionCandidate = Awaited<ReturnType<typeof listCandidates>>[number];

/** A cron run may make about a thousand queries: it reads this many pages of due payees, and of all, at most. */
const MAX_DUE_PAGES = 60;
const MAX_WALKED_PAGES = 420; // 24 runs a day of 100 payees each: a million.
const MAX_PROMOTIONS = 400;

/**
 * Whitelists every payee that has earned it, in every organisation. First come payees with changes, which triggers put
 * on a list of due payees. Then part of a slow daily walk over all candidates finds what the list misses (a policy that
 * was relaxed, a run that died). Both continue where the last run stopped. An error with one payee is logged and does
 * not stop the others.
 *
 * @returns how many payees were whitelisted
 */
export async function promoteEarnedPayees(services: WriteServices): Promise<number> {
  const runId = services.ids.next();
  const promoted = await promoteDue(services, runId);
  return promoted + (await walkOn(services, runId, MAX_PROMOTIONS - promoted));
}

async function promoteDue(services: WriteServices, runId: string): Promise<number> {
  let promoted = 0;
  for (let page = 0; page < MAX_DUE_PAGES && promoted < MAX_PROMOTIONS; page++) {
    // Take them off the list before checking them, so that changes from now on put them back.
    const due = await services.db
      .delete(promotionDue)
      .where(sql`${promotionDue.payeeId} IN (SELECT "payeeId" FROM ${promotionDue} LIMIT ${PROMOTION_PAGE_SIZE})`)
      .returning({ id: promotionDue.payeeId });
    const candidates = await listCandidatesAmong(
      services,
      due.map(({ id }) => id),
    );
    promoted += await promoteAll(services, candidates, runId);
    if (due.length < PROMOTION_PAGE_SIZE) break;
  }
  return promoted;
}

/** Continues the walk over all candidates; starts the next one a day after the last one started. */
async function walkOn(services: WriteServices, runId: string, maxPromotions: number): Promise<number> {
  const { db, clock } = services;
  const walk = await findWalk(db, "promotion", clock.now(), DAY_MS);
  if (!walk) return 0;
  let promoted = 0;
  let isAtEnd = false;
  for (let page = 0; page < MAX_WALKED_PAGES && promoted < maxPromotions && !isAtEnd; page++) {
    const candidates = await listCandidatesAfter(services, walk.key);
    promoted += await promoteAll(services, candidates, runId);
    walk.key = candidates.at(-1)?.id ?? walk.key;
    isAtEnd = candidates.length < PROMOTION_PAGE_SIZE;
  }
  await saveWalk(db, walk, isAtEnd ? clock.now() : null);
  return promoted;
}

async function promoteAll(services: WriteServices, candidates: PromotionCandidate[], runId: string): Promise<number> {
  let promoted = 0;
  for (const candidate of candidates) if (await tryPromote(services, candidate, runId)) promoted++;
  return promoted;
}

async function tryPromote(services: WriteServices, candidate: PromotionCandidate, runId: string): Promise<boolean> {
  const { id: payeeId, organizationId } = candidate;
  try {
    const decision = decidePromotion(candidate, candidate.settings);
    if (!decision.promote) return false;
    if (await promote(services, candidate, decision, systemActor(organizationId, runId))) return true;
  } catch (error) {
    services.log.error("promotion.failed", { organizationId, payeeId, error: String(error) });
  }
  // Something changed meanwhile, or failed: put the payee back for the next run.
  await runStatement(
    services,
    services.db.insert(promotionDue).values({ payeeId, organizationId }).onConflictDoNothing(),
  );
  return false;
}

/** @returns false when something changed since the facts were read */
async function promote(
  services: WriteServices,
  candidate: PromotionCandidate,
  { reason, payments }: { reason: string; payments: readonly PaidPayment[] },
  system: SystemActor,
): Promise<boolean> {
  const { db, clock, ids } = services;
  const { organizationId } = system;
  const payeeId = candidate.id;
  const { ok } = await runCommand(services, system, {
    conditions: [promotionIsEarned(services, candidate)],
    statements: [
      whitelistPayee(services, system, { payeeId, reason }),
      db.insert(payeeChanges).values({
        id: ids.next(),
        organizationId,
        payeeId,
        userId: null,
        field: "whitelisted",
        oldValue: "false",
        newValue: "true",
        createdAt: clock.now(),
      }),
    ],
    audit: [
      {
        action: "payee.promoted",
        entityId: payeeId,
        details: { reason, paymentIds: payments.map((payment) => payment.id) },
      },
    ],
  });
  return ok;
}

/** The condition that the payee is as it was read, and that nothing has come in that counts against it. */
function promotionIsEarned({ db }: WriteServices, candidate: PromotionCandidate): Condition<"not_earned"> {
  const { latestVerification: latest } = candidate;
  const asRead =
    latest === null
      ? isNull(promotionFacts.latestVerification)
      : sql`${promotionFacts.latestVerification} = json_object('id', ${latest.id}, 'status', ${latest.status}, 'outcome', ${latest.outcome})`;
  const found = rowIn(db, payees).where(
    and(
      eq(payees.organizationId, candidate.organizationId),
      eq(payees.id, candidate.id),
      eq(payees.version, candidate.version),
      eq(payees.whitelisted, false),
      isNull(payees.disputedAt),
      isNull(payees.draftSince),
      isNull(payees.takenOffWhitelistAt),
      sql`NOT ${promotionFacts.hasOpenHold}`,
      sql`NOT ${promotionFacts.hasFailedPayment}`,
      asRead,
    ),
  );
  return { name: "not_earned", found };
}
