import { reportDays } from "@db/schema";
import { sql } from "drizzle-orm";
import { findWindow, readTrailOn } from "~/modules/core/trail-reading.server";
import type { WriteServices } from "~/services";
import { countEntries, type DayRow } from "./count-entries";
import { isBetween, readCounted, readZones } from "./trail-counts.server";

/** Entries of the trail that one page looks at, and pages of one run; the next run goes on from there. */
const WINDOW = 1_000;
const MAX_PAGES = 30;

/**
 * Adds what the audit trail says to the counts of each day.
 * @returns how many rows of days were written
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

/** One statement for all rows: D1 binds at most 100 values, so they travel as one JSON text. */
function addDays({ db }: Pick<WriteServices, "db">, rows: readonly DayRow[]) {
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
