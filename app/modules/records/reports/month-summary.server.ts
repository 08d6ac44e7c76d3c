import { auditLogs, columnsOf, reportDays } from "@db/database";
import { findWalk, walkOrganizations } from "@db/walk";
import { and, between, eq, sql } from "drizzle-orm";
import { DAY_MS, isoDay, startOfDay } from "~/kernel/dates";
import type { AuditAction } from "~/modules/core/audit/audit";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { type ReadServices, systemActor, type WriteServices } from "~/services-and-actor";
import { GRADE_KEYS } from "./count-entries";
import { readZones } from "./count-trail.server";
import { HELD_KEYS, REJECTED_KEYS } from "./report";
import { monthBefore, type ReportRange } from "./report-range";

/** How many organisations one night handles; the next continues. */
const NIGHT = 500;
/** A walk starts once a month, after the month has begun everywhere in Australia. */
const EVERY_MS = 20 * DAY_MS;
const LAST_FIRST_NIGHT = 5;
const READY = "report.month_ended" satisfies AuditAction;

/**
 * Adds an entry with the previous month's figures to each organisation's audit trail, from which alerts tell the people
 * who asked for it. Organisations without any counts get none.
 * @returns how many summaries were written
 */
export async function summarizeMonths(services: WriteServices): Promise<number> {
  const { db, clock } = services;
  const walk = await findWalk(db, "month-summaries", clock.now(), EVERY_MS);
  if (!walk || (walk.key === "" && new Date(clock.now()).getUTCDate() > LAST_FIRST_NIGHT)) return 0;
  let written = 0;
  await walkOrganizations(db, walk, { now: clock.now(), budget: NIGHT }, async (ids) => {
    const zoneOf = await readZones(services, ids);
    for (const id of ids) if (await summarizeMonth(services, id, zoneOf(id))) written++;
    return ids.length;
  });
  return written;
}

async function summarizeMonth(services: WriteServices, organizationId: string, timeZone: string): Promise<boolean> {
  const now = services.clock.now();
  const month = monthBefore(now, timeZone);
  const details = await readMonth(services, organizationId, month);
  if (!details) return false;
  const monthBegan = startOfDay(`${isoDay(now, timeZone).slice(0, 7)}-01`, timeZone);
  const { ok } = await runCommand(services, systemActor(organizationId, services.ids.next()), {
    conditions: [{ name: "written_already", found: isNotWritten(organizationId, monthBegan) }],
    audit: [{ action: READY, entityType: "organization", entityId: organizationId, details }],
  });
  return ok;
}

const isNotWritten = (organizationId: string, since: number) => sql`SELECT 1 WHERE NOT EXISTS (
  SELECT 1 FROM ${auditLogs} WHERE "organizationId" = ${organizationId} AND "action" = ${READY} AND "createdAt" >= ${since})`;

export type MonthSummary = NonNullable<Awaited<ReturnType<typeof readMonth>>>;

/** The figures of a month; undefined when nothing was counted. */
async function readMonth({ db }: ReadServices, organizationId: string, month: ReportRange) {
  const rows = await db
    .select({
      ...columnsOf(reportDays, "metric", "key"),
      count: sql<number>`sum(${reportDays.count})`,
      sum: sql<number>`sum(${reportDays.sum})`,
    })
    .from(reportDays)
    .where(
      and(
        eq(reportDays.organizationId, organizationId),
        sql`${reportDays.metric} IN ('decided', 'payments', 'calls')`,
        between(reportDays.day, month.from, month.to),
      ),
    )
    .groupBy(reportDays.metric, reportDays.key);
  if (rows.length === 0) return undefined;
  const total = (metric: string, keys: readonly string[], of: "count" | "sum" = "count") =>
    rows.filter((row) => row.metric === metric && keys.includes(row.key)).reduce((sum, row) => sum + row[of], 0);
  return {
    month: monthName(month.from),
    ...month,
    verified: total("decided", ["verified"]),
    verifiedByBank: total("decided", [GRADE_KEYS.bank_consent]),
    verifiedByCall: total("decided", [GRADE_KEYS.call_back]),
    verifiedByVouching: total("decided", [GRADE_KEYS.vouched]),
    verifiedByPerson: total("decided", [GRADE_KEYS.person]),
    rejected: total("decided", ["rejected"]),
    paymentsHeld: total("payments", HELD_KEYS),
    heldCents: total("payments", HELD_KEYS, "sum"),
    paymentsRejected: total("payments", REJECTED_KEYS),
    rejectedCents: total("payments", REJECTED_KEYS, "sum"),
    calls: total("calls", ["proof", "confirmed", "not_confirmed", "no_answer"]),
  };
}

/** "October 2026". */
const monthName = (day: string): string =>
  new Intl.DateTimeFormat("en-AU", { month: "long", year: "numeric", timeZone: "UTC" }).format(
    Date.parse(`${day}T12:00:00Z`),
  );
