import { auditLogs, auditSeals, users } from "@db/schema";
import { and, desc, eq, lt } from "drizzle-orm";
import { displayName } from "~/modules/identity/actor";
import type { Services } from "~/services";
import { auditColumns } from "./audit.columns.server";
import type { AuditEntry } from "./audit.json";

export const AUDIT_PAGE_SIZE = 50;

export type AuditFilter = {
  /** Id of the entry that the page follows. */
  cursor?: string;
  /** Only what happened to one thing. */
  entity?: { type: string; id: string };
};

export type AuditPage = { entries: AuditEntry[]; nextCursor: string | null };

/** One page of an organisation's audit trail, newest first, by key. */
export async function listAuditEntries(
  { db }: Pick<Services, "db">,
  actor: { organizationId: string },
  { cursor, entity }: AuditFilter = {},
): Promise<AuditPage> {
  const { organizationId } = actor;
  const from = cursor === undefined ? undefined : await findPosition({ db }, organizationId, cursor);
  if (cursor !== undefined && from === undefined) return { entries: [], nextCursor: null };
  const rows = await db
    .select({
      ...auditColumns,
      user: { firstName: users.firstName, lastName: users.lastName, email: users.email },
      seal: { seq: auditSeals.seq, prevHash: auditSeals.prevHash, hash: auditSeals.hash },
    })
    .from(auditLogs)
    .leftJoin(users, eq(users.id, auditLogs.userId))
    .leftJoin(auditSeals, eq(auditSeals.position, auditLogs.position))
    .where(
      and(
        eq(auditLogs.organizationId, organizationId),
        entity && eq(auditLogs.entityType, entity.type),
        entity && eq(auditLogs.entityId, entity.id),
        from === undefined ? undefined : lt(auditLogs.position, from),
      ),
    )
    .orderBy(desc(auditLogs.position))
    .limit(AUDIT_PAGE_SIZE + 1);
  const shown = rows.slice(0, AUDIT_PAGE_SIZE);
  return {
    entries: shown.map(({ user, ...entry }) => ({
      ...entry,
      user: user && { name: displayName(user), email: user.email },
    })),
    nextCursor: rows.length > AUDIT_PAGE_SIZE ? (shown.at(-1)?.id ?? null) : null,
  };
}

/** Entries are keyed by their id: positions count the acts of everybody. */
async function findPosition({ db }: Pick<Services, "db">, organizationId: string, id: string) {
  const [row] = await db
    .select({ position: auditLogs.position })
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, organizationId), eq(auditLogs.id, id)));
  return row?.position;
}
