import { auditLogs, trailCursors } from "@db/schema";
import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import type { AuditAction } from "~/modules/core/audit/audit";
import type { ReadServices } from "~/services";
import type { TrailEntry } from "./trail-entry";

/** What reads the audit trail to its end, each with a cursor of its own in `trail_cursors` and a lease of that name. */
export type TrailReaderName = "alerts" | "reports" | "webhooks";

/** How many entries are read at once, and among how many: a large import writes thousands that concern no reader. */
const PAGE_SIZE = 100;
const WINDOW = 5_000;

/** How far a reader has come; 0 for one that never ran. */
export async function readCursor({ db }: ReadServices, name: TrailReaderName): Promise<number> {
  const [cursor] = await db
    .select({ position: trailCursors.position })
    .from(trailCursors)
    .where(eq(trailCursors.name, name));
  return cursor?.position ?? 0;
}

/** Whether the trail has entries that a reader has not looked at. */
export async function hasNewEntries(services: ReadServices, name: TrailReaderName): Promise<boolean> {
  const [position, [trail]] = await Promise.all([
    readCursor(services, name),
    services.db.select({ end: sql<number | null>`max(${auditLogs.position})` }).from(auditLogs),
  ]);
  return (trail?.end ?? 0) > position;
}

/** A row while the reader stands at this position: the condition of every batch that moves it on. */
export function cursorStandsAt({ db }: ReadServices, name: TrailReaderName, position: number) {
  return db
    .select({ one: sql`1` })
    .from(trailCursors)
    .where(and(eq(trailCursors.name, name), eq(trailCursors.position, position)));
}

/** The next entries of the trail, at most `size` of them: where they end, and whether there may be more. */
export async function findWindow({ db }: ReadServices, position: number, size: number) {
  const [window] = await db.all<{ end: number | null; rows: number }>(
    sql`SELECT max("position") AS "end", count(*) AS "rows" FROM (SELECT "position" FROM ${auditLogs}
      WHERE "position" > ${position} ORDER BY "position" LIMIT ${size}) AS walk`,
  );
  return { end: window?.end ?? position, hasMore: window?.rows === size };
}

/** The entries of these actions between two positions, the second included, in the order in which they were written. */
export function selectEntries(
  { db }: ReadServices,
  { after, end, actions, limit }: { after: number; end: number; actions: readonly AuditAction[]; limit: number },
) {
  return db
    .select({
      position: auditLogs.position,
      id: auditLogs.id,
      organizationId: auditLogs.organizationId,
      userId: auditLogs.userId,
      action: auditLogs.action,
      entityType: auditLogs.entityType,
      entityId: auditLogs.entityId,
      details: auditLogs.details,
      createdAt: auditLogs.createdAt,
    })
    .from(auditLogs)
    .where(
      and(
        gt(auditLogs.position, after),
        lte(auditLogs.position, end),
        sql`${auditLogs.action} IN (SELECT value FROM json_each(${JSON.stringify(actions)}))`,
      ),
    )
    .orderBy(asc(auditLogs.position))
    .limit(limit);
}

/** The next entries of these actions after a position, and how far the trail was looked at for them. */
export async function readNewEntries(
  services: ReadServices,
  { position, actions }: { position: number; actions: readonly AuditAction[] },
): Promise<{ entries: TrailEntry[]; readTo: number; hasMore: boolean }> {
  const { end, hasMore } = await findWindow(services, position, WINDOW);
  const entries = await selectEntries(services, { after: position, end, actions, limit: PAGE_SIZE });
  const isFull = entries.length === PAGE_SIZE;
  return { entries, readTo: isFull ? (entries.at(-1)?.position ?? end) : end, hasMore: isFull || hasMore };
}
