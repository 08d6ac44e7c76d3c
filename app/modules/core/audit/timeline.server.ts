import { auditLogs, columnsOf, preparedPer, users } from "@db/database";
import { and, asc, desc, eq, ne, sql } from "drizzle-orm";
import { nameIfAny } from "~/kernel/text";
import type { ReadServices } from "~/services-and-actor";
import type { AuditAction } from "./audit";

const REVEALED: AuditAction = "payee.details_revealed";

const columns = {
  ...columnsOf(auditLogs, "id", "action", "details", "createdAt"),
  ...columnsOf(users, "firstName", "lastName"),
};

type Subject = { entityType: "payee" | "verification"; entityId: string };

/** The history of one subject from the audit trail, without entries for viewing it. The limit is what a page shows. */
export async function listEntityTimeline(
  { db }: ReadServices,
  { organizationId }: { organizationId: string },
  { entityType, entityId }: Subject,
  span: TimelineSpan,
) {
  const rows = await timelineOf(db, span).all({ organizationId, entityType, entityId });
  return rows.map(withUserName);
}

type TimelineSpan = { order: "oldest first" | "newest first"; limit: number };

const timelineOf = preparedPer((db, { order, limit }: TimelineSpan) =>
  db
    .select(columns)
    .from(auditLogs)
    .leftJoin(users, eq(users.id, auditLogs.userId))
    .where(
      and(
        eq(auditLogs.organizationId, sql.placeholder("organizationId")),
        eq(auditLogs.entityType, sql.placeholder("entityType")),
        eq(auditLogs.entityId, sql.placeholder("entityId")),
        ne(auditLogs.action, REVEALED),
      ),
    )
    .orderBy(order === "oldest first" ? asc(auditLogs.position) : desc(auditLogs.position))
    .limit(limit)
    .prepare(),
);

/** Audit entries of one kind about some subjects. */
export async function listActs(
  { db }: ReadServices,
  { organizationId }: { organizationId: string },
  { entityType, ids, action }: { entityType: Subject["entityType"]; ids: readonly string[]; action: AuditAction },
) {
  if (ids.length === 0) return [];
  const rows = await db
    .select(columns)
    .from(auditLogs)
    .leftJoin(users, eq(users.id, auditLogs.userId))
    .where(
      and(
        eq(auditLogs.organizationId, organizationId),
        eq(auditLogs.entityType, entityType),
        sql`${auditLogs.entityId} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
        eq(auditLogs.action, action),
      ),
    );
  return rows.map(withUserName);
}

/** The person's first and last names joined; null if the system acted. */
export function withUserName<T extends { firstName: string | null; lastName: string | null }>(row: T) {
  const { firstName, lastName, ...rest } = row;
  return { ...rest, userName: nameIfAny({ firstName, lastName }) };
}
