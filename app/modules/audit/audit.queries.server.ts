import { keySetPage } from "@db/key-set-page";
import { auditLogs, auditSeals, organizationUsers, users } from "@db/schema";
import { and, asc, eq, gt, isNotNull, or, type SQL, sql } from "drizzle-orm";
import { displayName } from "~/kernel/actor";
import type { ReadServices } from "~/services";
import { auditColumns } from "./audit.columns.server";
import type { AuditEntry } from "./audit.json";
import type { AuditFilter } from "./audit-filter";

export const AUDIT_PAGE_SIZE = 50;

export type AuditPage = { entries: AuditEntry[]; nextCursor: string | null };

/**
 * One page of an organisation's audit trail, newest first: what the export and the seals cover, and what is new since.
 * `cursor` is the id of the entry that the page follows.
 */
export async function listAuditEntries(
  { db }: ReadServices,
  actor: { organizationId: string },
  { cursor, filter }: { cursor?: string; filter?: AuditFilter } = {},
): Promise<AuditPage> {
  const { organizationId } = actor;
  const after = cursor === undefined ? undefined : await findPosition({ db }, organizationId, cursor);
  if (cursor !== undefined && after === undefined) return { entries: [], nextCursor: null };
  const page = keySetPage({ after }, { size: AUDIT_PAGE_SIZE });
  const rows = await db
    .select({
      ...auditColumns,
      position: auditLogs.position,
      user: { firstName: users.firstName, lastName: users.lastName, email: users.email },
      seal: { seq: auditSeals.seq, prevHash: auditSeals.prevHash, hash: auditSeals.hash },
    })
    .from(auditLogs)
    .leftJoin(users, eq(users.id, auditLogs.userId))
    .leftJoin(auditSeals, eq(auditSeals.position, auditLogs.position))
    .where(
      and(
        eq(auditLogs.organizationId, organizationId),
        filter && isNarrowedTo(filter),
        page.beyond(auditLogs.position),
        or(isNotNull(auditSeals.position), gt(auditLogs.position, lastSealed)),
      ),
    )
    .orderBy(page.order(auditLogs.position))
    .limit(page.limit);
  const { rows: shown, next } = page.cut(rows, ({ position }) => position);
  return {
    entries: shown.map(({ user, position: _, ...entry }) => ({
      ...entry,
      user: user && { name: displayName(user), email: user.email },
    })),
    nextCursor: next === undefined ? null : (shown.at(-1)?.id ?? null),
  };
}

const lastSealed = sql`(SELECT coalesce(max("position"), 0) FROM ${auditSeals})`;

function isNarrowedTo(filter: AuditFilter): SQL | undefined {
  switch (filter.by) {
    case "user":
      return eq(auditLogs.userId, filter.userId);
    case "action":
      return eq(auditLogs.action, filter.action);
    case "entity":
      return and(eq(auditLogs.entityType, filter.type), eq(auditLogs.entityId, filter.id));
  }
}

/** The address names an entry by its id: a position would tell how much all organisations do. */
async function findPosition({ db }: ReadServices, organizationId: string, id: string) {
  const [row] = await db
    .select({ position: auditLogs.position })
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, organizationId), eq(auditLogs.id, id)));
  return row?.position;
}

/** More people than a list to choose from can hold. */
const MAX_PEOPLE = 200;

/** The people of an organisation, to choose one whose acts are to be listed. */
export async function listAuditedPeople(
  { db }: ReadServices,
  actor: { organizationId: string },
): Promise<{ userId: string; name: string }[]> {
  const rows = await db
    .select({ userId: users.id, firstName: users.firstName, lastName: users.lastName })
    .from(organizationUsers)
    .innerJoin(users, eq(users.id, organizationUsers.userId))
    .where(eq(organizationUsers.organizationId, actor.organizationId))
    .orderBy(asc(organizationUsers.userId))
    .limit(MAX_PEOPLE);
  return rows.map(({ userId, ...name }) => ({ userId, name: displayName(name) }));
}
