import { commit } from "@db/commit";
import {
  auditLogs,
  type Condition,
  findRefusedCondition,
  idempotencyKeys,
  insertRows,
  outbox,
  requireConditions,
  rowIn,
  type Statement,
} from "@db/database";
import { isNotInUseError, requireDatabaseInUse } from "@db/database-gate";
import { isConstraintError, isUniqueError } from "@db/errors";
import { and, eq, gt, isNotNull, or, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { AppError } from "~/kernel/app-error";
import { maskEmails } from "~/kernel/email";
import { addressId } from "~/kernel/fields.schema.server";
import { isStorable } from "~/kernel/text";
import type { AuditEntry } from "~/modules/core/audit/audit";
import { requireInUse } from "~/modules/core/restores/database-state.server";
import type { Clock, Origin, ReadServices, Services, TimedServices, WriteServices } from "~/services-and-actor";
import { JOB_KINDS, type Job, type JobKind, LEASE_MS } from "./job";

/**
 * The same services with a fixed clock. A command that compares times between its own rows ("opened since the details
 * changed") must write one instant everywhere, and a real clock moves on while the command reads.
 */
export function atOneInstant<S extends { clock: Clock }>(services: S): S {
  const now = services.clock.now();
  return { ...services, clock: { ...services.clock, now: () => now } };
}

/** The idempotency key of a creating call (`Idempotency-Key`, or a hidden field) and a digest of the input. */
export type IdempotentRequest = { organizationId: string; key: string; requestHash: string };

type Asking = { userId: string | null; organizationId: string };

/**
 * Runs a creating command once per key: a key that was answered before returns the first answer. The command passes
 * `request` on to `runCommand`, which stores the answer. A key belongs to one person, operation and input.
 *
 * @throws AppError 409 IDEMPOTENCY_CONFLICT when the key was used for something else
 */
export async function runOnce<Answer>(
  services: Pick<Services, "db" | "secrets">,
  actor: Asking,
  asked: { operation: string; key: string | undefined; input: unknown },
  run: (request: IdempotentRequest | undefined) => Promise<Answer>,
): Promise<Answer> {
  if (!asked.key) return run(undefined);
  const request = await toIdempotentRequest(services, actor, { ...asked, key: asked.key });
  return (await findAnswer<Answer>(services, request)) ?? run(request);
}

async function toIdempotentRequest(
  { secrets }: Pick<Services, "secrets">,
  { userId, organizationId }: Asking,
  { operation, key, input }: { operation: string; key: string; input: unknown },
): Promise<IdempotentRequest> {
  const requestHash = await secrets.hashToken(`${operation}\n${JSON.stringify([userId, input])}`);
  return { organizationId, key, requestHash };
}

/** The first answer to this key, if any. @throws AppError 409 IDEMPOTENCY_CONFLICT for a key with another input */
export async function findAnswer<Answer>(
  { db }: ReadServices,
  { organizationId, key, requestHash }: IdempotentRequest,
): Promise<Answer | undefined> {
  const [row] = await db
    .select({ requestHash: idempotencyKeys.requestHash, response: idempotencyKeys.response })
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.organizationId, organizationId), eq(idempotencyKeys.key, key)));
  if (!row) return undefined;
  if (row.requestHash !== requestHash) {
    throw new AppError("IDEMPOTENCY_CONFLICT", "This Idempotency-Key was already used for a different request.");
  }
  return row.response as Answer;
}

/** Stores the answer in the same batch: a second request violates the key's UNIQUE constraint. */
function saveAnswer({ db, clock }: TimedServices, request: IdempotentRequest, response: unknown): Statement {
  return db.insert(idempotencyKeys).values({ ...request, response, createdAt: clock.now() });
}

/** True if a batch failed because another request with the same key was written first. */
function isRepeatedRequest(error: unknown): boolean {
  return isUniqueError(error, "idempotency_keys");
}

const MAX_KEY = 200;

/** `Idempotency-Key`, or a form's hidden field. */
export const idempotencyKeySchema = z
  .string()
  .min(1, "The key is empty")
  .max(MAX_KEY, `A key has at most ${MAX_KEY} characters`)
  .refine(isStorable, "The key contains characters that cannot be stored");

/** The hidden field of a form that must not be processed twice; anything that is not one of our ids is ignored. */
export const submissionSchema = z.object({ submissionId: addressId });

/** Who acts, for the audit trail: a person in an organisation, or the system for it. */
export type Acting = { userId: string | null; organizationId: string; origin: Origin };

/** One audit entry of a command: for the actor and their organisation, unless it says otherwise. */
export type CommandAudit = AuditEntry & { organizationId?: string; bySystem?: true };

/** The parts that another module contributes to a command. */
export type CommandPart = {
  statements: readonly Statement[];
  audit?: readonly CommandAudit[];
  jobs?: readonly NewJob[];
};

/** A waiting job whose queue has to be told, e.g. because a statement made it due. */
export type WokenJob = { id: string; kind: JobKind; dueAt?: number };

