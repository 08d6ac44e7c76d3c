import type { Statement } from "@db/client";
import { componentDays, incidents, operationSamples } from "@db/schema";
import { and, eq, isNull, sql } from "drizzle-orm";
import { DAY_MS, DEFAULT_TIME_ZONE, isoDay, MINUTE_MS } from "~/kernel/dates";
import { runStatement, runStep } from "~/modules/core/commands/run-command.server";
import type { OperatorMessage } from "~/ports/operator";
import type { Services, WriteServices } from "~/services";
import { countJobs, readFigures } from "./figures.server";
import { type Figures, findProblems, type Problem, statesOf } from "./problems";
import { providerCallStatements } from "./provider-calls.server";
import { expectSchedules } from "./schedule-runs.server";

type Watching = WriteServices & Pick<Services, "config" | "log" | "operator" | "providerCalls">;

/**
 * Looks at the service's own figures: writes down what is wrong and what is over, tells the operator of both, and says that
 * all is well where it is. Where the database does not answer, the operator is told of that, and nobody is told that all is well.
 */
export async function watchOperations(services: Watching): Promise<void> {
  try {
    const news = services.providerCalls.take();
    for (const statement of providerCallStatements(services, news)) await runStatement(services, statement);
    await runStatement(services, expectSchedules(services));
    const figures = await readFigures(services);
    const problems = findProblems(figures);
    await writeIncidents(services, problems);
    await takeSample(services, figures, problems);
    await tellIncidents(services);
    if (problems.length === 0) await beat(services);
  } catch (error) {
    await tellThatBlind(services, error);
    throw error;
  }
}

/** A heartbeat that does not arrive is what raises the alarm: nothing more is to be done about it here. */
async function beat({ operator, log }: Watching): Promise<void> {
  await operator.beat().catch((error) => log.warn("operator.no_heartbeat", { error: String(error) }));
}

/** What failed may be the way to the operator itself: then the missing heartbeat says so. */
async function tellThatBlind({ operator, clock, ids, log }: Watching, error: unknown): Promise<void> {
  const detail = `the service cannot look at itself: ${error instanceof Error ? error.message : String(error)}`;
  const message = { id: ids.next(), watched: "watch", detail, startedAt: clock.now(), endedAt: null } as const;
  await operator.tell({ ...message, state: "started" }).catch((untold) => {
    log.error("operator.untold", { error: String(untold) });
  });
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

/** Tells what was not told yet. What cannot be told now is told by the next run. */
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
      log.error("operator.untold", { watched, error: String(error) });
    }
  }
}

const SLOT_MS = 5 * MINUTE_MS;
/** The page shows a day; a second one to look back. */
const SAMPLES_KEPT_MS = 2 * DAY_MS;
/** The public page shows 90 days. */
const DAYS_KEPT_MS = 100 * DAY_MS;

/** The zone in which the public page of the service's status tells its days and times. */
export const STATUS_TIME_ZONE = DEFAULT_TIME_ZONE;

export const dayOf = (ms: number): string => isoDay(ms, STATUS_TIME_ZONE);

/** Keeps the figures of these five minutes, once, and counts them into the day of each component of which something is known. */
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
