import { counters, organizations, payees, paymentRecords, verifications } from "@db/schema";
import { asc, gt, type SQL, sql } from "drizzle-orm";
import { COUNTER_NAMES, type CounterName } from "~/kernel/enums";
import type { Services } from "~/services";

/** Organisations counted in one statement: long enough to be quick, short enough to let others write between. */
const PAGE_SIZE = 50;

const isOrganizations = (column: SQL) => sql`${column} = json_each.value`;

/** How each count is taken afresh, along an index of the organisation's rows. */
const COUNTED: Record<CounterName, SQL> = {
  payees: sql`SELECT count(*) FROM ${payees} WHERE ${isOrganizations(sql`${payees.organizationId}`)}`,
  whitelistedPayees: sql`SELECT count(*) FROM ${payees}
    WHERE ${isOrganizations(sql`${payees.organizationId}`)} AND ${payees.whitelisted} = 1`,
  pendingVerifications: sql`SELECT count(*) FROM ${verifications}
    WHERE ${isOrganizations(sql`${verifications.organizationId}`)} AND ${verifications.status} = 'pending'`,
  heldPayments: sql`SELECT count(*) FROM ${paymentRecords}
    WHERE ${isOrganizations(sql`${paymentRecords.organizationId}`)} AND ${paymentRecords.status} = 'held'`,
};

/**
 * Counts every organisation's rows again and corrects what the triggers have wrong, which should be nothing: a
 * correction is worth a warning. Counting and correcting are one statement, so no change can fall between them.
 *
 * @returns how many counts were corrected
 */
export async function reconcileCounters(services: Pick<Services, "db" | "log">): Promise<number> {
  const { db, log } = services;
  let corrected = 0;
  for (let after = ""; ; ) {
    const page = await db
      .select({ id: organizations.id })
      .from(organizations)
      .where(gt(organizations.id, after))
      .orderBy(asc(organizations.id))
      .limit(PAGE_SIZE);
    const ids = JSON.stringify(page.map((row) => row.id));
    for (const name of COUNTER_NAMES) {
      const wrong = await correct(services, name, ids);
      if (wrong.length > 0) log.warn("counters.corrected", { name, organizations: wrong });
      corrected += wrong.length;
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE_SIZE) return corrected;
    after = last.id;
  }
}

async function correct({ db }: Pick<Services, "db">, name: CounterName, organizationIds: string): Promise<string[]> {
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
