import { componentDays, incidents, operationSamples, providerCalls, type Statement, scheduleRuns } from "@db/database";
import { textOf } from "@db/errors";
import { readMigrationState } from "@db/migration-state";
import { and, eq, gt, isNull, type SQLWrapper, sql } from "drizzle-orm";
import { DAY_MS, DEFAULT_TIME_ZONE, isoDay, MINUTE_MS } from "~/kernel/dates";
import { NO_JOB } from "~/modules/core/commands/job";
import { runStatement, runStep } from "~/modules/core/commands/run-command.server";
import type { OperatorMessage } from "~/ports/operator";
import type { ProviderNote, ReadServices, Services, TimedServices, WriteServices } from "~/services-and-actor";
import { countJobs, listOpenIncidents, QUEUES, readFigures, wasWritten } from "./figures.server";
import {
  DEAD_LETTERS,
  EDGE_MS,
  type Figures,
  findProblems,
  isExpectedAgain,
  isStartedAgain,
  lastRunOf,
  type Problem,
  SCHEDULE_PERIODS,
  STOPPED_MS,
  statesOf,
} from "./problems";
import { findWrongKeys } from "./reencrypt-columns.server";

type Telling = Pick<Services, "clock" | "ids" | "log" | "notes" | "operator">;
type Watching = WriteServices & Telling & Pick<Services, "config" | "providerCalls" | "queues">;

/**
 * Checks the service's own figures: records new and resolved problems, tells the operator of both, and sends the
 * heartbeat when all is well. A dead letter is told and over: nothing has stopped. If the database does not respond,
 * tells the operator so and sends no heartbeat.
 */
export async function watchOperations(services: Watching): Promise<void> {
  try {
    const news = services.providerCalls.take();
    for (const statement of providerCallStatements(services, news)) await runStatement(services, statement);
    const figures = await readFigures(services);
    const problems = findProblems(figures);
    await writeIncidents(services, problems);
    await takeSample(services, figures, problems);
    await tellIncidents(services);
    await askQuietQueues(services, figures);
    await tellThatSeeing(services);
    if (problems.every(({ watched }) => watched === DEAD_LETTERS)) await beat(services);
  } catch (error) {
    await tellThatBlind(services, error);
    throw error;
  }
}

/** Sends the heartbeat. If it fails, the monitor misses it and raises the alarm, so nothing more is done here. */
async function beat({ operator, log }: Watching): Promise<void> {
  await operator.beat().catch((error) => log.warn("operator.no_heartbeat", { error: String(error) }));
}

/** The note, outside the database, of what the operator was told while the database did not answer. */
const BLIND = "blind";

/**
 * Tells the operator once that the service cannot read its database. If that fails, the next run tries again, and the
 * missing heartbeat raises the alarm.
 */
export async function tellThatBlind({ operator, notes, clock, ids, log }: Telling, error: unknown): Promise<void> {
  if (await notes.read(BLIND).catch(() => null)) return;
  const why = textOf(error).split(" | ").at(-1) || String(error);
  const detail = `the service cannot check itself: ${why}`;
  const message = { id: ids.next(), watched: "watch", detail, startedAt: clock.now(), endedAt: null } as const;
  try {
    await operator.tell({ ...message, state: "started" });
    await notes.write(BLIND, JSON.stringify(message));
  } catch (untold) {
    log.error("operator.not_told", { error: String(untold) });
  }
}

async function tellThatSeeing({ operator, notes, clock, log }: Telling): Promise<void> {
  try {
    const told = await notes.read(BLIND);
    if (!told) return;
    await operator.tell({ ...JSON.parse(told), state: "ended", endedAt: clock.now() });
    await notes.write(BLIND, "");
  } catch (untold) {
    log.error("operator.not_told", { error: String(untold) });
  }
}

/** A queue that delivered something so recently is not asked. */
const QUIET_MS = 2 * MINUTE_MS;

/**
 * Sends a message to each queue that has delivered nothing for a while. It names no job, so its only effect is that the
 * consumer notes the delivery; until then the queue counts as one that delivers nothing.
 */
async function askQuietQueues(services: Watching, { now, queues }: Figures): Promise<void> {
  for (const { queue, lastSucceededAt } of queues) {
    if (lastSucceededAt !== null && now - lastSucceededAt < QUIET_MS) continue;
    const note = { party: QUEUES[queue], lastFailedAt: now, failingSince: now, lastError: "no message arrives" };
    for (const statement of providerCallStatements(services, [note])) await runStatement(services, statement);
    await services.queues.send(queue, [NO_JOB]);
  }
}

const isOpen = (watched: string) => and(eq(incidents.watched, watched), isNull(incidents.endedAt));

