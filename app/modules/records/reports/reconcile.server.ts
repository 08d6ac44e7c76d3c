import { auditLogs, reportDays } from "@db/schema";
import { findWalk, walkOrganizations } from "@db/walk";
import { and, eq, gte, lt, sql } from "drizzle-orm";
import { DAY_MS, isoDay, moveDay } from "~/kernel/dates";
import { findSpan } from "~/modules/core/audit/audit.server";
import { runStep } from "~/modules/core/commands/run-command.server";
import { cursorStandsAt, readCursor } from "~/modules/core/trail-reading.server";
import type { ReadServices, Services, WriteServices } from "~/services";
import { countEntries, type DayRow } from "./count-entries";
import { isOfOrganization, readCounted, readZones } from "./trail-counts.server";

/** Organisations that one night looks at; the next goes on. */
const NIGHT = 500;
const EVERY_MS = DAY_MS / 2;
/** A day with more entries is left as it is, and the log says so. */
const MAX_ENTRIES = 20_000;

/**
 * Counts the day before again, organisation by organisation, from the audit trail, and corrects what differs, which should
 * be nothing: a correction is worth a warning. Goes on where the night before stopped.
 * @returns how many days were corrected
 */
export async function reconcileReports(services: WriteServices & Pick<Services, "log">): Promise<number> {
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
async function reconcileDay(services: WriteServices & Pick<Services, "log">, asked: OneDay): Promise<boolean> {
  const { organizationId, day, timeZone } = asked;
  const [cursor, span] = await Promise.all([
    readCursor(services, "reports"),
    findSpan(services, organizationId, { from: day, to: day }, timeZone),
  ]);
  const { first = 0, end = 0, since = 0, until = 0 } = span;
  // What was not counted yet cannot be compared.
  if (cursor < end - 1) return false;
  const inDay = and(
    isOfOrganization(organizationId),
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

/** The rows of one day: each metric along its own part of the key. */
const isOnDay = ({ organizationId, day }: OneDay) =>
  and(
    eq(reportDays.organizationId, organizationId),
    sql`${reportDays.metric} IN (SELECT value FROM json_each(${JSON.stringify(reportDays.metric.enumValues)}))`,
    eq(reportDays.day, day),
  );

const readDay = ({ db }: ReadServices, asked: OneDay): Promise<DayRow[]> =>
  db.select().from(reportDays).where(isOnDay(asked));

/** The day's rows are replaced as long as nothing was counted meanwhile. */
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
