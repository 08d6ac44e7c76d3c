import { counters, payees, paymentRecords, verifications } from "@db/schema";
import { findWalk, walkOrganizations } from "@db/walk";
import { type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "~/kernel/dates";
import { COUNTER_NAMES, type CounterName } from "~/kernel/enums";
import type { ReadServices, Services } from "~/services";

/** Rows that one night counts, about; the next night goes on. Every count is taken afresh once a week or more seldom. */
const NIGHT_ROWS = 250_000;
const EVERY_MS = 7 * DAY_MS;

const isOrganizations = (column: SQL) => sql`${column} = json_each.value`;

/** How each count is taken afresh, along an index of the organisation's rows. */
const COUNTED: Record<CounterName, SQL> = {
  payees: sql`SELECT count(*) FROM ${payees} WHERE ${isOrganizations(sql`${payees.organizationId}`)}`,
  archivedPayees: sql`SELECT count(*) FROM ${payees}
    WHERE ${isOrganizations(sql`${payees.organizationId}`)} AND ${payees.archivedAt} IS NOT NULL`,
  whitelistedPayees: sql`SELECT count(*) FROM ${payees}
    WHERE ${isOrganizations(sql`${payees.organizationId}`)} AND ${payees.whitelisted} = 1`,
  pendingVerifications: sql`SELECT count(*) FROM ${verifications}
    WHERE ${isOrganizations(sql`${verifications.organizationId}`)} AND ${verifications.status} = 'pending'`,
  heldPayments: sql`SELECT count(*) FROM ${paymentRecords}
    WHERE ${isOrganizations(sql`${paymentRecords.organizationId}`)} AND ${paymentRecords.status} = 'held'`,
};

/**
 * Counts the rows of some organisations again, going on where the night before stopped, and corrects what the triggers
 * have wrong, which should be nothing: a correction is worth a warning. Counting and correcting are one statement, so no change can fall between them.
 *
 * @returns how many counts were corrected
 */
export async function reconcileCounters(services: Pick<Services, "db" | "log" | "clock">): Promise<number> {
  const { db, log, clock } = services;
  const walk = await findWalk(db, "counters", clock.now(), EVERY_MS);
  if (!walk) return 0;
  let corrected = 0;
  await walkOrganizations(db, walk, { now: clock.now(), budget: NIGHT_ROWS }, async (organizationIds) => {
    const ids = JSON.stringify(organizationIds);
    for (const name of COUNTER_NAMES) {
      const wrong = await correct(services, name, ids);
      if (wrong.length > 0) log.warn("counters.corrected", { name, organizations: wrong });
      corrected += wrong.length;
    }
    return organizationIds.length + (await sumOfCounts(services, ids));
  });
  return corrected;
}

/** About as many rows as counting took. */
async function sumOfCounts({ db }: ReadServices, organizationIds: string): Promise<number> {
  const [row] = await db
    .select({ rows: sql<number>`coalesce(sum(${counters.value}), 0)` })
    .from(counters)
    .where(sql`${counters.organizationId} IN (SELECT value FROM json_each(${organizationIds}))`);
  return row?.rows ?? 0;
}

async function correct({ db }: ReadServices, name: CounterName, organizationIds: string): Promise<string[]> {
  const rows = await db.all<{ organizationId: string }>(
    sql`INSERT INTO ${counters} ("organizationId", "name", "value")
        SELECT json_each.value, ${name}, (${COUNTED[name]}) AS "counted" FROM json_each(${organizationIds})
        WHERE "counted" > 0 OR EXISTS (
          SELECT 1 FROM ${counters} AS kept WHERE kept."organizationId" = json_each.value AND kept."name" = ${name})
        ON CONFLICT ("organizationId", "name") DO UPDATE SET "value" = excluded."value"
          WHERE ${counters.value} <> excluded."value"
        RETURNING "organizationId"`,
  );
  return rows.map((row) => row.organizationId);
}