async function writeIncidents(services: Watching, problems: readonly Problem[]): Promise<void> {
  const { db, clock, ids, log } = services;
  const open = await db
    .select({ watched: incidents.watched })
    .from(incidents)
    .where(isNull(incidents.endedAt))
    .limit(100);
  for (const problem of problems) {
    if (open.some(({ watched }) => watched === problem.watched)) continue;
    log.error("operations.problem", { watched: problem.watched, detail: problem.detail });
    await runStatement(
      services,
      db
        .insert(incidents)
        .values({ id: ids.next(), ...problem })
        .onConflictDoNothing(),
    );
  }
  for (const { watched } of open) {
    if (problems.some((problem) => problem.watched === watched)) continue;
    log.info("operations.over", { watched });
    await runStatement(services, db.update(incidents).set({ endedAt: clock.now() }).where(isOpen(watched)));
  }
}

/** Tells the operator about incidents that were not reported yet. Failed reports are retried by the next run. */
async function tellIncidents(services: Watching): Promise<void> {
  const { db, clock, operator, log } = services;
  const current = await db
    .select()
    .from(incidents)
    .where(isNull(incidents.endToldAt))
    .orderBy(incidents.startedAt)
    .limit(50);
  for (const { id, watched, detail, startedAt, endedAt, toldAt } of current) {
    const told = (state: OperatorMessage["state"]) =>
      operator.tell({ id, state, watched, detail, startedAt, endedAt: state === "ended" ? endedAt : null });
    const note = (row: { toldAt?: number; endToldAt?: number }): Statement =>
      db.update(incidents).set(row).where(eq(incidents.id, id));
    try {
      if (toldAt === null) {
        await told("started");
        await runStatement(services, note({ toldAt: clock.now() }));
      }
      if (endedAt === null) continue;
      await told("ended");
      await runStatement(services, note({ endToldAt: clock.now() }));
    } catch (error) {
      log.error("operator.not_told", { watched, error: String(error) });
    }
  }
}

const SLOT_MS = 5 * MINUTE_MS;
/** The page shows one day; the second is for looking back. */
const SAMPLES_KEPT_MS = 2 * DAY_MS;
/** The public page shows 90 days. */
const DAYS_KEPT_MS = 100 * DAY_MS;

/** The time zone of the public status page. */
export const STATUS_TIME_ZONE = DEFAULT_TIME_ZONE;

export const dayOf = (ms: number): string => isoDay(ms, STATUS_TIME_ZONE);

