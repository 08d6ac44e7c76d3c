import type { Statement } from "@db/client";
import { commit } from "@db/commit";
import { auditLogs } from "@db/schema";
import { eq } from "drizzle-orm";
import type { Origin } from "~/kernel/actor";
import { type AuditEntry, recordAudit } from "~/modules/audit/audit.statements.server";
import type { NewJob } from "~/modules/commands/outbox.statements.server";
import { jobIds, jobStatements } from "~/modules/notifications/notifications.statements.server";
import type { Services } from "~/services";

/** Who acts for an organisation: one of its admins, or a super admin. */
export type Administrator = { userId: string; origin: Origin };

type Act = {
  organizationId: string;
  statements: readonly Statement[];
  entry: AuditEntry;
  mail?: NewJob[];
};

/** Commits one act on an organisation with its audit row and mails, then tells the queue. */
export async function commitAct(
  services: Pick<Services, "db" | "clock" | "ids" | "queues">,
  { userId, origin }: Administrator,
  { organizationId, statements, entry, mail }: Act,
): Promise<void> {
  const { db, ids, queues } = services;
  const id = ids.next();
  const audit = recordAudit(services, { userId, organizationId, origin }, { ...entry, id });
  await commit(db, [...statements, ...jobStatements(services, mail ?? []), audit], async () => {
    const rows = await db.select({ id: auditLogs.id }).from(auditLogs).where(eq(auditLogs.id, id));
    return rows.length > 0;
  });
  if (mail) await queues.send("jobs", jobIds(mail));
}
