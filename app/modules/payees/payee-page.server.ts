import { prepared } from "@db/prepared";
import { payeeChanges, users, verifications } from "@db/schema";
import { and, asc, desc, eq, gte, sql } from "drizzle-orm";
import { displayName } from "~/kernel/actor";
import { listActs, listEntityTimeline, withUserName } from "~/modules/core/audit/timeline.server";
import { type Grade, gradeFactsOf, gradeOfPayee } from "~/modules/payees/verifications/grade";
import { findVerification, gradeColumns } from "~/modules/payees/verifications/verification.server";
import type { ReadServices } from "~/services";
import type { PayeeChange } from "./payee.json";
import { type Asking, getPayee } from "./payee.queries.server";

/** More than any person reads on one page; the audit trail has them all. */
const CHANGES_SIZE = 50;
const TIMELINE_SIZE = 50;
const VERIFICATIONS_SIZE = 10;

/** A payee with its newest verification, and how it was verified (null: it is not trusted). @throws AppError 404 */
export async function getPayeeWithLatest(services: ReadServices, actor: Asking, id: string) {
  const [payee, newest] = await Promise.all([getPayee(services, actor, id), listVerifications(services, actor, id, 1)]);
  const [first] = newest;
  const latest = first ? ((await findVerification(services, actor, first.id)) ?? null) : null;
  const approval = latest?.status === "verified" ? latest : await findNewestApproval(services, actor, id);
  const grade = gradeOfPayee(payee, latest, approval ? { ...approval, ...gradeFactsOf(approval) } : null);
  return { payee, latest, grade };
}

/** How a payee was verified; null for one that is not trusted. @throws AppError 404 */
export const findPayeeGrade = async (services: ReadServices, actor: Asking, payeeId: string): Promise<Grade | null> =>
  (await getPayeeWithLatest(services, actor, payeeId)).grade;

/** The newest verification of a payee that was approved, as far as its grade looks at it. */
async function findNewestApproval({ db }: ReadServices, { organizationId }: Asking, payeeId: string) {
  const [row] = await db
    .select({
      status: verifications.status,
      accountName: verifications.accountName,
      bsb: verifications.bsb,
      accountNumber: verifications.accountNumber,
      method: verifications.method,
      outcome: verifications.outcome,
      resultData: verifications.resultData,
      completedAt: verifications.completedAt,
      ...gradeColumns("verifications"),
    })
    .from(verifications)
    .where(
      and(
        eq(verifications.organizationId, organizationId),
        eq(verifications.payeeId, payeeId),
        eq(verifications.status, "verified"),
      ),
    )
    .orderBy(desc(verifications.id))
    .limit(1);
  return row;
}

/** The payee's verifications, newest first. */
export async function listVerifications(
  { db }: ReadServices,
  actor: Asking,
  payeeId: string,
  limit = VERIFICATIONS_SIZE,
) {
  return db
    .select({
      id: verifications.id,
      status: verifications.status,
      reasonCode: verifications.reasonCode,
      createdAt: verifications.createdAt,
      completedAt: verifications.completedAt,
      method: verifications.method,
      outcome: verifications.outcome,
      resultData: verifications.resultData,
      ...gradeColumns("verifications"),
    })
    .from(verifications)
    .where(and(eq(verifications.organizationId, actor.organizationId), eq(verifications.payeeId, payeeId)))
    .orderBy(desc(verifications.id))
    .limit(limit);
}

/** What was changed of a payee, field by field, newest first. */
export async function listChanges({ db }: ReadServices, actor: Asking, payeeId: string): Promise<PayeeChange[]> {
  const rows = await changesOf(db).all({ organizationId: actor.organizationId, payeeId });
  return rows.map(withUserName);
}

const changesOf = prepared((db) =>
  db
    .select({
      id: payeeChanges.id,
      field: payeeChanges.field,
      oldValue: payeeChanges.oldValue,
      newValue: payeeChanges.newValue,
      createdAt: payeeChanges.createdAt,
      firstName: users.firstName,
      lastName: users.lastName,
    })
    .from(payeeChanges)
    .leftJoin(users, eq(users.id, payeeChanges.userId))
    .where(
      and(
        eq(payeeChanges.organizationId, sql.placeholder("organizationId")),
        eq(payeeChanges.payeeId, sql.placeholder("payeeId")),
      ),
    )
    .orderBy(desc(payeeChanges.id))
    .limit(CHANGES_SIZE)
    .prepare(),
);

/** What happened to a payee, newest first, from the audit trail; who merely looked is left out. */
export async function listPayeeTimeline(services: ReadServices, actor: Asking, payeeId: string) {
  const subject = { entityType: "payee", entityId: payeeId } as const;
  const own = listEntityTimeline(services, actor, subject, { order: "newest first", limit: TIMELINE_SIZE });
  const ids = (await listVerifications(services, actor, payeeId)).map(({ id }) => id);
  const disputes = await listActs(services, actor, { entityType: "verification", ids, action: DISPUTED });
  return [...(await own), ...disputes].sort((a, b) => b.createdAt - a.createdAt).slice(0, TIMELINE_SIZE);
}

/** The payee says so about a verification; people who read the payee's history must see it there. */
const DISPUTED = "verification.disputed_by_payee";

/** Account numbers that the payee had before, newest first. */
export async function listFormerNumbers({ db }: ReadServices, actor: Asking, payeeId: string): Promise<string[]> {
  const rows = await db
    .select({ field: payeeChanges.field, oldValue: payeeChanges.oldValue })
    .from(payeeChanges)
    .where(and(eq(payeeChanges.organizationId, actor.organizationId), eq(payeeChanges.payeeId, payeeId)))
    .orderBy(desc(payeeChanges.id))
    .limit(CHANGES_SIZE);
  return rows.flatMap(({ field, oldValue }) => (field === "accountNumber" && oldValue !== null ? [oldValue] : []));
}

/** What a payee was called at an instant: what was said of it then was said of that name. @param at epoch milliseconds */
export async function findNameAt(
  { db }: ReadServices,
  { organizationId }: Asking,
  payee: { id: string; name: string },
  at: number,
): Promise<string> {
  const [next] = await db
    .select({ name: payeeChanges.oldValue })
    .from(payeeChanges)
    .where(
      and(
        eq(payeeChanges.organizationId, organizationId),
        eq(payeeChanges.payeeId, payee.id),
        eq(payeeChanges.field, "name"),
        gte(payeeChanges.createdAt, at),
      ),
    )
    .orderBy(asc(payeeChanges.id))
    .limit(1);
  return next?.name ?? payee.name;
}

/** Who that was; null where nobody, or the system, did it. */
export async function findUserName({ db }: ReadServices, userId: string | null): Promise<string | null> {
  if (userId === null) return null;
  const [user] = await db
    .select({ firstName: users.firstName, lastName: users.lastName })
    .from(users)
    .where(eq(users.id, userId));
  return user ? displayName(user) : null;
}
