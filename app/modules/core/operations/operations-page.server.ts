import { columnsOf, operationSamples, outbox } from "@db/database";
import { readMigrationState } from "@db/migration-state";
import { and, asc, desc, eq, gte, isNotNull, notInArray, or, sql } from "drizzle-orm";
import * as z from "zod";
import { AppError } from "~/kernel/app-error";
import { DAY_MS, MINUTE_MS, type ShownTime, showTime } from "~/kernel/dates";
import { JOB_KINDS, type JobKind } from "~/modules/core/commands/job";
import { runCommand } from "~/modules/core/commands/run-command.server";
import {
  type Origin,
  PLATFORM_ORGANIZATION_ID,
  type ReadServices,
  type Services,
  type WriteServices,
} from "~/services-and-actor";
import { countJobs, listOpenIncidents, readFigures } from "./figures.server";
import { findNotice } from "./notice.server";
import { type Calls, findProblems, SCHEDULE_LABELS } from "./problems";
import { findWrongKeys } from "./reencrypt-columns.server";

/** Kinds of jobs that can be run again as they are. */
const AGAIN = Object.entries(JOB_KINDS).flatMap(([kind, rules]) => ("again" in rules ? [kind as JobKind] : []));

const mayRunAgain = (kind: string): boolean => (AGAIN as readonly string[]).includes(kind);

/** Form posts of the operations page: run one job again, or all of a kind. */
export const runAgainSchema = z.union([
  z.object({ intent: z.literal("run-job"), jobId: z.uuid() }),
  z.object({ intent: z.literal("run-kind"), kind: z.enum(AGAIN) }),
]);

type RunAgain = z.infer<typeof runAgainSchema>;

const SHOWN = 50;
/** As many as one request has time for; for more, the button is pressed again. */
const MOST_AT_ONCE = 100;

/** Kinds whose work is in the payload: without it there is nothing to run. */
const WITH_CONTENT: JobKind[] = ["email", "safety_email", "sms", "safety_sms", "password_reset"];

const isFailed = sql`${outbox.status} = 'failed' AND ${outbox.finishedAt} > 0`;

const canRun = or(notInArray(outbox.kind, WITH_CONTENT), isNotNull(outbox.sealedPayload)) ?? sql`true`;

/** The newest jobs that were given up. Payloads are encrypted and not read. `canRun`: the payload still exists. */
export const listGivenUp = ({ db }: ReadServices) =>
  db
    .select({
      ...columnsOf(outbox, "id", "kind", "attempts"),
      error: outbox.lastError,
      canRun: sql<number>`${canRun}`,
      finishedAt: sql<number>`coalesce(${outbox.finishedAt}, 0)`,
    })
    .from(outbox)
    .where(isFailed)
    .orderBy(desc(outbox.finishedAt))
    .limit(SHOWN);

/**
 * Runs given-up jobs again: the same rows with the same ids, by which providers recognise a repetition. Each is written
 * separately, so that if two people press at once, each job runs once.
 * @returns how many run again
 * @throws AppError 409 CHANGED_MEANWHILE when none does
 */
export async function runAgain(
  services: WriteServices,
  administrator: { userId: string; origin: Origin },
  asked: RunAgain,
): Promise<number> {
  let count = 0;
  for (const job of await findAsked(services, asked)) if (await runJobAgain(services, administrator, job)) count++;
  if (count === 0)
    throw new AppError("CHANGED_MEANWHILE", "This has already been run again, or its content was deleted.");
  return count;
}

function findAsked({ db }: ReadServices, asked: RunAgain) {
  const which = asked.intent === "run-job" ? eq(outbox.id, asked.jobId) : eq(outbox.kind, asked.kind);
  return db
    .select({ id: outbox.id, kind: outbox.kind, organizationId: outbox.organizationId })
    .from(outbox)
    .where(and(which, isFailed, canRun))
    .orderBy(outbox.finishedAt)
    .limit(MOST_AT_ONCE);
}

async function runJobAgain(
  services: WriteServices,
  administrator: { userId: string; origin: Origin },
  { id, kind, organizationId }: { id: string; kind: string; organizationId: string | null },
): Promise<boolean> {
  if (!mayRunAgain(kind)) return false;
  const { db, clock } = services;
  const dueAt = clock.now();
  const found = sql`SELECT 1 FROM ${outbox} WHERE "id" = ${id} AND "status" = 'failed' AND ${canRun}`;
  const { ok } = await runCommand(
    services,
    { ...administrator, organizationId: organizationId ?? PLATFORM_ORGANIZATION_ID },
    {
      conditions: [{ name: "run_again_already", found }],
      statements: [
        db
          .update(outbox)
          .set({
            status: "pending",
            attempts: 0,
            dueAt,
            finishedAt: null,
            sentAt: null,
            leaseId: null,
            leaseUntil: null,
          })
          .where(eq(outbox.id, id)),
      ],
      audit: [{ action: "job.run_again", entityId: id, details: { kind: kind as JobKind } }],
      woken: [{ id, kind: kind as JobKind, dueAt }],
    },
  );
  return ok;
}

type Reading = Pick<Services, "db" | "clock" | "config">;

