import { readMigrationState } from "@db/migration-state";
import { operationSamples } from "@db/schema";
import { asc, gte } from "drizzle-orm";
import { DAY_MS, MINUTE_MS, type ShownTime, showTime } from "~/kernel/dates";
import type { ReadServices, Services } from "~/services";
import { countJobs, listOpenIncidents, readFigures } from "./figures.server";
import { listGivenUp, mayRunAgain } from "./given-up.server";
import { findUnlistedKeys } from "./keys.server";
import { findNotice } from "./notice.server";
import { type Calls, findProblems, SCHEDULE_LABELS } from "./problems";

type Reading = Pick<Services, "db" | "clock" | "config">;

/** What the status call answers: everything by which an operator judges the service. Instants in ISO 8601. */
export async function readOperations(services: Reading) {
  const { db, config } = services;
  const [figures, jobs, { applied, isReady }, unlistedKeys] = await Promise.all([
    readFigures(services),
    countJobs(services),
    readMigrationState(db),
    findUnlistedKeys(services),
  ]);
  const problems = findProblems(figures);
  const { now, outbox, sealer, database } = figures;
  const secondsSince = (ms: number | null) => (ms === null ? 0 : Math.round((now - ms) / 1000));
  return {
    ok: problems.length === 0 && isReady && unlistedKeys.length === 0,
    at: new Date(now).toISOString(),
    version: config.version,
    migrations: { applied: applied ?? null, isReady },
    unlistedKeys,
    outbox: {
      oldestDueSeconds: secondsSince(outbox.oldestDueAt),
      pending: byKind(jobs.pending),
      failed: byKind(jobs.failed),
    },
    schedules: figures.schedules.map(({ cron, ...calls }) => ({ cron, ...sayCalls(calls) })),
    sealer: { lagSeconds: secondsSince(sealer.oldestUnsealedAt) },
    providers: figures.providers.map(({ party, ...calls }) => ({ party, ...sayCalls(calls) })),
    database: { bytes: database.bytes, limitBytes: database.limitBytes },
    problems: problems.map(({ watched, detail, startedAt }) => ({ watched, detail, startedAt: isoOf(startedAt) })),
  };
}

const byKind = (rows: readonly { kind: string; count: number }[]): Record<string, number> =>
  Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));

const isoOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

const sayCalls = ({ lastSucceededAt, lastFailedAt, failingSince, lastError }: Calls) => ({
  lastSucceededAt: isoOf(lastSucceededAt),
  lastFailedAt: isoOf(lastFailedAt),
  failingSince: isoOf(failingSince),
  lastError,
});

/** The same for a super admin, with the figures of the last day, what was given up, and the notice. */
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
  const { outbox, sealer, database } = figures;
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
    database,
    pending: jobs.pending,
    failed: jobs.failed.map((each) => ({ ...each, again: mayRunAgain(each.kind) })),
    schedules: figures.schedules.map(({ cron, ...calls }) => rowOf(SCHEDULE_LABELS[cron] ?? cron, calls)),
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

/** Points of the last day: `x` from 0 (a day ago) to 1 (now). Where nothing was written down there is none. */
export type Chart = { title: string; most: number; now: number; points: readonly { x: number; y: number }[] };

function chartsOf(samples: readonly Sample[], now: number): Chart[] {
  const chart = (title: string, figure: (sample: Sample) => number): Chart => {
    const points = samples.map((sample) => ({ x: 1 - (now - sample.at) / DAY_MS, y: figure(sample) }));
    return { title, points, most: Math.max(0, ...points.map(({ y }) => y)), now: points.at(-1)?.y ?? 0 };
  };
  return [
    chart("Jobs that wait", ({ pending }) => pending),
    chart("Oldest due job, minutes", ({ oldestDueMs }) => Math.round(oldestDueMs / MINUTE_MS)),
    chart("Longest wait for a seal, minutes", ({ sealLagMs }) => Math.round(sealLagMs / MINUTE_MS)),
    chart("Jobs given up", ({ failed }) => failed),
  ];
}
