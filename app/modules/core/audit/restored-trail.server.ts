import { auditLogs } from "@db/schema";
import { and, desc, eq } from "drizzle-orm";
import type { ReadServices } from "~/services";
import type { Said } from "./audit";

/** The time that a restore of the database took away, in ISO 8601. */
export type Restored = { from: string; until: string };

/** Restores that a check looks at: the newest. */
const MOST = 20;

/** What an organisation's trail says of restores, newest first. The entries are sealed like any other. */
export async function listRestored({ db }: ReadServices, organizationId: string) {
  const rows = await db
    .select({ details: auditLogs.details, createdAt: auditLogs.createdAt })
    .from(auditLogs)
    .where(
      and(
        eq(auditLogs.organizationId, organizationId),
        eq(auditLogs.entityType, "restore"),
        eq(auditLogs.entityId, organizationId),
      ),
    )
    .orderBy(desc(auditLogs.position))
    .limit(MOST);
  return rows.map(({ details, createdAt }) => {
    const { from = "", until = "", kept = 0 } = (details ?? {}) as Said<"records.restored">;
    return { at: new Date(createdAt).toISOString(), from: String(from), until: String(until), kept: Number(kept) };
  });
}
