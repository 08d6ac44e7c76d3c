import type { Statement } from "@db/client";
import { databaseIsInUse } from "@db/database-gate";
import { outbox } from "@db/schema";
import { and, eq, isNull, lte, or, sql } from "drizzle-orm";
import { PLATFORM_ORGANIZATION_ID, systemActor } from "~/kernel/actor";
import type { Services, WriteServices } from "~/services";
import { type Job, type JobKind, LEASE_MS, nextAttemptAt, RESEND_AFTER_MS, SWEEP_EVERY_MS } from "./job";
import { endJob, jobIsLeased, type Postponement, postponeJob } from "./outbox.statements.server";
import { type Decided, runCommand, runStatement, runStep } from "./run-command.server";

const SWEEP_SIZE = 100;

/**
 * Takes a due job for this consumer alone, by compare-and-set with a lease.
 * @returns undefined when it is done, not due yet, or another consumer has it, or when the app is on hold: acknowledge and
 *   forget
 */
export async function claimJob(
  services: Pick<Services, "db" | "clock" | "ids">,
  jobId: string,
): Promise<Job | undefined> {
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
 * Puts a job back for later, together with what the consumer found out, and tells its queue.
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

/** Puts a job back after an error, later each time, or as late as the other party asked for. */
export async function retryJobLater(
  services: WriteServices,
  job: Job,
  failure: { error: string; retryAfterMs?: number },
): Promise<void> {
  const attempts = job.attempts + 1;
  const dueAt = nextAttemptAt(services.clock.now(), attempts, failure.retryAfterMs);
  await moveJob(services, job, { dueAt, attempts, error: failure.error });
}

/** Keeps what a job is to send in another form, while this consumer holds the job. */
export async function keepPayload(services: Pick<Services, "db">, job: Job, sealedPayload: string): Promise<void> {
  const isOurs = and(eq(outbox.id, job.id), eq(outbox.leaseId, job.leaseId));
  await runStatement(services, services.db.update(outbox).set({ sealedPayload }).where(isOurs));
}

/** Ends a job of which nothing else follows; one that another consumer holds by now is left alone. */
export async function finishJob(
  services: Pick<Services, "db" | "clock">,
  job: Job,
  status: "done" | "failed" = "done",
  error?: string,
): Promise<void> {
  await runStatement(services, endJob(services, job, status, error));
}

/**
 * Tells the queues of every job that is due, or will be before the next sweep, when nobody holds it any more: what was
 * never sent, was lost, or whose consumer died. Running it twice, or twice at once, only sends hints twice.
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
        // Written out, not bound: the database then knows that the index of waiting jobs serves.
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

/** Jobs that one run of the schedule does itself, at most: each asks the database several times. */
const UNDELIVERED = 5;
/** Jobs among which those are chosen. */
const UNDELIVERED_LOOKED_AT = 100;

/**
 * The oldest jobs that no consumer took, though they were due long enough for a queue to deliver them; behind them those that
 * one took and died with, so that a job which ends every run keeps no other from being done.
 */
export const listUndelivered = ({ db, clock }: Pick<Services, "db" | "clock">) => {
  const before = clock.now() - RESEND_AFTER_MS;
  const walk = db
    .select({ id: outbox.id, kind: outbox.kind, dueAt: outbox.dueAt, leaseUntil: outbox.leaseUntil })
    .from(outbox)
    .where(
      and(
        // Written out, not bound: the database then knows that the index of waiting jobs serves.
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

/** By kind of job: how it ends; undefined where nothing but the job itself is there. */
export type DeadLetterEndings<Needed> = Partial<
  Record<JobKind, (services: Needed, job: Job) => Promise<DeadLetterEnding | undefined>>
>;

/**
 * A job whose messages the queue gave up on. One that another consumer holds, or that has moved on and is not due, is alive, and
 * the sweep looks after it.
 *
 * @returns the job where its kind has no ending of its own: the caller holds it
 * @throws Error when the job's subject changed at this moment: the queue delivers the message again
 */
export async function recordDeadLetter<Needed extends WriteServices & Pick<Services, "log">>(
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
  const entry = { action: "job.dead_lettered", entityType: "job", entityId: job.id, details } as const;
  const result = await runCommand(services, systemActor(job.organizationId ?? PLATFORM_ORGANIZATION_ID, job.id), {
    ...ending,
    conditions: [jobIsLeased(services, job), ...(ending.conditions ?? [])],
    audit: [entry],
    answer: undefined,
  });
  if (!result.ok) throw new Error(`dead letter ${jobId}: ${result.refused}`);
  return undefined;
}

/**
 * Waits a moment between two slices of background work, so that requests which came in meanwhile are answered.
 *
 * The runtime takes up what came in only when the work at hand waits for a timer or for the network. On a developer's
 * machine the database is part of the same process and waits for neither: without a pause the app answers nobody until
 * the whole delivery is done, and the local queue loses its place when a connection of its own is closed meanwhile.
 */
export const giveWay = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
