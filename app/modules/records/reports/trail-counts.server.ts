import { auditLogs, organizationPolicies, paymentRecords } from "@db/schema";
import { and, asc, eq, gt, lte, type SQL, sql } from "drizzle-orm";
import { DEFAULT_TIME_ZONE } from "~/kernel/dates";
import type { ReadServices } from "~/services";
import { COUNTED_ACTIONS, type CountedEntry } from "./count-entries";

/** Entries behind a position of the trail, up to another. */
export const isBetween = (after: number, end: number) =>
  and(gt(auditLogs.position, after), lte(auditLogs.position, end));

/** Reads the entries of the audit trail that reports count, with the amounts of the payments they are about. */
export async function readCounted(
  services: ReadServices,
  where: SQL | undefined,
  limit: number,
): Promise<(CountedEntry & { position: number })[]> {
  const rows = await services.db
    .select({
      position: auditLogs.position,
      organizationId: auditLogs.organizationId,
      userId: auditLogs.userId,
      action: auditLogs.action,
      entityType: auditLogs.entityType,
      entityId: auditLogs.entityId,
      details: auditLogs.details,
      createdAt: auditLogs.createdAt,
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

/** The zone in which each organisation reads its days. */
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

export const isOfOrganization = (organizationId: string): SQL => eq(auditLogs.organizationId, organizationId);
