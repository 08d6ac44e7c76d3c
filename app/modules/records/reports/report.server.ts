import { reportDays, users } from "@db/schema";
import { and, between, eq, sql } from "drizzle-orm";
import { displayName } from "~/kernel/actor";
import type { ReportMetric } from "~/kernel/enums";
import type { ReadServices } from "~/services";
import { BY_RULE } from "./count-entries";
import { buildReport, type Counted, isOverTime, metricOf, type Report, type ReportId } from "./report";
import type { ReportRange } from "./report-range";

/** A report of some days. It reads the counts of these days, never the rows that were counted. */
export async function readReport(
  services: ReadServices,
  { organizationId }: { organizationId: string },
  id: ReportId,
  range: ReportRange,
): Promise<Report> {
  const counted = await readCounts(services, organizationId, { metric: metricOf(id), byDay: isOverTime(id), range });
  const names = id === "people" ? await readNames(services, counted) : new Map<string, string>();
  return buildReport(id, { range, counted, nameOf: (userId) => names.get(userId) ?? "A former member" });
}

type Asked = { metric: ReportMetric; byDay: boolean; range: ReportRange };

async function readCounts(
  { db }: ReadServices,
  organizationId: string,
  { metric, byDay, range }: Asked,
): Promise<Counted[]> {
  const day = byDay ? reportDays.day : sql<string>`''`.as("day");
  return db
    .select({
      metric: reportDays.metric,
      key: reportDays.key,
      day,
      count: sql<number>`sum(${reportDays.count})`,
      sum: sql<number>`sum(${reportDays.sum})`,
    })
    .from(reportDays)
    .where(
      and(
        eq(reportDays.organizationId, organizationId),
        eq(reportDays.metric, metric),
        between(reportDays.day, range.from, range.to),
      ),
    )
    .groupBy(...(byDay ? [reportDays.day, reportDays.key] : [reportDays.key]));
}

async function readNames({ db }: ReadServices, counted: readonly Counted[]): Promise<Map<string, string>> {
  const ids = [...new Set(counted.map(({ key }) => key.split(":")[0] ?? ""))].filter((id) => id !== BY_RULE);
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: users.id, firstName: users.firstName, lastName: users.lastName })
    .from(users)
    .where(sql`${users.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
  return new Map(rows.map(({ id, ...name }) => [id, displayName(name)]));
}