/** What a command wants to write. `Name` and `Unique` are the names of everything that may refuse it. */
export type Decided<Name extends string, Unique extends string, Answer> = {
  /** Must all hold when the batch is written; the name of the first that does not is returned as `refused`. */
  conditions?: readonly Condition<Name>[];
  /** UNIQUE constraints that may refuse the batch, by the name of the refusal: `table` or `table.column`. */
  uniques?: Readonly<Record<Unique, string>>;
  statements?: readonly Statement[];
  /** At least one entry, here or in the parts: after a lost connection, its id proves that all was written. */
  audit?: readonly CommandAudit[];
  /** Emails, text messages and other queue jobs, written in the same batch. */
  jobs?: readonly NewJob[];
  /** The same from other modules. */
  parts?: readonly CommandPart[];
  woken?: readonly WokenJob[];
  /** The idempotency key of a creating call: stored with the answer, which is returned again for the same key. */
  request?: IdempotentRequest;
  answer?: Answer;
  /** Allowed while the app is on hold after a restore: it authorises nothing, and whatever it queues waits. */
  evenOnHold?: true;
};

/** Either everything was written, or nothing was, and the result names the condition or constraint that refused it. */
export type CommandResult<Name extends string, Answer> = { ok: true; answer: Answer } | { ok: false; refused: Name };

/**
 * The only way to write: conditions, statements, audit entries, jobs and the stored answer as one `db.batch`.
 *
 * A lost connection is retried, and the first audit entry's id shows whether the first attempt was written. After the
 * commit the jobs' queues are told; a lost message is harmless, because the sweep sends it again. Constraint errors
 * that match no condition and no entry in `uniques`, and all other errors, are thrown unchanged.
 */
export async function runCommand<Name extends string = never, Unique extends string = never, Answer = undefined>(
  services: WriteServices,
  actor: Acting,
  decided: Decided<Name, Unique, Answer>,
): Promise<CommandResult<Name | Unique, NoInfer<Answer>>> {
  const { request, woken = [] } = decided;
  const whole = joinParts(decided);
  const auditId = services.ids.next();
  try {
    await commitInUse(services, decided, toBatch(services, actor, { ...decided, whole, auditId }), () =>
      wasWritten(services, auditId),
    );
  } catch (error) {
    if (!isConstraintError(error)) throw error;
    if (request && isRepeatedRequest(error)) return answerAgain<Answer>(services, request, error);
    const refused = nameRefusal(error, decided);
    if (refused === undefined) throw error;
    // The same request may have been written first; this is then success, not a refusal.
    const first = request && (await findAnswer<Answer>(services, request));
    return first === undefined ? { ok: false, refused } : { ok: true, answer: first };
  }
  await tellQueues(services, [...whole.jobs, ...woken]);
  return { ok: true, answer: decided.answer as Answer };
}

/**
 * Writes a batch on condition that the database was not restored. If the batch is refused because the last beat is old,
 * checks the database and writes it then.
 * @throws AppError 503 ON_HOLD after a restore
 */
async function commitInUse(
  services: WriteServices,
  { evenOnHold }: { evenOnHold?: true },
  batch: readonly Statement[],
  isOurs: () => Promise<boolean>,
): Promise<void> {
  const guarded = () => [...(evenOnHold ? [] : [requireDatabaseInUse(services.db, services.clock.now())]), ...batch];
  try {
    await commit(services.db, guarded(), isOurs);
  } catch (error) {
    if (!isNotInUseError(error)) throw error;
    await requireInUse(services);
    await commit(services.db, guarded(), isOurs);
  }
}

type Whole = { statements: readonly Statement[]; audit: readonly CommandAudit[]; jobs: readonly NewJob[] };

/** Combines the command's own statements, audit entries and jobs with those of its parts. */
function joinParts(decided: Pick<Decided<never, never, unknown>, "statements" | "audit" | "jobs" | "parts">): Whole {
  const parts = [decided, ...(decided.parts ?? [])];
  const audit = parts.flatMap((part) => part.audit ?? []);
  if (audit.length === 0) throw new Error("a command leaves at least one audit entry");
  return {
    statements: parts.flatMap((part) => part.statements ?? []),
    audit,
    jobs: parts.flatMap((part) => part.jobs ?? []),
  };
}

function toBatch(
  services: WriteServices,
  actor: Acting,
  batch: {
    conditions?: readonly Condition[];
    request?: IdempotentRequest;
    answer?: unknown;
    whole: Whole;
    auditId: string;
  },
): Statement[] {
  const { conditions = [], request, answer, whole, auditId } = batch;
  const entries = whole.audit.map((entry, at) => auditRow(services, actor, entry, at === 0 ? auditId : undefined));
  return [
    ...(conditions.length > 0 ? [requireConditions(services.db, conditions)] : []),
    ...whole.statements,
    ...insertRows(services.db, auditLogs, entries),
    ...whole.jobs.map((job) => enqueueJob(services, job)),
    ...(request ? [saveAnswer(services, request, answer)] : []),
  ];
}