/** Stores the figures of these five minutes, once, and counts them towards each known component's day. */
async function takeSample(services: Watching, figures: Figures, problems: readonly Problem[]): Promise<void> {
  const { db } = services;
  const { now, outbox, sealer, database } = figures;
  const at = now - (now % SLOT_MS);
  const [known] = await db
    .select({ at: operationSamples.at })
    .from(operationSamples)
    .where(eq(operationSamples.at, at));
  if (known) return;
  const jobs = await countJobs(services);
  const sum = (rows: readonly { count: number }[]) => rows.reduce((all, { count }) => all + count, 0);
  const sample = {
    at,
    pending: sum(jobs.pending),
    failed: sum(jobs.failed),
    oldestDueMs: outbox.oldestDueAt === null ? 0 : now - outbox.oldestDueAt,
    sealLagMs: sealer.oldestUnsealedAt === null ? 0 : now - sealer.oldestUnsealedAt,
    databaseBytes: database.bytes,
  };
  const days = [...statesOf(figures, problems)].flatMap(([component, state]) =>
    state === "unknown"
      ? []
      : [{ component, day: dayOf(now), good: state === "good" ? 1 : 0, bad: state === "bad" ? 1 : 0 }],
  );
  await runStep(services, {
    conditions: [
      { name: "sampled", found: sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${operationSamples} WHERE "at" = ${at})` },
    ],
    statements: [
      db.insert(operationSamples).values(sample),
      db
        .insert(componentDays)
        .values(days)
        .onConflictDoUpdate({
          target: [componentDays.component, componentDays.day],
          set: { good: sql`${componentDays.good} + excluded."good"`, bad: sql`${componentDays.bad} + excluded."bad"` },
        }),
      db.delete(operationSamples).where(sql`${operationSamples.at} < ${now - SAMPLES_KEPT_MS}`),
      ...days.map(({ component }) =>
        db
          .delete(componentDays)
          .where(
            sql`${componentDays.component} = ${component} AND ${componentDays.day} < ${dayOf(now - DAYS_KEPT_MS)}`,
          ),
      ),
    ],
  });
}

/** Records that a schedule ran. @param error what failed; undefined: all went well */
export async function noteRun(services: TimedServices, cron: string, error: string | undefined): Promise<void> {
  const { db, clock } = services;
  const now = clock.now();
  const found =
    error === undefined
      ? { lastSucceededAt: now, failingSince: null }
      : { lastFailedAt: now, failingSince: sql`coalesce(${scheduleRuns.failingSince}, ${now})`, lastError: error };
  const first = error === undefined ? found : { lastFailedAt: now, failingSince: now, lastError: error };
  await runStatement(
    services,
    db
      .insert(scheduleRuns)
      .values({ cron, since: now, ...(first as object) })
      .onConflictDoUpdate({ target: scheduleRuns.cron, set: found }),
  );
}

/**
 * Before a schedule runs: records that each schedule that never ran is expected from now on, so that its absence is
 * noticed. If the whole service was stopped, the others get a new start time too, because what was due meanwhile could
 * not be done.
 */
export async function expectSchedules(services: TimedServices & Pick<Services, "log">): Promise<void> {
  const { db, clock, log } = services;
  const now = clock.now();
  const known = await db.select().from(scheduleRuns).where(gt(scheduleRuns.cron, ""));
  const isStarted = known.length > 0 && (await isFirstRun(services, now, Math.max(...known.map(lastRunOf))));
  const crons = Object.keys(SCHEDULE_PERIODS).filter((cron) => {
    const row = known.find((each) => each.cron === cron);
    return !row || (isStarted && isExpectedAgain(row, now));
  });
  if (isStarted) log.info("operations.started_again");
  if (crons.length === 0) return;
  await runStatement(
    services,
    db
      .insert(scheduleRuns)
      .values(crons.map((cron) => ({ cron, since: now })))
      .onConflictDoUpdate({ target: scheduleRuns.cron, set: { since: now } }),
  );
}

async function isFirstRun(services: TimedServices, now: number, lastRunAt: number): Promise<boolean> {
  if (now - lastRunAt < STOPPED_MS) return false;
  const [wasUsed, open] = await Promise.all([
    wasWritten(services, lastRunAt + EDGE_MS, now - EDGE_MS),
    listOpenIncidents(services),
  ]);
  return isStartedAgain({ now, lastRunAt, wasUsed }, open);
}

const LONGEST_ERROR = 300;

/**
 * Statements that record the results of calls to outside parties. Several instances write, so the newest success and
 * failure count, and a party is failing since its first failure after the last success that any instance saw.
 */
export const providerCallStatements = ({ db }: ReadServices, notes: readonly ProviderNote[]): Statement[] =>
  notes.map(({ party, lastSucceededAt = null, lastFailedAt = null, failingSince = null, lastError }) => {
    const row = { lastSucceededAt, lastFailedAt, failingSince, lastError: lastError?.slice(0, LONGEST_ERROR) ?? null };
    return db
      .insert(providerCalls)
      .values({ party, ...row })
      .onConflictDoUpdate({
        target: providerCalls.party,
        set: {
          lastSucceededAt: latest(providerCalls.lastSucceededAt, lastSucceededAt),
          lastFailedAt: latest(providerCalls.lastFailedAt, lastFailedAt),
          failingSince: failingSinceAfter(row),
          lastError: row.lastError ?? sql`${providerCalls.lastError}`,
        },
      });
  });

const latest = (column: SQLWrapper, value: number | null) => sql`nullif(max(coalesce(${column}, 0), ${value ?? 0}), 0)`;

type Row = { lastSucceededAt: number | null; failingSince: number | null };

/** Failures after a success start a new period; a success older than a known failure does not end it. */
function failingSinceAfter({ lastSucceededAt, failingSince }: Row) {
  const known = providerCalls.failingSince;
  if (failingSince === null) return sql`CASE WHEN ${known} > ${lastSucceededAt ?? 0} THEN ${known} END`;
  return lastSucceededAt === null ? sql`coalesce(${known}, ${failingSince})` : failingSince;
}

/** Checks whether this build can use the database and has every key in use; if not, says why. */
export async function checkHealth(services: Pick<Services, "db" | "config">) {
  const { db, config } = services;
  const [{ applied, isReady, isBuildTooOld }, { unlistedKeys, changedKeys }] = await Promise.all([
    readMigrationState(db),
    findWrongKeys(services),
  ]);
  const problems = [
    ...(isReady ? [] : [`the database is ${isBuildTooOld ? "newer" : "older"} than this build`]),
    ...unlistedKeys.map((key) => `${key} is in use, and is not listed`),
    ...changedKeys.map((key) => `${key} is not the key that sealed what is stored`),
  ];
  return {
    ok: problems.length === 0,
    version: config.version,
    migrations: applied ?? null,
    ...(problems.length > 0 ? { problem: problems.join("; ") } : {}),
    ...(unlistedKeys.length > 0 ? { unlistedKeys } : {}),
    ...(changedKeys.length > 0 ? { changedKeys } : {}),
  };
}
