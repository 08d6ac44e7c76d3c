import { DAY_MS, HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import type { Component } from "~/kernel/enums";
import type { QueueName } from "~/services-and-actor";

/** Decides which of the service's own figures are problems. Pure. A stopped part is found within ten minutes. */

export const EVERY_MINUTE = "* * * * *";

/** How often each schedule of wrangler.toml runs. */
export const SCHEDULE_PERIODS: Readonly<Record<string, number>> = {
  [EVERY_MINUTE]: MINUTE_MS,
  "*/5 * * * *": 5 * MINUTE_MS,
  "7 * * * *": HOUR_MS,
  "23 16 * * *": DAY_MS,
};

/** The same in words. */
export const SCHEDULE_LABELS: Readonly<Record<string, string>> = {
  [EVERY_MINUTE]: "Every minute",
  "*/5 * * * *": "Every five minutes",
  "7 * * * *": "Every hour",
  "23 16 * * *": "Every night",
};

export const PARTY_COMPONENTS: Readonly<Record<string, Component>> = {
  mail: "email",
  sms: "texts",
  basiq: "bank_consent",
  cop: "bank_instant",
  azupay: "bank_instant",
  abr: "register",
  dns: "register",
  rdap: "register",
  xero: "accounting",
  myob: "accounting",
  stripe: "billing",
};

/** A party that was not called for this long has an unknown state. */
const KNOWN_FOR_MS = HOUR_MS;

/** How long a failure may last before it counts as a problem: most are over at the next attempt. */
const FAILING_MS = 5 * MINUTE_MS;
const DUE_MS = 5 * MINUTE_MS;
/** The sealer runs every five minutes. */
const UNSEALED_MS = 8 * MINUTE_MS;
const LATE_MS = 4 * MINUTE_MS;
export const DEAD_LETTERS = "dead letters";
/** How long a dead letter is reported. Its job is tried again, so no end of it is seen. */
const DEAD_LETTER_MS = 10 * MINUTE_MS;
const FULL = 0.8;

/** The row of a schedule or a party. Epoch milliseconds. */
export type Calls = {
  lastSucceededAt: number | null;
  lastFailedAt: number | null;
  failingSince: number | null;
  lastError: string | null;
};

export type Figures = {
  now: number;
  outbox: { oldestDueAt: number | null };
  schedules: readonly (Calls & { cron: string; since: number })[];
  providers: readonly (Calls & { party: string })[];
  queues: readonly (Calls & { queue: QueueName })[];
  /** The last message that a queue gave up on. */
  deadLetter: { lastAt: number | null; about: string | null };
  sealer: { oldestUnsealedAt: number | null };
  database: { bytes: number; limitBytes: number | null };
};

export type Problem = { watched: string; component: Component; detail: string; startedAt: number };

const minutesOf = (ms: number) => Math.round(ms / MINUTE_MS);

export function findProblems(figures: Figures): Problem[] {
  return [
    ...outboxProblems(figures),
    ...figures.schedules.flatMap((schedule) => scheduleProblems(schedule, figures.now)),
    ...figures.providers.flatMap((provider) => providerProblems(provider, figures.now)),
    ...figures.queues.flatMap((queue) => queueProblems(queue, figures.now)),
    ...deadLetterProblems(figures),
    ...sealerProblems(figures),
    ...databaseProblems(figures),
  ];
}

/** After this long without a run of any schedule, the every-minute one is late. */
export const STOPPED_MS = MINUTE_MS + LATE_MS;
/** In this time before a stop and after a start, people may act although no schedule runs. */
export const EDGE_MS = 2 * MINUTE_MS;
/** The parts that schedules run. */
const SCHEDULED = /^(outbox|sealer|schedule .+)$/;

/**
 * Whether this is the first run of a schedule after the whole service was stopped. It is not if anything was done in
 * the meantime, because then only the schedules had stopped; nor if a scheduled part was already reported as late.
 *
 * @param wasUsed whether an entry of the audit trail was written meanwhile, less `EDGE_MS` at both ends
 * @param open problems that were reported and have not ended
 */
export function isStartedAgain(
  { now, lastRunAt, wasUsed }: { now: number; lastRunAt: number; wasUsed: boolean },
  open: readonly Pick<Problem, "watched">[],
): boolean {
  return now - lastRunAt >= STOPPED_MS && !wasUsed && !open.some(({ watched }) => SCHEDULED.test(watched));
}

/**
 * Whether a schedule gets a new start time after the service was stopped, because it may have been due during the stop.
 * Not if it has not run since its last new start time: then it may be broken, so it is reported as late. A schedule
 * that never ran gets new start times for a day.
 */
export function isExpectedAgain({ since, lastSucceededAt, lastFailedAt }: Schedule, now: number): boolean {
  const ranAt = Math.max(lastSucceededAt ?? 0, lastFailedAt ?? 0);
  return ranAt === 0 ? now - since < DAY_MS : ranAt >= since;
}

/** From when schedules are expected to run: the service's first start, or last restart. */
const startOf = ({ schedules }: Figures) => schedules.find(({ cron }) => cron === EVERY_MINUTE)?.since ?? 0;

function outboxProblems(figures: Figures): Problem[] {
  const { now, outbox } = figures;
  if (outbox.oldestDueAt === null) return [];
  const startedAt = Math.max(outbox.oldestDueAt, startOf(figures));
  if (now - startedAt < DUE_MS) return [];
  const detail = `a job has been due for ${minutesOf(now - outbox.oldestDueAt)} minutes`;
  return [{ watched: "outbox", component: "background", detail, startedAt }];
}

type Schedule = Figures["schedules"][number];

/** When a schedule last ran, or was first expected. */
export const lastRunOf = ({ since, lastSucceededAt, lastFailedAt }: Schedule): number =>
  Math.max(since, lastSucceededAt ?? 0, lastFailedAt ?? 0);

function scheduleProblems(schedule: Schedule, now: number): Problem[] {
  const { cron, failingSince, lastError } = schedule;
  const watched = `schedule ${cron}`;
  const component = cron === "*/5 * * * *" ? "seals" : "background";
  const dueAt = lastRunOf(schedule) + (SCHEDULE_PERIODS[cron] ?? DAY_MS);
  if (now - dueAt >= LATE_MS) {
    return [{ watched, component, detail: `it was due ${minutesOf(now - dueAt)} minutes ago`, startedAt: dueAt }];
  }
  if (failingSince === null || now - failingSince < FAILING_MS) return [];
  return [{ watched, component, detail: lastError ?? "it fails", startedAt: failingSince }];
}

function providerProblems({ party, failingSince, lastError }: Figures["providers"][number], now: number): Problem[] {
  const component = PARTY_COMPONENTS[party];
  if (!component || failingSince === null || now - failingSince < FAILING_MS) return [];
  const watched = party === "mail" ? "mail" : `provider ${party}`;
  return [{ watched, component, detail: lastError ?? "it does not answer", startedAt: failingSince }];
}

/** A queue's failures count only if it was asked within this time: after a stop, nobody has asked for a while. */
const ASKED_MS = 3 * MINUTE_MS;

/** The schedule runs the jobs that a queue does not deliver, so nothing else shows that a queue has stopped. */
function queueProblems(
  { queue, failingSince, lastFailedAt, lastSucceededAt }: Figures["queues"][number],
  now: number,
): Problem[] {
  if (failingSince === null || now - failingSince < FAILING_MS || now - (lastFailedAt ?? 0) > ASKED_MS) return [];
  const last = lastSucceededAt === null ? "" : `, the last one ${minutesOf(now - lastSucceededAt)} minutes ago`;
  const detail = `no message arrives${last}: the schedule runs its jobs, later and fewer at a time`;
  return [{ watched: `queue ${queue}`, component: "background", detail, startedAt: failingSince }];
}

function deadLetterProblems({ now, deadLetter: { lastAt, about } }: Figures): Problem[] {
  if (lastAt === null || now - lastAt >= DEAD_LETTER_MS) return [];
  const detail = `a queue gave up on ${about}`;
  return [{ watched: DEAD_LETTERS, component: "background", detail, startedAt: lastAt }];
}

function sealerProblems(figures: Figures): Problem[] {
  const { now, sealer } = figures;
  if (sealer.oldestUnsealedAt === null) return [];
  const startedAt = Math.max(sealer.oldestUnsealedAt, startOf(figures));
  if (now - startedAt < UNSEALED_MS) return [];
  const detail = `an entry has waited ${minutesOf(now - sealer.oldestUnsealedAt)} minutes for its seal`;
  return [{ watched: "sealer", component: "seals", detail, startedAt }];
}

function databaseProblems({ now, database: { bytes, limitBytes } }: Figures): Problem[] {
  if (limitBytes === null || bytes < FULL * limitBytes) return [];
  const percent = Math.floor((100 * bytes) / limitBytes);
  return [{ watched: "database", component: "app", detail: `it is ${percent} % full`, startedAt: now }];
}

/** While these have a problem everything still works (without a queue, within a minute), so the public is not told. */
const QUIET = /^(database|dead letters|queue .+)$/;

/** True if the public is told about a problem. */
export const isPublic = ({ watched }: Pick<Problem, "watched">): boolean => !QUIET.test(watched);

export type State = "good" | "bad" | "unknown";

/**
 * The state of each component. A party that was not called for an hour has an unknown state, and parties that this
 * installation does not use are left out.
 */
export function statesOf(figures: Figures, problems: readonly Problem[]): Map<Component, State> {
  const states = new Map<Component, State>([
    ["app", "good"],
    ["background", "good"],
    ["seals", "good"],
  ]);
  for (const { party, lastSucceededAt } of figures.providers) {
    const component = PARTY_COMPONENTS[party];
    if (!component) continue;
    const isKnown = lastSucceededAt !== null && figures.now - lastSucceededAt < KNOWN_FOR_MS;
    states.set(component, isKnown || states.get(component) === "good" ? "good" : "unknown");
  }
  for (const problem of problems) if (isPublic(problem)) states.set(problem.component, "bad");
  return states;
}