/** The answer of the status call: everything that an operator needs to judge the service. Instants in ISO 8601. */
export async function readOperations(services: Reading) {
  const { db, config } = services;
  const [figures, jobs, { applied, isReady }, { unlistedKeys, changedKeys }] = await Promise.all([
    readFigures(services),
    countJobs(services),
    readMigrationState(db),
    findWrongKeys(services),
  ]);
  const problems = findProblems(figures);
  const { now, outbox, deadLetter, sealer, database } = figures;
  const secondsSince = (ms: number | null) => (ms === null ? 0 : Math.round((now - ms) / 1000));
  return {
    ok: problems.length === 0 && isReady && unlistedKeys.length === 0 && changedKeys.length === 0,
    at: new Date(now).toISOString(),
    version: config.version,
    migrations: { applied: applied ?? null, isReady },
    unlistedKeys,
    changedKeys,
    outbox: {
      oldestDueSeconds: secondsSince(outbox.oldestDueAt),
      pending: byKind(jobs.pending),
      failed: byKind(jobs.failed),
    },
    schedules: figures.schedules.map(({ cron, ...calls }) => ({ cron, ...callTimes(calls) })),
    queues: figures.queues.map(({ queue, lastSucceededAt, failingSince }) => ({
      queue,
      lastDeliveredAt: isoOf(lastSucceededAt),
      silentSince: isoOf(failingSince),
    })),
    deadLetter: { lastAt: isoOf(deadLetter.lastAt), about: deadLetter.about },
    sealer: { lagSeconds: secondsSince(sealer.oldestUnsealedAt) },
    providers: figures.providers.map(({ party, ...calls }) => ({ party, ...callTimes(calls) })),
    database: { bytes: database.bytes, limitBytes: database.limitBytes },
    problems: problems.map(({ watched, detail, startedAt }) => ({ watched, detail, startedAt: isoOf(startedAt) })),
  };
}

const byKind = (rows: readonly { kind: string; count: number }[]): Record<string, number> =>
  Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));

const isoOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

const callTimes = ({ lastSucceededAt, lastFailedAt, failingSince, lastError }: Calls) => ({
  lastSucceededAt: isoOf(lastSucceededAt),
  lastFailedAt: isoOf(lastFailedAt),
  failingSince: isoOf(failingSince),
  lastError,
});

/** The same for a super admin, with the last day's figures, jobs that were given up, and the notice. */
export async function readOperationsPage(services: Reading, timeZone: string) {
  const now = services.clock.now();
  const zone = { timeZone, now };
  const shown = (ms: number | null): ShownTime | null => (ms === null ? null : showTime(ms, zone));
  const [figures, jobs, open, samples, givenUp, notice] = await Promise.all([
    readFigures(services),
    countJobs(services),
    listOpenIncidents(services),
    listSamples(services, now),
    listGivenUp(services),
    findNotice(services),
  ]);
  const rowOf = (name: string, calls: Calls) => ({
    name,
    lastSucceededAt: shown(calls.lastSucceededAt),
    failingSince: shown(calls.failingSince),
    lastError: calls.failingSince === null ? null : calls.lastError,
  });
  const { outbox, deadLetter, sealer, database } = figures;
  return {
    notice: notice ?? null,
    incidents: open.map(({ id, watched, detail, startedAt }) => ({
      id,
      watched,
      detail,
      since: showTime(startedAt, zone),
    })),
    oldestDueMinutes: minutesSince(outbox.oldestDueAt, now),
    sealLagMinutes: minutesSince(sealer.oldestUnsealedAt, now),
    deadLetter: { at: shown(deadLetter.lastAt), about: deadLetter.about },
    database,
    pending: jobs.pending,
    failed: jobs.failed.map((each) => ({ ...each, again: mayRunAgain(each.kind) })),
    schedules: [
      ...figures.schedules.map(({ cron, ...calls }) => rowOf(SCHEDULE_LABELS[cron] ?? cron, calls)),
      ...figures.queues.map(({ queue, ...calls }) => rowOf(`Queue ${queue}`, calls)),
    ],
    providers: figures.providers.map(({ party, ...calls }) => rowOf(party, calls)),
    charts: chartsOf(samples, now),
    givenUp: givenUp.map(({ finishedAt, canRun, ...job }) => ({
      ...job,
      again: mayRunAgain(job.kind),
      isWiped: !canRun,
      at: showTime(finishedAt, zone),
    })),
  };
}

export type OperationsPage = Awaited<ReturnType<typeof readOperationsPage>>;

const minutesSince = (ms: number | null, now: number): number => (ms === null ? 0 : Math.round((now - ms) / MINUTE_MS));

const listSamples = ({ db }: ReadServices, now: number) =>
  db
    .select()
    .from(operationSamples)
    .where(gte(operationSamples.at, now - DAY_MS))
    .orderBy(asc(operationSamples.at));

type Sample = Awaited<ReturnType<typeof listSamples>>[number];

/** Points of the last day: `x` from 0 (a day ago) to 1 (now). There are gaps where nothing was recorded. */
export type Chart = { title: string; most: number; now: number; points: readonly { x: number; y: number }[] };

function chartsOf(samples: readonly Sample[], now: number): Chart[] {
  const chart = (title: string, figure: (sample: Sample) => number): Chart => {
    const points = samples.map((sample) => ({ x: 1 - (now - sample.at) / DAY_MS, y: figure(sample) }));
    return { title, points, most: Math.max(0, ...points.map(({ y }) => y)), now: points.at(-1)?.y ?? 0 };
  };
  return [
    chart("Jobs waiting", ({ pending }) => pending),
    chart("Oldest due job, minutes", ({ oldestDueMs }) => Math.round(oldestDueMs / MINUTE_MS)),
    chart("Longest wait for a seal, minutes", ({ sealLagMs }) => Math.round(sealLagMs / MINUTE_MS)),
    chart("Abandoned jobs", ({ failed }) => failed),
  ];
}
