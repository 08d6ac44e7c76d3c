import { prepared } from "@db/prepared";
import { bankChecks, decisions, payees, users, verifications } from "@db/schema";
import { and, eq, isNull, sql } from "drizzle-orm";
import { notFound } from "~/kernel/app-error";
import { listEntityTimeline } from "~/modules/core/audit/timeline.queries.server";
import type { ReadServices } from "~/services";
import { assignees, deciders, detailColumns } from "./verification.columns.server";
import type { TimelineEntry } from "./verification.json";

/** Who is asking: their organisation bounds every answer. */
export type Asking = { organizationId: string };

/** More than any person reads on one page; the audit trail has them all. */
const TIMELINE_SIZE = 100;

/** One verification with its payee, requester, decision and running check; undefined when it is not the organisation's. */
export async function findVerification(services: ReadServices, actor: Asking, id: string) {
  const [row] = await verificationById(services.db).all({ organizationId: actor.organizationId, id });
  return row;
}

const verificationById = prepared((db) =>
  db
    .select(detailColumns)
    .from(verifications)
    .innerJoin(
      payees,
      and(eq(payees.organizationId, verifications.organizationId), eq(payees.id, verifications.payeeId)),
    )
    .leftJoin(users, eq(users.id, verifications.requestedById))
    .leftJoin(
      decisions,
      and(eq(decisions.organizationId, verifications.organizationId), eq(decisions.verificationId, verifications.id)),
    )
    .leftJoin(deciders, eq(deciders.id, decisions.decidedById))
    .leftJoin(assignees, eq(assignees.id, verifications.assignedToId))
    .leftJoin(bankChecks, and(eq(bankChecks.verificationId, verifications.id), isNull(bankChecks.finishedAt)))
    .where(
      and(
        eq(verifications.organizationId, sql.placeholder("organizationId")),
        eq(verifications.id, sql.placeholder("id")),
      ),
    )
    .prepare(),
);

export type VerificationDetail = NonNullable<Awaited<ReturnType<typeof findVerification>>>;

/** The same for those who cannot go on without it. @throws AppError 404, the same for missing and foreign ids */
export async function getVerification(services: ReadServices, actor: Asking, id: string): Promise<VerificationDetail> {
  const verification = await findVerification(services, actor, id);
  if (!verification) throw notFound();
  return verification;
}

/** What happened to a verification, oldest first, from the audit trail; who merely looked is left out. */
export function listTimeline(services: ReadServices, actor: Asking, id: string): Promise<TimelineEntry[]> {
  const subject = { entityType: "verification", entityId: id } as const;
  return listEntityTimeline(services, actor, subject, { order: "oldest first", limit: TIMELINE_SIZE });
}
