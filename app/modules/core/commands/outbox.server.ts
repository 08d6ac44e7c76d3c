import { outbox, type Statement } from "@db/database";
import { databaseIsInUse } from "@db/database-gate";
import { and, eq, isNull, lte, or, sql } from "drizzle-orm";
import {
  PLATFORM_ORGANIZATION_ID,
  type ReadServices,
  type Services,
  systemActor,
  type TimedServices,
  type WriteServices,
} from "~/services-and-actor";
import { type Job, type JobKind, LEASE_MS, nextAttemptAt, RESEND_AFTER_MS, SWEEP_EVERY_MS } from "./job";
import {
  type Decided,
  endJob,
  jobIsLeased,
  type Postponement,
  postponeJob,
  runCommand,
  runStatement,
  runStep,
} from "./run-command.server";

const SWEEP_SIZE = 100;

/**
 * Claims a due job for this consumer, by compare-and-set with a lease.
 * @returns undefined when the job is done or not due yet, another consumer has it, or the app is on hold: acknowledge
 * the message
 */
export async function claimJob(services: Pick<Services, "db" | "clock" | "ids">, jobId: string) {
  const { db, clock, ids } = services;
  const now = clock.now();
  const leaseId = ids.next();
  const [row] = await db
    .update(outbox)
    .set({ leaseId, leaseUntil: now + LEASE_MS })
    .where(
      and(
        eq(outbox.id, jobId),
        eq(outbox.status, "pending"),
        lte(outbox.dueAt, now),
        or(isNull(outbox.leaseUntil), lte(outbox.leaseUntil, now)),
        databaseIsInUse(now),
      ),
    )
    .returning();
  return row ? { ...row, kind: row.kind as JobKind, leaseId } : undefined;
}

/**
 * Puts a job back for later, together with the consumer's other statements, and tells its queue.
 * @returns false when another consumer has the job by now, and nothing was written
 */
export async function moveJob(
  services: WriteServices,
  job: Job,
  next: Postponement,
  statements: readonly Statement[] = [],
): Promise<boolean> {
  const { ok } = await runStep(services, {
    conditions: [jobIsLeased(services, job)],
    statements: [...statements, postponeJob(services, job, next)],
    woken: [{ id: job.id, kind: job.kind, dueAt: next.dueAt }],
  });
  return ok;
}

/** Puts a job back after an error, with increasing delays, or for as long as the other party asked. */
export async function retryJobLater(
  services: WriteServices,
  job: Job,
  failure: { error: string; retryAfterMs?: number },
): Promise<void> {
  const attempts = job.attempts + 1;
  const dueAt = nextAttemptAt(services.clock.now(), attempts, failure.retryAfterMs);
  await moveJob(services, job, { dueAt, attempts, error: failure.error });
}

/** Replaces a job's payload, while this consumer holds the job. */
export async function keepPayload(services: ReadServices, job: Job, sealedPayload: string): Promise<void> {
  const isOurs = and(eq(outbox.id, job.id), eq(outbox.leaseId, job.leaseId));
  await runStatement(services, services.db.update(outbox).set({ sealedPayload }).where(isOurs));
}

/** Ends a job without further consequences; a job that another consumer holds by now is left alone. */
export async function finishJob(services: TimedServices, job: Job, status: "done" | "failed" = "done", error?: string) {
  await runStatement(services, endJob(services, job, status, error));
}

/**
 * Tells the queues about every job that is due, or will be before the next sweep, and that nobody holds any more:
 * because its message was never sent or was lost, or its consumer died. Running it twice only sends duplicate messages.
 * @returns how many jobs were sent
 */
