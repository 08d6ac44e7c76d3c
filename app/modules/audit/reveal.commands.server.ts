import { auditLogs } from "@db/schema";
import { and, eq, gt } from "drizzle-orm";
import { MINUTE_MS } from "~/kernel/dates";
import type { Actor } from "~/modules/identity/actor";
import type { Services } from "~/services";
import type { AuditAction } from "./audit";
import { recordAudit } from "./audit.statements.server";

/** Looking again within this time is the same look. */
const SAME_LOOK_MS = 15 * MINUTE_MS;
const REVEALED: AuditAction = "payee.details_revealed";

/** Leaves an audit row that the person was shown full bank details, once per sitting. */
export async function recordReveal(
  services: Pick<Services, "db" | "clock" | "ids">,
  actor: Actor,
  shown: { entityType: "payee" | "verification" | "payment"; entityId: string },
): Promise<void> {
  const { db, clock } = services;
  const [known] = await db
    .select({ id: auditLogs.id })
    .from(auditLogs)
    .where(
      and(
        eq(auditLogs.organizationId, actor.organizationId),
        eq(auditLogs.entityType, shown.entityType),
        eq(auditLogs.entityId, shown.entityId),
        eq(auditLogs.action, REVEALED),
        eq(auditLogs.userId, actor.userId),
        gt(auditLogs.createdAt, clock.now() - SAME_LOOK_MS),
      ),
    )
    .limit(1);
  if (!known) await db.batch([recordAudit(services, actor, { ...shown, action: REVEALED })]);
}
