import type { Db } from "@db/client";
import { auditLogs, auditSeals, incidents, outbox, providerCalls, scheduleRuns } from "@db/schema";
import { asc, gt, isNull, max, sql } from "drizzle-orm";
import type { ReadServices, Services } from "~/services";
import type { Figures } from "./problems";

type Reading = Pick<Services, "db" | "clock" | "config">;

/** Jobs that are counted, at most; more are said to be as many. */
const MOST_COUNTED = 20_000;

/** What the status call and the page of operations say, and what alarms are made of. */
export async function readFigures(services: Reading): Promise<Figures> {
  const { db, clock, config } = services;
  const now = clock.now();
  const [schedules, providers, oldestDueAt, oldestUnsealedAt, bytes] = await Promise.all([
    db.select().from(scheduleRuns).where(gt(scheduleRuns.cron, "")).orderBy(asc(scheduleRuns.cron)),
    db.select().from(providerCalls).where(gt(providerCalls.party, "")).orderBy(asc(providerCalls.party)),
    findOldestDue(services, now),
    findOldestUnsealed(services),
    readBytes(db),
  ]);
  const none = { lastSucceededAt: null, lastFailedAt: null, failingSince: null, lastError: null };
  return {
    now,
    outbox: { oldestDueAt },
    schedules,
    // A party that was taken out of the configuration fails no more; one that was never called stands there too.
    providers: config.parties.map((party) => providers.find((row) => row.party === party) ?? { party, ...none }),
    sealer: { oldestUnsealedAt },
    database: { bytes, limitBytes: config.databaseLimitBytes ?? null },
  };
}

/** When the job that has waited longest without a consumer became due. */
async function findOldestDue({ db }: ReadServices, now: number): Promise<number | null> {
  const [row] = await db
    .select({ dueAt: outbox.dueAt })
    .from(outbox)
    .where(
      sql`${outbox.status} = 'pending' AND ${outbox.dueAt} <= ${now} AND coalesce(${outbox.leaseUntil}, 0) <= ${now}`,
    )
    .orderBy(asc(outbox.dueAt))
    .limit(1);
  return row?.dueAt ?? null;
}

async function findOldestUnsealed({ db }: ReadServices): Promise<number | null> {
  const [last] = await db.select({ position: max(auditSeals.position) }).from(auditSeals);
  const [row] = await db
    .select({ createdAt: auditLogs.createdAt })
    .from(auditLogs)
    .where(gt(auditLogs.position, last?.position ?? 0))
    .orderBy(asc(auditLogs.position))
    .limit(1);
  return row?.createdAt ?? null;
}

/** D1 says it with every answer; libSQL is asked. */
export async function readBytes(db: Db): Promise<number> {
  const answer = (await db.run(sql`SELECT 1`)) as { meta?: { size_after?: number } };
  if (answer.meta?.size_after !== undefined) return answer.meta.size_after;
  const [row] = await db.all<{ bytes: number }>(
    sql`SELECT (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size) AS "bytes"`,
  );
  return row?.bytes ?? 0;
}

export type KindCount = { kind: string; count: number };

/** How many jobs of each kind wait, and how many were given up. */
export async function countJobs({ db }: ReadServices): Promise<{ pending: KindCount[]; failed: KindCount[] }> {
  const counted = (condition: ReturnType<typeof sql>) =>
    db.all<KindCount>(
      sql`SELECT "kind", count(*) AS "count" FROM (SELECT "kind" FROM ${outbox} WHERE ${condition} LIMIT ${MOST_COUNTED}) AS walk
        GROUP BY "kind" ORDER BY "kind"`,
    );
  const [pending, failed] = await Promise.all([
    counted(sql`"status" = 'pending' AND "dueAt" > 0`),
    counted(sql`"status" = 'failed' AND "finishedAt" > 0`),
  ]);
  return { pending, failed };
}

/** What is wrong now, as it was written down, the oldest first. */
export async function listOpenIncidents({ db }: ReadServices) {
  const rows = await db.select().from(incidents).where(isNull(incidents.endedAt)).limit(100);
  return rows.sort((one, other) => one.startedAt - other.startedAt);
}