/** The row of an audit entry. @param id set for a row that must be found again */
export function auditRow(
  { clock, ids }: Pick<Services, "clock" | "ids">,
  actor: Acting,
  { organizationId = actor.organizationId, bySystem, ...entry }: CommandAudit,
  id: string = ids.next(),
) {
  const { action, entityType = action.split(".")[0], entityId, details = null } = entry;
  const { ipAddress, userAgent, requestId } = actor.origin;
  const emailSalt = maskEmails(details) === details ? null : ids.secret();
  const userId = bySystem ? null : actor.userId;
  const who = { userId, organizationId, ipAddress, userAgent, requestId, createdAt: clock.now() };
  return { id, action, entityType, entityId, details, ...who, emailSalt };
}

function nameRefusal<Name extends string, Unique extends string>(
  error: unknown,
  { conditions = [], uniques }: Pick<Decided<Name, Unique, unknown>, "conditions" | "uniques">,
): Name | Unique | undefined {
  const refused = findRefusedCondition(error, conditions);
  if (refused !== undefined) return refused;
  const constraints = Object.entries<string>(uniques ?? {});
  return constraints.find(([, constraint]) => isUniqueError(error, constraint))?.[0] as Unique | undefined;
}

async function answerAgain<Answer>(services: WriteServices, request: IdempotentRequest, error: unknown) {
  const first = await findAnswer<Answer>(services, request);
  if (first === undefined) throw error;
  return { ok: true as const, answer: first };
}

async function wasWritten({ db }: ReadServices, auditId: string): Promise<boolean> {
  const rows = await db.select({ id: auditLogs.id }).from(auditLogs).where(eq(auditLogs.id, auditId));
  return rows.length > 0;
}

/** Tells each queue which of its jobs were written or made due. */
async function tellQueues(
  { queues, clock }: Pick<Services, "queues" | "clock">,
  jobs: readonly Pick<WokenJob, "id" | "kind" | "dueAt">[],
): Promise<void> {
  const now = clock.now();
  const groups = new Map<string, { queue: (typeof JOB_KINDS)[JobKind]["queue"]; delay: number; ids: string[] }>();
  for (const { id, kind, dueAt = now } of jobs) {
    const { queue } = JOB_KINDS[kind];
    const delay = Math.max(0, Math.ceil((dueAt - now) / 1000));
    const key = `${queue} ${delay}`;
    const group = groups.get(key) ?? { queue, delay, ids: [] };
    groups.set(key, { ...group, ids: [...group.ids, id] });
  }
  for (const { queue, delay, ids } of groups.values()) {
    await (delay > 0 ? queues.send(queue, ids, delay) : queues.send(queue, ids));
  }
}

/** A step of background work, which leaves no audit entry. */
export type Step<Name extends string> = Pick<
  Decided<Name, never, undefined>,
  "statements" | "jobs" | "woken" | "evenOnHold"
> & {
  /** The step itself must make the first condition false, e.g. "the cursor is still where it was read". */
  conditions: readonly [Condition<Name>, ...Condition<Name>[]];
};

/**
 * Writes a step of background work without an audit entry: a cursor, a lease, a job put back for later. The step's own
 * condition makes a repetition harmless: after a lost connection, a refusal means that this step or another run's has
 * been written.
 */
export async function runStep<Name extends string>(
  services: WriteServices,
  { conditions, statements = [], jobs = [], woken = [], evenOnHold }: Step<Name>,
): Promise<CommandResult<Name, undefined>> {
  const rows = [...statements, ...jobs.map((job) => enqueueJob(services, job))];
  try {
    const batch = [requireConditions(services.db, conditions), ...rows];
    await commitInUse(services, { evenOnHold }, batch, async () => true);
  } catch (error) {
    const refused = findRefusedCondition(error, conditions);
    if (refused === undefined) throw error;
    return { ok: false, refused };
  }
  await tellQueues(services, [...jobs, ...woken]);
  return { ok: true, answer: undefined };
}

/** Writes one idempotent statement of background work: no audit entry, no condition, no queue to tell. */
export async function runStatement({ db }: ReadServices, statement: Statement): Promise<void> {
  await commit(db, [statement], async () => true);
}

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
export function enqueueJob(services: TimedServices, job: NewJob): Statement {
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
  services: TimedServices,
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
  const found = rowIn(db, outbox).where(
    and(eq(outbox.id, job.id), eq(outbox.leaseId, job.leaseId), eq(outbox.status, "pending")),
  );
  return { name: "job_taken_over", found };
}

/** Ends a job. Its payload is wiped when it is done; one that was given up keeps it for a week, to be run again. */
export function endJob(services: TimedServices, job: Job, status: "done" | "failed", error?: string): Statement {
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

/** Makes a subject's waiting job due now, e.g. because its webhook arrived, unless it is due and not held. */
export function wakeJob(services: TimedServices, kind: JobKind, subjectId: string): Statement {
  const { db, clock } = services;
  const now = clock.now();
  const isWaiting = or(gt(outbox.dueAt, now), isNotNull(outbox.leaseId), isNotNull(outbox.sentAt));
  return db
    .update(outbox)
    .set({ dueAt: now, sentAt: null })
    .where(and(eq(outbox.subjectId, subjectId), eq(outbox.kind, kind), eq(outbox.status, "pending"), isWaiting));
}
