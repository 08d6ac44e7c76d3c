import { releaseLease, takeLease } from "@db/lease";
import { auditLogs, reportDays, trailCursors } from "@db/schema";
import { and, eq, gt, lte, sql } from "drizzle-orm";
import { MINUTE_MS } from "~/kernel/dates";
import { runStep } from "~/modules/commands/run-command.server";
import type { WriteServices } from "~/services";
import { countEntries, type DayRow } from "./count-entries";
import { REPORTS_CURSOR, readCounted, readZones } from "./trail-counts.queries.server";

const LEASE = "reports";
/** Entries of the trail that one page looks at, and pages of one run; the next run goes on from there. */
const WINDOW = 1_000;
const MAX_PAGES = 30;

/**
 * Reads on in the audit trail and adds what it says to the counts of each day. A page and the cursor are one batch, so
 * every entry is counted once, whatever ended the run. Of two runs at once one does the work.
 * @returns how many rows of days were written
 */
export async function countTrail(services: WriteServices): Promise<number> {
  const { db, clock, ids } = services;
  const holder = ids.next();
  if (!(await takeLease(db, { name: LEASE, holder, now: clock.now(), ttlMs: MINUTE_MS }))) return 0;
  let written = 0;
  try {
    for (let page = 0; page < MAX_PAGES; page++) {
      const read = await countNextPage(services);
      written += read.written;
      if (!read.hasMore) break;
    }
  } finally {
    await releaseLease(db, LEASE, holder);
  }
  return written;
}

async function countNextPage(services: WriteServices): Promise<{ hasMore: boolean; written: number }> {
  const { db } = services;
  const [cursor] = await db
    .select({ position: trailCursors.position })
    .from(trailCursors)
    .where(eq(trailCursors.name, REPORTS_CURSOR));
  const position = cursor?.position ?? 0;
  const [window] = await db.all<{ end: number | null; rows: number }>(
    sql`SELECT max("position") AS "end", count(*) AS "rows" FROM (SELECT "position" FROM ${auditLogs}
      WHERE "position" > ${position} ORDER BY "position" LIMIT ${WINDOW}) AS walk`,
  );
  const end = window?.end ?? position;
  if (end === position) return { hasMore: false, written: 0 };
  const between = and(gt(auditLogs.position, position), lte(auditLogs.position, end));
  const entries = await readCounted(services, between, WINDOW);
  const zoneOf = await readZones(
    services,
    entries.map(({ organizationId }) => organizationId),
  );
  const rows = countEntries(entries, zoneOf);
  const stillThere = db
    .select({ one: sql`1` })
    .from(trailCursors)
    .where(and(eq(trailCursors.name, REPORTS_CURSOR), eq(trailCursors.position, position)));
  const { ok } = await runStep(services, {
    conditions: [{ name: "counted_already", found: stillThere }],
    statements: [
      db.update(trailCursors).set({ position: end }).where(eq(trailCursors.name, REPORTS_CURSOR)),
      ...(rows.length > 0 ? [addDays(services, rows)] : []),
    ],
  });
  return { hasMore: window?.rows === WINDOW, written: ok ? rows.length : 0 };
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
