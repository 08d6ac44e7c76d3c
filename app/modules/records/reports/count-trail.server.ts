import { auditLogs, columnsOf, organizationPolicies, paymentRecords, reportDays } from "@db/database";
import { findWalk, walkOrganizations } from "@db/walk";
import { and, asc, eq, gt, gte, lt, lte, type SQL, sql } from "drizzle-orm";
import { DAY_MS, DEFAULT_TIME_ZONE, isoDay, moveDay } from "~/kernel/dates";
import { findSpan } from "~/modules/core/audit/audit.server";
import { runStep } from "~/modules/core/commands/run-command.server";
import { cursorStandsAt, findWindow, readCursor, readTrailOn } from "~/modules/core/trail-reading.server";
import type { ReadServices, Services, WriteServices } from "~/services-and-actor";
import { COUNTED_ACTIONS, countEntries, type DayRow } from "./count-entries";

/** How many entries one page reads, and how many pages one run; the next run continues. */
const WINDOW = 1_000;
const MAX_PAGES = 30;

/**
 * Adds new audit entries to the counts of each day.
 * @returns how many rows were written
 */
export function countTrail(services: WriteServices): Promise<number> {
  return readTrailOn(services, {
    name: "reports",
    maxPages: MAX_PAGES,
    async readPage(position) {
      const { end: readTo, hasMore } = await findWindow(services, position, WINDOW);
      const entries = await readCounted(services, isBetween(position, readTo), WINDOW);
      const zoneOf = await readZones(
        services,
        entries.map(({ organizationId }) => organizationId),
      );
      const rows = countEntries(entries, zoneOf);
      return { readTo, hasMore, done: rows.length, statements: rows.length > 0 ? [addDays(services, rows)] : [] };
    },
  });
}

/** The rows are passed as one JSON list, because D1 binds at most 100 values. */
function addDays({ db }: Pick<Services, "db">, rows: readonly DayRow[]) {
  return db
    .insert(reportDays)
    .select(
      sql`SELECT value ->> 'organizationId', value ->> 'metric', value ->> 'day', value ->> 'key', value ->> 'count', value ->> 'sum'
        FROM json_each(${JSON.stringify(rows)}) WHERE true`,
    )
    .onConflictDoUpdate({
      target: [reportDays.organizationId, reportDays.metric, reportDays.day, reportDays.key],
      set: { count: sql`${reportDays.count} + excluded."count"`, sum: sql`${reportDays.sum} + excluded."sum"` },
    });
}

/** How many organisations one night verifies; the next continues. */
const NIGHT = 500;
const EVERY_MS = DAY_MS / 2;
/** A day with more entries is left as it is and logged. */
const MAX_ENTRIES = 20_000;

/**
 * Recounts the previous day from the audit trail, organisation by organisation, and corrects differences, which should
 * never happen: each correction is logged as a warning. Continues where the night before stopped.
 * @returns how many days were corrected
 */
export async function reconcileReports(services: WriteServices): Promise<number> {
  const { db, clock } = services;
  const walk = await findWalk(db, "reports", clock.now(), EVERY_MS);
  if (!walk) return 0;
  let corrected = 0;
  await walkOrganizations(db, walk, { now: clock.now(), budget: NIGHT }, async (ids) => {
    const zoneOf = await readZones(services, ids);
    for (const id of ids) {
      const timeZone = zoneOf(id);
      const day = moveDay(isoDay(clock.now(), timeZone), -1);
      if (await reconcileDay(services, { organizationId: id, day, timeZone })) corrected++;
    }
    return ids.length;
  });
  return corrected;
}

type OneDay = { organizationId: string; day: string; timeZone: string };

/** @returns whether the day was corrected */
async function reconcileDay(services: WriteServices, asked: OneDay): Promise<boolean> {
  const { organizationId, day, timeZone } = asked;
  const [cursor, span] = await Promise.all([
    readCursor(services, "reports"),
    findSpan(services, organizationId, { from: day, to: day }, timeZone),
  ]);
  const { first = 0, end = 0, since = 0, until = 0 } = span;
  // A day that is not fully counted yet cannot be compared.
  if (cursor < end - 1) return false;
  const inDay = and(
    eq(auditLogs.organizationId, organizationId),
    gte(auditLogs.position, first),
    lt(auditLogs.position, end),
    gte(auditLogs.createdAt, since),
    lt(auditLogs.createdAt, until),
  );
  const entries = await readCounted(services, inDay, MAX_ENTRIES + 1);
  if (entries.length > MAX_ENTRIES) {
    services.log.warn("reports.not_reconciled", { organizationId, day });
    return false;
  }
  const counted = countEntries(entries, () => timeZone);
  const kept = await readDay(services, asked);
  if (textOfRows(counted) === textOfRows(kept)) return false;
  const { ok } = await replaceDay(services, asked, counted, cursor);
  if (ok) services.log.warn("reports.corrected", { organizationId, day });
  return ok;
}