export async function sweepDueJobs(services: Pick<Services, "db" | "clock" | "queues">): Promise<number> {
  const { db, clock, queues } = services;
  const now = clock.now();
  const horizon = now + SWEEP_EVERY_MS;
  const due = await db
    .select({ id: outbox.id, queue: outbox.queue, dueAt: outbox.dueAt, leaseUntil: outbox.leaseUntil })
    .from(outbox)
    .where(
      and(
        // Literal SQL, not a bound value, so that SQLite can use the index of waiting jobs.
        sql`${outbox.status} = 'pending'`,
        lte(outbox.dueAt, horizon),
        or(isNull(outbox.leaseUntil), lte(outbox.leaseUntil, horizon)),
        or(isNull(outbox.sentAt), lte(outbox.sentAt, now - RESEND_AFTER_MS)),
      ),
    )
    .orderBy(outbox.dueAt)
    .limit(SWEEP_SIZE);
  if (due.length === 0) return 0;
  const dueIds = JSON.stringify(due.map((job) => job.id));
  const isDue = sql`${outbox.id} IN (SELECT value FROM json_each(${dueIds}))`;
  await runStatement(services, db.update(outbox).set({ sentAt: now }).where(isDue));
  const delayOf = (job: (typeof due)[number]) =>
    Math.max(0, Math.ceil((Math.max(job.dueAt, job.leaseUntil ?? 0) - now) / 1000));
  for (const queue of ["bank-checks", "jobs"] as const) {
    const jobs = due.filter((job) => job.queue === queue);
    for (const delay of new Set(jobs.map(delayOf))) {
      const ids = jobs.filter((job) => delayOf(job) === delay).map((job) => job.id);
      await (delay > 0 ? queues.send(queue, ids, delay) : queues.send(queue, ids));
    }
  }
  return due.length;
}

/** How many jobs one cron run does itself: each makes several database queries. */
const UNDELIVERED = 5;
/** How many jobs these are chosen from. */
const UNDELIVERED_LOOKED_AT = 100;

/**
 * The oldest jobs that no consumer has taken although a queue should have delivered them by now; after them those whose
 * consumer died, so that a job which kills every run cannot block the others.
 */
export const listUndelivered = ({ db, clock }: TimedServices) => {
  const before = clock.now() - RESEND_AFTER_MS;
  const walk = db
    .select({ id: outbox.id, kind: outbox.kind, dueAt: outbox.dueAt, leaseUntil: outbox.leaseUntil })
    .from(outbox)
    .where(
      and(
        // Literal SQL, not a bound value, so that SQLite can use the index of waiting jobs.
        sql`${outbox.status} = 'pending'`,
        lte(outbox.dueAt, before),
        or(isNull(outbox.leaseUntil), lte(outbox.leaseUntil, before)),
      ),
    )
    .orderBy(outbox.dueAt)
    .limit(UNDELIVERED_LOOKED_AT)
    .as("walk");
  return db
    .select({ id: walk.id, kind: walk.kind })
    .from(walk)
    .orderBy(sql`coalesce(${walk.leaseUntil}, 0)`, walk.dueAt)
    .limit(UNDELIVERED);
};

/** What is written when a job of a kind ends undelivered. */
export type DeadLetterEnding = Pick<
  Decided<string, never, undefined>,
  "conditions" | "statements" | "parts" | "jobs" | "woken"
>;

/** The ending of each kind of job; undefined if only the job itself has to end. */
export type DeadLetterEndings<Needed> = Partial<
  Record<JobKind, (services: Needed, job: Job) => Promise<DeadLetterEnding | undefined>>
>;

/**
 * Handles a job whose messages the queue gave up on. If another consumer holds the job, or it has advanced and is not
 * due, it is alive and left to the sweep.
 *
 * @returns the job, now held by the caller, if its kind has no ending
 * @throws Error when the job's subject changed at the same moment: the queue then delivers the message again
 */
export async function recordDeadLetter<Needed extends WriteServices>(
  services: Needed,
  jobId: string,
  endings: DeadLetterEndings<Needed>,
): Promise<Job | undefined> {
  const job = await claimJob(services, jobId);
  if (!job) {
    services.log.info("dead_letter.moved_on", { jobId });
    return undefined;
  }
  services.log.error("dead_letter", { jobId, kind: job.kind });
  const ending = await endings[job.kind]?.(services, job);
  if (!ending) return job;
  const details = { kind: job.kind };
  const entry = { action: "job.dead_lettered", entityId: job.id, details } as const;
  const result = await runCommand(services, systemActor(job.organizationId ?? PLATFORM_ORGANIZATION_ID, job.id), {
    ...ending,
    conditions: [jobIsLeased(services, job), ...(ending.conditions ?? [])],
    audit: [entry],
  });
  if (!result.ok) throw new Error(`dead letter ${jobId}: ${result.refused}`);
  return undefined;
}

/**
 * Waits briefly between two slices of background work, so that requests received meanwhile are answered.
 *
 * The runtime handles new requests only while the present work waits for a timer or the network. On a developer's
 * machine the database is part of the same process and waits for neither: without a pause the app answers nobody until
 * the whole delivery is done, and the local queue loses its place when one of its connections is closed meanwhile.
 */
export const giveWay = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
