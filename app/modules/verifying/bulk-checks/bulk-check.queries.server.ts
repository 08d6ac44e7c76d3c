import { bankChecks, bulkCheckPayees, bulkChecks, payees, users, verifications } from "@db/schema";
import { and, desc, eq, gt, isNull, lt, sql } from "drizzle-orm";
import { notFound } from "~/kernel/app-error";
import { findReviewFlags } from "~/modules/payees/verifications/review-flags";
import { headlineOf } from "~/modules/payees/verifications/verdict";
import {
  flagColumns,
  flagColumnsOfPayee,
  gradeColumns,
} from "~/modules/payees/verifications/verification.columns.server";
import type { ReadServices } from "~/services";
import { ASKED_PER_STEP, type AskedPayee } from "./bulk-check";

type Asking = { organizationId: string };

export type BulkCheckRow = typeof bulkChecks.$inferSelect;

export async function findBulkCheck(
  { db }: ReadServices,
  { organizationId }: Asking,
  id: string,
): Promise<BulkCheckRow | undefined> {
  const [row] = await db
    .select()
    .from(bulkChecks)
    .where(and(eq(bulkChecks.organizationId, organizationId), eq(bulkChecks.id, id)));
  return row;
}

/** @throws AppError 404, the same for missing and foreign ids */
export async function getBulkCheck(services: ReadServices, actor: Asking, id: string): Promise<BulkCheckRow> {
  const row = await findBulkCheck(services, actor, id);
  if (!row) throw notFound();
  return row;
}

const LISTED = 20;

/** The newest bulk checks, with who asked for them. */
export function listBulkChecks({ db }: ReadServices, { organizationId }: Asking) {
  return db
    .select({ check: bulkChecks, asker: { firstName: users.firstName, lastName: users.lastName } })
    .from(bulkChecks)
    .innerJoin(users, eq(users.id, bulkChecks.requestedById))
    .where(eq(bulkChecks.organizationId, organizationId))
    .orderBy(desc(bulkChecks.id))
    .limit(LISTED);
}

export const ASKED_PAGE_SIZE = 50;

/** Payees that were asked, the last one first, with where their verification stands. */
export async function listAsked(
  { db }: ReadServices,
  { organizationId }: Asking,
  { bulkCheckId, after }: { bulkCheckId: string; after?: number },
) {
  const rows = await db
    .select({
      position: bulkCheckPayees.position,
      verificationId: bulkCheckPayees.verificationId,
      payeeId: payees.id,
      payeeName: payees.name,
      status: verifications.status,
      reasonCode: verifications.reasonCode,
      outcome: verifications.outcome,
      notificationSentAt: verifications.notificationSentAt,
      verifiedByPayee: verifications.verifiedByPayee,
      facts: flagColumns,
      payee: flagColumnsOfPayee,
      method: verifications.method,
      resultData: verifications.resultData,
      ...gradeColumns("verifications"),
    })
    .from(bulkCheckPayees)
    .innerJoin(
      verifications,
      and(eq(verifications.organizationId, organizationId), eq(verifications.id, bulkCheckPayees.verificationId)),
    )
    .innerJoin(payees, and(eq(payees.organizationId, organizationId), eq(payees.id, verifications.payeeId)))
    .where(
      and(
        eq(bulkCheckPayees.organizationId, organizationId),
        eq(bulkCheckPayees.bulkCheckId, bulkCheckId),
        after === undefined ? undefined : lt(bulkCheckPayees.position, after),
      ),
    )
    .orderBy(desc(bulkCheckPayees.position))
    .limit(ASKED_PAGE_SIZE + 1);
  const shown = rows.slice(0, ASKED_PAGE_SIZE).map(({ facts, payee, ...row }) => ({
    ...row,
    redWord: redWordOf(row, { ...facts, payee }),
  }));
  return { rows: shown, next: rows.length > ASKED_PAGE_SIZE ? shown.at(-1)?.position : undefined };
}

type Facts = Parameters<typeof findReviewFlags>[0];

/** The word of a verdict that speaks against paying. */
function redWordOf(
  { status, outcome, reasonCode }: Pick<AskedPayee, "status" | "outcome" | "reasonCode">,
  facts: Facts,
) {
  const flags = findReviewFlags(facts);
  const { isRed, word } = headlineOf({ status, outcome, reasonCode, flags, isWaiting: false, check: null });
  return isRed ? word : null;
}

/** Which of these payees a bulk check has asked. */
export async function findAskedOf(
  { db }: ReadServices,
  { organizationId }: Asking,
  { bulkCheckId, payeeIds }: { bulkCheckId: string; payeeIds: readonly string[] },
): Promise<Set<string>> {
  const rows = await db
    .select({ payeeId: verifications.payeeId })
    .from(bulkCheckPayees)
    .innerJoin(
      verifications,
      and(eq(verifications.organizationId, organizationId), eq(verifications.id, bulkCheckPayees.verificationId)),
    )
    .where(
      and(
        eq(bulkCheckPayees.organizationId, organizationId),
        eq(bulkCheckPayees.bulkCheckId, bulkCheckId),
        sql`${verifications.payeeId} IN (SELECT "value" FROM json_each(${JSON.stringify(payeeIds)}))`,
      ),
    );
  return new Set(rows.map(({ payeeId }) => payeeId));
}

/** How many of the payees asked last have not been sent their message yet. */
export async function countOnTheWay(
  { db }: ReadServices,
  { organizationId, id, askedCount }: Pick<BulkCheckRow, "organizationId" | "id" | "askedCount">,
): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)` })
    .from(bulkCheckPayees)
    .innerJoin(
      bankChecks,
      and(eq(bankChecks.organizationId, organizationId), eq(bankChecks.verificationId, bulkCheckPayees.verificationId)),
    )
    .where(
      and(
        eq(bulkCheckPayees.organizationId, organizationId),
        eq(bulkCheckPayees.bulkCheckId, id),
        gt(bulkCheckPayees.position, askedCount - ASKED_PER_STEP),
        isNull(bankChecks.finishedAt),
        isNull(bankChecks.providerUserId),
      ),
    );
  return row?.count ?? 0;
}
