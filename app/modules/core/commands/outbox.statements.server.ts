import type { Statement } from "@db/client";
import type { Condition } from "@db/precondition";
import { outbox } from "@db/schema";
import { and, eq, gt, isNotNull, or, type SQL, sql } from "drizzle-orm";
import type { ReadServices, Services } from "~/services";
import { JOB_KINDS, type Job, type JobKind, LEASE_MS } from "./job";

/** A job to write to the outbox, in the batch that causes it. */
export type NewJob = {
  id: string;
  kind: JobKind;
  organizationId: string | null;
  subjectId: string | null;
  /** Already encrypted with `secrets.seal(text, id)`: the job's id is the context. */
  sealedPayload?: string;
  /** Not before this time; default: now. */
  dueAt?: number;
};

/** The statement that inserts a job, for the batch that causes it. `runCommand` tells the queue after the commit. */
export function enqueueJob(services: Pick<Services, "db" | "clock">, job: NewJob): Statement {
  const now = services.clock.now();
  return services.db.insert(outbox).values({
    ...job,
    queue: JOB_KINDS[job.kind].queue,
    dueAt: job.dueAt ?? now,
    createdAt: now,
  });
}

/**
 * A new job that its creator will carry out itself. No queue is told: if the creator dies, the lease ends and the sweep
 * gives the job to a consumer.
 */
export function holdNewJob(
  services: Pick<Services, "db" | "clock" | "ids">,
  { kind, organizationId, subjectId }: Omit<NewJob, "id" | "sealedPayload" | "dueAt">,
): { job: Job; statement: Statement } {
  const { db, clock, ids } = services;
  const now = clock.now();
  const { queue } = JOB_KINDS[kind];
  const row = { id: ids.next(), kind, queue, organizationId, subjectId, leaseId: ids.next(), createdAt: now };
  const statement = db.insert(outbox).values({ ...row, dueAt: now, leaseUntil: now + LEASE_MS });
  return { job: { ...row, sealedPayload: null, attempts: 0 }, statement };
}

/**
 * Queues several jobs of a kind in one statement. Leaves out a job if one with the same subject is due and not taken
 * yet, because that one will do the same work.
 * @param where a condition on `subjectId`; jobs that fail it are left out too
 */
export function enqueueJobs(
  services: Pick<Services, "db" | "clock">,
  kind: JobKind,
  jobs: readonly { id: string; subjectId: string; dueAt: number }[],
  where: (subjectId: SQL) => SQL = () => sql`true`,
): Statement {
  const { db, clock } = services;
  return db.insert(outbox).select(
    sql`SELECT value ->> 'id', ${JOB_KINDS[kind].queue}, ${kind}, NULL, value ->> 'subjectId', NULL, 'pending', 0, value ->> 'dueAt', NULL, NULL, NULL, NULL, ${clock.now()}, NULL
      FROM json_each(${JSON.stringify(jobs)}) WHERE ${where(sql`value ->> 'subjectId'`)} AND NOT EXISTS (SELECT 1 FROM ${outbox} AS waiting
        WHERE waiting."subjectId" = value ->> 'subjectId' AND waiting."kind" = ${kind} AND waiting."status" = 'pending'
        AND waiting."leaseId" IS NULL AND waiting."dueAt" <= value ->> 'dueAt')`,
  );
}

/** The condition that the consumer still holds the job: nobody has taken it over or ended it. */
export function jobIsLeased({ db }: ReadServices, job: Job): Condition<"job_taken_over"> {
  const found = db
    .select({ one: sql`1` })
    .from(outbox)
    .where(and(eq(outbox.id, job.id), eq(outbox.leaseId, job.leaseId), eq(outbox.status, "pending")));
  return { name: "job_taken_over", found };
}

/**
 * Ends a job. Its payload is wiped when it is done; a job that was given up keeps it for a week, so that it can be run
 * again.
 */
export function endJob(
  services: Pick<Services, "db" | "clock">,
  job: Job,
  status: "done" | "failed",
  error?: string,
): Statement {
  const { db, clock } = services;
  return db
    .update(outbox)
    .set({
      status,
      finishedAt: clock.now(),
      ...(status === "done" ? { sealedPayload: null } : {}),
      leaseId: null,
      leaseUntil: null,
      lastError: error ?? null,
    })
    .where(and(eq(outbox.id, job.id), eq(outbox.leaseId, job.leaseId)));
}

export type Postponement = {
  dueAt: number;
  attempts: number;
  error?: string;
  /** When the consumer started: a job that was woken since then stays due, so that the wake-up is not lost. */
  unlessWokenAfter?: number;
};

/** Puts a job back for later. `attempts` counts attempts that ended in an error; waiting is not an error. */
export function postponeJob(services: ReadServices, job: Job, next: Postponement): Statement {
  const { dueAt, unlessWokenAfter: lookedAt } = next;
  return services.db
    .update(outbox)
    .set({
      dueAt:
        lookedAt === undefined
          ? dueAt
          : sql`CASE WHEN ${outbox.dueAt} > ${lookedAt} THEN ${outbox.dueAt} ELSE ${dueAt} END`,
      attempts: next.attempts,
      lastError: next.error ?? null,
      sentAt: null,
      leaseId: null,
      leaseUntil: null,
    })
    .where(and(eq(outbox.id, job.id), eq(outbox.leaseId, job.leaseId)));
}

/**
 * Makes a subject's waiting job due now, e.g. because its webhook arrived. A job that is due and that no consumer holds
 * stays as it is.
 */
export function wakeJob(services: Pick<Services, "db" | "clock">, kind: JobKind, subjectId: string): Statement {
  const { db, clock } = services;
  const now = clock.now();
  const isWaiting = or(gt(outbox.dueAt, now), isNotNull(outbox.leaseId), isNotNull(outbox.sentAt));
  return db
    .update(outbox)
    .set({ dueAt: now, sentAt: null })
    .where(and(eq(outbox.subjectId, subjectId), eq(outbox.kind, kind), eq(outbox.status, "pending"), isWaiting));
}
