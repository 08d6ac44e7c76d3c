import { paymentFileClearings, prepared, reportDays } from "@db/database";
import { and, between, eq, gte, sql } from "drizzle-orm";
import { isoDay, moveDay, startOfDay } from "~/kernel/dates";
import { firstIdOf } from "~/kernel/ids";
import type { Actor, TimedServices } from "~/services-and-actor";
import { buildMoney, CLEARED_FILES } from "./report";
import { showFigures } from "./report.server";
import { dayRange, groupOf, type ReportRange } from "./report-range";

/** How many weeks the dashboard's picture shows, the present one included. */
const WEEKS = 12;

function weeksUntil(now: number, timeZone: string): ReportRange {
  const to = isoDay(now, timeZone);
  return { from: moveDay(groupOf(to, "week"), -7 * (WEEKS - 1)), to };
}

/** Reads the daily counts of payments, and each file that was cleared: a row for each, whatever is in it. */
export async function readMoney(
  { db, clock }: TimedServices,
  { organizationId, timeZone }: Pick<Actor, "organizationId" | "timeZone">,
) {
  const range = weeksUntil(clock.now(), timeZone);
  const queries = moneyQueries(db);
  const [days, files] = await Promise.all([
    queries.days.all({ organizationId, ...range }),
    queries.files.all({ organizationId, firstId: firstIdOf(startOfDay(range.from, timeZone)) }),
  ]);
  return { range, days, files };
}

const organizationId = sql.placeholder("organizationId");

const moneyQueries = prepared((db) => ({
  days: db
    .select({ day: reportDays.day, key: reportDays.key, count: reportDays.count, sum: reportDays.sum })
    .from(reportDays)
    .where(
      and(
        eq(reportDays.organizationId, organizationId),
        sql`${reportDays.metric} = 'payments'`,
        between(reportDays.day, sql.placeholder("from"), sql.placeholder("to")),
      ),
    )
    .prepare(),
  files: db
    .select({ at: paymentFileClearings.createdAt, cents: paymentFileClearings.totalCents })
    .from(paymentFileClearings)
    .where(
      and(
        eq(paymentFileClearings.organizationId, organizationId),
        gte(paymentFileClearings.id, sql.placeholder("firstId")),
      ),
    )
    .prepare(),
}));

/** The picture and its figures; null: no money was cleared, held or rejected in these weeks. */
export function showMoney(
  { range, days, files }: Awaited<ReturnType<typeof readMoney>>,
  { timeZone }: Pick<Actor, "timeZone">,
) {
  const metric = "payments" as const;
  const cleared = files.map(({ at, cents }) => ({
    key: CLEARED_FILES,
    day: isoDay(at, timeZone),
    count: 1,
    sum: cents,
  }));
  const counted = [...days, ...cleared].map((row) => ({ ...row, metric }));
  const { title, description, head, rows, totals, chart } = showFigures(buildMoney({ range, counted }));
  if (!chart) return null;
  return { title, description, head, rows, totals, weeks: `By week, ${dayRange(range)}.`, chart };
}