const textOfRows = (rows: readonly DayRow[]): string =>
  rows
    .map(({ metric, key, count, sum }) => `${metric} ${key} ${count} ${sum}`)
    .sort()
    .join("\n");

/** The rows of one day: each metric has its own part of the key. */
const isOnDay = ({ organizationId, day }: OneDay) =>
  and(
    eq(reportDays.organizationId, organizationId),
    sql`${reportDays.metric} IN (SELECT value FROM json_each(${JSON.stringify(reportDays.metric.enumValues)}))`,
    eq(reportDays.day, day),
  );

const readDay = ({ db }: ReadServices, asked: OneDay): Promise<DayRow[]> =>
  db.select().from(reportDays).where(isOnDay(asked));

/** Replaces the day's rows, on condition that nothing was counted meanwhile. */
function replaceDay(services: WriteServices, asked: OneDay, rows: readonly DayRow[], cursor: number) {
  const { db } = services;
  const insert = db.insert(reportDays).select(
    sql`SELECT value ->> 'organizationId', value ->> 'metric', value ->> 'day', value ->> 'key', value ->> 'count', value ->> 'sum'
      FROM json_each(${JSON.stringify(rows)})`,
  );
  return runStep(services, {
    conditions: [{ name: "counted_meanwhile", found: cursorStandsAt(services, "reports", cursor) }],
    statements: [db.delete(reportDays).where(isOnDay(asked)), ...(rows.length > 0 ? [insert] : [])],
  });
}

/** Entries after a position of the trail, up to another. */
export const isBetween = (after: number, end: number) =>
  and(gt(auditLogs.position, after), lte(auditLogs.position, end));

/** Reads the audit entries that reports count, with the amounts of their payments. */
export async function readCounted(services: ReadServices, where: SQL | undefined, limit: number) {
  const rows = await services.db
    .select({
      ...columnsOf(auditLogs, "position", "organizationId", "userId", "action"),
      ...columnsOf(auditLogs, "entityType", "entityId", "details", "createdAt"),
    })
    .from(auditLogs)
    .where(and(where, sql`${auditLogs.action} IN (SELECT value FROM json_each(${JSON.stringify(COUNTED_ACTIONS)}))`))
    .orderBy(asc(auditLogs.position))
    .limit(limit);
  const amounts = await readAmounts(services, rows);
  return rows.map(({ entityType: _, ...row }) => ({ ...row, amount: amounts.get(row.entityId ?? "") ?? 0 }));
}

type Subject = { organizationId: string; entityType: string | null; entityId: string | null };

async function readAmounts({ db }: ReadServices, subjects: readonly Subject[]): Promise<Map<string, number>> {
  const payments = subjects.filter(({ entityType }) => entityType === "payment");
  if (payments.length === 0) return new Map();
  const ids = JSON.stringify([...new Set(payments.map(({ entityId }) => entityId))]);
  const organizations = JSON.stringify([...new Set(payments.map(({ organizationId }) => organizationId))]);
  const rows = await db
    .select({ id: paymentRecords.id, amount: paymentRecords.amount })
    .from(paymentRecords)
    .where(
      and(
        sql`${paymentRecords.organizationId} IN (SELECT value FROM json_each(${organizations}))`,
        sql`${paymentRecords.id} IN (SELECT value FROM json_each(${ids}))`,
      ),
    );
  return new Map(rows.map(({ id, amount }) => [id, amount]));
}

/** The time zone of each organisation. */
export async function readZones(
  { db }: ReadServices,
  organizationIds: readonly string[],
): Promise<(organizationId: string) => string> {
  const ids = JSON.stringify([...new Set(organizationIds)]);
  const rows = await db
    .select({ id: organizationPolicies.organizationId, timeZone: organizationPolicies.timeZone })
    .from(organizationPolicies)
    .where(sql`${organizationPolicies.organizationId} IN (SELECT value FROM json_each(${ids}))`);
  const zones = new Map(rows.map(({ id, timeZone }) => [id, timeZone]));
  return (organizationId) => zones.get(organizationId) ?? DEFAULT_TIME_ZONE;
}
