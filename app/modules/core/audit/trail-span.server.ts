import { auditLogs } from "@db/schema";
import { sql } from "drizzle-orm";
import { endOfDay, MINUTE_MS, startOfDay } from "~/kernel/dates";
import type { ReadServices } from "~/services";
import type { AuditFilter } from "./audit-filter";

/**
 * Entries stand in the order of commits, which is that of their times but for what a command takes from reading its clock
 * to its commit. Dates are looked up with this much to spare, and each entry's own time decides.
 */
const SPARE_MS = 15 * MINUTE_MS;

/** Where the days of a filter begin and end: in time, and along the trail. Undefined where nothing bounds it. */
export type TrailSpan = { since?: number; until?: number; first?: number; end?: number };

/** The part of an organisation's trail in which the filter's days lie. Two look-ups of some forty rows each, at any size. */
export async function findSpan(
  services: ReadServices,
  organizationId: string,
  { from, to }: AuditFilter,
  timeZone: string,
): Promise<TrailSpan> {
  const since = from === undefined ? undefined : startOfDay(from, timeZone);
  const until = to === undefined ? undefined : endOfDay(to, timeZone);
  const [first, end] = await Promise.all([
    since === undefined ? undefined : findPositionAt(services, organizationId, since - SPARE_MS),
    until === undefined ? undefined : findPositionAt(services, organizationId, until + SPARE_MS),
  ]);
  return { since, until, first, end };
}

/**
 * The position from which an organisation's entries are of this time or later, found by halving: no index by time is
 * kept, which every entry would have to pay for.
 */
async function findPositionAt({ db }: ReadServices, organizationId: string, ms: number): Promise<number> {
  const middle = sql`(low + high) / 2`;
  const isBefore = sql`(SELECT "createdAt" FROM ${auditLogs} WHERE "organizationId" = ${organizationId}
    AND "position" >= ${middle} ORDER BY "position" LIMIT 1) < ${ms}`;
  const [found] = await db.all<{ position: number }>(sql`
    WITH RECURSIVE walk (low, high) AS (
      SELECT 1, (SELECT coalesce(max("position"), 0) + 1 FROM ${auditLogs} WHERE "organizationId" = ${organizationId})
      UNION ALL
      SELECT iif(${isBefore}, ${middle} + 1, low), iif(${isBefore}, high, ${middle}) FROM walk WHERE low < high
    )
    SELECT low AS "position" FROM walk WHERE low >= high`);
  return found?.position ?? 0;
}
