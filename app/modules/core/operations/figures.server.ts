import { auditLogs, auditSeals, type Db, incidents, outbox, providerCalls, scheduleRuns } from "@db/database";
import { and, asc, between, gt, isNull, max, sql } from "drizzle-orm";
import type { QueueName, ReadServices, Services } from "~/services-and-actor";
import type { Figures } from "./problems";

/** How many jobs are counted at most; beyond it this number is reported. */
const MOST_COUNTED = 20_000;

/** Deliveries of the queues are recorded like answers of outside parties, under these names. */
export const QUEUES: Readonly<Record<QueueName, string>> = {
  jobs: "queue jobs",
  "bank-checks": "queue bank-checks",
  "dead-letters": "queue dead-letters",
};

/** The same for messages that a queue gave up on: each counts as a failure. */
export const DEAD_LETTERS = "dead letters";

/** The figures for the status call and the operations page, from which alarms are derived. */
export async function readFigures(services: Pick<Services, "db" | "clock" | "config">): Promise<Figures> {
  const { db, clock, config } = services;
  const now = clock.now();
  const [schedules, providers, oldestDueAt, oldestUnsealedAt, bytes] = await Promise.all([
    db.select().from(scheduleRuns).where(gt(scheduleRuns.cron, "")).orderBy(asc(scheduleRuns.cron)),
    db.select().from(providerCalls).where(gt(providerCalls.party, "")).orderBy(asc(providerCalls.party)),
    findOldestDue(services, now),
    findOldestUnsealed(services),
    readBytes(db),
  ]);
  const letter = providers.find(({ party }) => party === DEAD_LETTERS);
  const none = { lastSucceededAt: null, lastFailedAt: null, failingSince: null, lastError: null };
  return {
    now,
    outbox: { oldestDueAt },
    schedules,
    // Leaves out parties that are no longer configured, and includes those that were never called.
    providers: config.parties.map((party) => providers.find((row) => row.party === party) ?? { party, ...none }),
    queues: Object.entries(QUEUES).map(([queue, name]) => {
      const { party: _, ...calls } = providers.find(({ party }) => party === name) ?? { party: name, ...none };
      return { queue: queue as QueueName, ...calls };
    }),
    deadLetter: { lastAt: letter?.lastFailedAt ?? null, about: letter?.lastError ?? null },
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

const NEWEST_ENTRIES = 1_000;

/** True if one of the newest entries of the trail was written in this time. An export may have sealed them. */
export async function wasWritten({ db }: ReadServices, from: number, to: number): Promise<boolean> {
  const [newest] = await db.select({ position: max(auditLogs.position) }).from(auditLogs);
  const isNew = gt(auditLogs.position, (newest?.position ?? 0) - NEWEST_ENTRIES);
  const rows = await db
    .select({ position: auditLogs.position })
    .from(auditLogs)
    .where(and(isNew, between(auditLogs.createdAt, from, to)))
    .limit(1);
  return rows.length > 0;
}

/** The database size: D1 reports it with every answer; libSQL is queried. */
export async function readBytes(db: Db): Promise<number> {
  const answer = (await db.run(sql`SELECT 1`)) as { meta?: { size_after?: number } };
  if (answer.meta?.size_after !== undefined) return answer.meta.size_after;
  const [row] = await db.all<{ bytes: number }>(
    sql`SELECT (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size) AS "bytes"`,
  );
  return row?.bytes ?? 0;
}

export type KindCount = { kind: string; count: number };

/** How many jobs of each kind are waiting, and how many were given up. */
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

/** The recorded problems that are still open, oldest first. */
export async function listOpenIncidents({ db }: ReadServices) {
  const rows = await db.select().from(incidents).where(isNull(incidents.endedAt)).limit(100);
  return rows.sort((one, other) => one.startedAt - other.startedAt);
}
