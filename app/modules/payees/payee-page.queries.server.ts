import { auditLogs, payeeChanges, users, verifications } from "@db/schema";
import { and, desc, eq, ne } from "drizzle-orm";
import type { AuditAction } from "~/modules/audit/audit";
import { displayName } from "~/modules/identity/actor";
import { findVerification } from "~/modules/verifications/verification.queries.server";
import type { Services } from "~/services";
import type { PayeeChange } from "./payee.json";
import { type Asking, getPayee } from "./payee.queries.server";

type Reading = Pick<Services, "db">;

/** More than anybody reads on one page; the audit trail has them all. */
const CHANGES_SIZE = 50;
const TIMELINE_SIZE = 50;
const VERIFICATIONS_SIZE = 10;
const REVEALED: AuditAction = "payee.details_revealed";

/** A payee with its newest verification. @throws AppError 404 */
export async function getPayeeWithLatest(services: Reading, actor: Asking, id: string) {
  const [payee, newest] = await Promise.all([getPayee(services, actor, id), listVerifications(services, actor, id, 1)]);
  const [first] = newest;
  const latest = first ? ((await findVerification(services, actor, first.id)) ?? null) : null;
  return { payee, latest };
}

/** The payee's verifications, newest first. */
export async function listVerifications({ db }: Reading, actor: Asking, payeeId: string, limit = VERIFICATIONS_SIZE) {
  return db
    .select({ id: verifications.id, status: verifications.status, createdAt: verifications.createdAt })
    .from(verifications)
    .where(and(eq(verifications.organizationId, actor.organizationId), eq(verifications.payeeId, payeeId)))
    .orderBy(desc(verifications.id))
    .limit(limit);
}

/** What was changed of a payee, field by field, newest first. */
export async function listChanges({ db }: Reading, actor: Asking, payeeId: string): Promise<PayeeChange[]> {
  const rows = await db
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
    .where(and(eq(payeeChanges.organizationId, actor.organizationId), eq(payeeChanges.payeeId, payeeId)))
    .orderBy(desc(payeeChanges.id))
    .limit(CHANGES_SIZE);
  return rows.map(named);
}

/** What happened to a payee, newest first, from the audit trail; who merely looked is left out. */
export async function listPayeeTimeline({ db }: Reading, actor: Asking, payeeId: string) {
  const rows = await db
    .select({
      id: auditLogs.id,
      action: auditLogs.action,
      details: auditLogs.details,
      createdAt: auditLogs.createdAt,
      firstName: users.firstName,
      lastName: users.lastName,
    })
    .from(auditLogs)
    .leftJoin(users, eq(users.id, auditLogs.userId))
    .where(
      and(
        eq(auditLogs.organizationId, actor.organizationId),
        eq(auditLogs.entityType, "payee"),
        eq(auditLogs.entityId, payeeId),
        ne(auditLogs.action, REVEALED),
      ),
    )
    .orderBy(desc(auditLogs.position))
    .limit(TIMELINE_SIZE);
  return rows.map(named);
}

/** The person's two names as one; null where the system acted. */
function named<T extends { firstName: string | null; lastName: string | null }>(row: T) {
  const { firstName, lastName, ...rest } = row;
  return { ...rest, userName: firstName === null ? null : displayName({ firstName, lastName: lastName ?? "" }) };
}

/** Who that was; null where nobody, or the system, did it. */
export async function findUserName({ db }: Reading, userId: string | null): Promise<string | null> {
  if (userId === null) return null;
  const [user] = await db
    .select({ firstName: users.firstName, lastName: users.lastName })
    .from(users)
    .where(eq(users.id, userId));
  return user ? displayName(user) : null;
}
