import type { Statement } from "@db/client";
import { commit } from "@db/commit";
import { isNotInUseError, requireDatabaseInUse } from "@db/database-gate";
import { isConstraintError, isUniqueError } from "@db/errors";
import { type Condition, findRefusedCondition, requireConditions } from "@db/precondition";
import { auditLogs } from "@db/schema";
import { eq } from "drizzle-orm";
import type { Origin } from "~/kernel/actor";
import { type AuditEntry, recordAudits } from "~/modules/core/audit/audit.server";
import { requireInUse } from "~/modules/core/restores/database-state.server";
import type { ReadServices, Services, WriteServices } from "~/services";
import { findAnswer, type IdempotentRequest, isRepeatedRequest, saveAnswer } from "./idempotency.server";
import { JOB_KINDS, type JobKind } from "./job";
import { enqueueJob, type NewJob } from "./outbox.statements.server";

/** Who acts, for the audit trail: a person in an organisation, or the system for it. */
export type Acting = { userId: string | null; organizationId: string; origin: Origin };

/** One audit entry of a command: of the actor and their organisation, unless it says otherwise. */
export type CommandAudit = AuditEntry & { organizationId?: string; bySystem?: true };

/** What a statement builder of another module adds to the command that uses it. */
export type CommandPart = {
  statements: readonly Statement[];
  audit?: readonly CommandAudit[];
  jobs?: readonly NewJob[];
};

/** A job that waits already and whose queue is to be told, e.g. because a statement made it due. */
export type WokenJob = { id: string; kind: JobKind; dueAt?: number };

/** What a command decided. `Name` and `Unique` are the names of everything that may refuse it. */
export type Decided<Name extends string, Unique extends string, Answer> = {
  /** Must all still hold when the batch is written; the first that does not is the answer `refused`. */
  conditions?: readonly Condition<Name>[];
  /** UNIQUE constraints that may refuse the batch, by the name of the refusal: `table` or `table.column`. */
  uniques?: Readonly<Record<Unique, string>>;
  statements?: readonly Statement[];
  /** At least one entry, here or in the parts: the first one's id proves, after a lost connection, that all was written. */
  audit?: readonly CommandAudit[];
  /** Emails, text messages and work for the queue, written with the batch. */
  jobs?: readonly NewJob[];
  /** The same three from other modules' statement builders. */
  parts?: readonly CommandPart[];
  woken?: readonly WokenJob[];
  /** A creating call's key: kept with the answer; the same key again is given the first answer. */
  request?: IdempotentRequest;
  answer: Answer;
  /** Also while the app is on hold after a restore: it authorises nothing, and whatever it queues waits. */
  evenOnHold?: true;
};

/** Either everything was written, or nothing was and the answer says which condition or constraint refused it. */
export type CommandResult<Name extends string, Answer> = { ok: true; answer: Answer } | { ok: false; refused: Name };

/**
 * The one way to write: conditions, statements, audit entries, jobs and the kept answer as one `db.batch`.
 *
 * A lost connection is retried, and the first audit entry's id shows whether the first attempt was written. After the
 * commit the queues of its jobs are told; a lost message is harmless, the sweep sends it again. Constraint errors that no
 * condition and no unique explains, and every other error, are thrown as they are.
 */
export async function runCommand<Name extends string = never, Unique extends string = never, Answer = undefined>(
  services: WriteServices,
  actor: Acting,
  decided: Decided<Name, Unique, Answer>,
): Promise<CommandResult<Name | Unique, Answer>> {
  const { request, answer, woken = [] } = decided;
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
    // The same request may have won the race: it is then this person's own success, not a refusal.
    const first = request && (await findAnswer<Answer>(services, request));
    return first === undefined ? { ok: false, refused } : { ok: true, answer: first };
  }
  await tellQueues(services, [...whole.jobs, ...woken]);
  return { ok: true, answer };
}

/**
 * Writes a batch while the database is known to be at the newest moment of its life. A batch that was refused because its
 * last beat is old is written once that has been looked at.
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

/** The command's own statements, audit entries and jobs, then those of its parts. */
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
    answer: unknown;
    whole: Whole;
    auditId: string;
  },
): Statement[] {
  const { conditions = [], request, answer, whole, auditId } = batch;
  const entries = whole.audit.map(({ organizationId = actor.organizationId, bySystem, ...entry }, index) => ({
    acting: { ...actor, organizationId, userId: bySystem ? null : actor.userId },
    entry: { ...entry, id: index === 0 ? auditId : undefined },
  }));
  return [
    ...(conditions.length > 0 ? [requireConditions(services.db, conditions)] : []),
    ...whole.statements,
    ...recordAudits(services, entries),
    ...whole.jobs.map((job) => enqueueJob(services, job)),
    ...(request ? [saveAnswer(services, request, answer)] : []),
  ];
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

/** What a background step decided: nothing that an audit trail records. */
export type Step<Name extends string> = Pick<
  Decided<Name, never, undefined>,
  "statements" | "jobs" | "woken" | "evenOnHold"
> & {
  /** The first must become false by the step itself, e.g. "the cursor is still where it was read". */
  conditions: readonly [Condition<Name>, ...Condition<Name>[]];
};

/**
 * Writes a step of background work that leaves no audit entry: a cursor, a lease, a job put back for later. The step's own
 * condition makes a repetition harmless: after a lost connection a refusal means that this step, or another run's, is done.
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

/**
 * Writes one statement of background work that a repetition does not change, e.g. because it names the lease that it
 * ends: no audit entry, no condition, no queue to tell.
 */
export async function runStatement({ db }: ReadServices, statement: Statement): Promise<void> {
  await commit(db, [statement], async () => true);
}
