import { componentDays, incidents, operationSamples } from "@db/database";
import { and, desc, gte, inArray } from "drizzle-orm";
import { DAY_MS, HOUR_MS, MINUTE_MS, moveDay, type ShownTime, showTime } from "~/kernel/dates";
import { COMPONENTS, type Component } from "~/kernel/enums";
import type { ReadServices, Services } from "~/services-and-actor";
import { readFigures } from "./figures.server";
import { COMPONENT_WORDS } from "./notice.server";
import { findProblems, isPublic, PARTY_COMPONENTS, type State, statesOf } from "./problems";
import { dayOf, STATUS_TIME_ZONE } from "./watch.server";

const SHOWN_DAYS = 90;
const SLOT_MINUTES = 5;
/** If the figures have not been read for this long, the state is unknown. */
const BLIND_MS = 10 * MINUTE_MS;
const MOST_INCIDENTS = 50;

export type ShownComponent = {
  component: Component;
  name: string;
  state: State;
  /** Oldest first, today last. */
  days: readonly State[];
  /** "In 90 days: known on 12, about 35 minutes of problems on 1." */
  summary: string;
};

/** The public status page, from what was recorded; unrecorded times are shown as unknown. */
export async function readStatusPage(services: Pick<Services, "db" | "clock" | "config">) {
  const now = services.clock.now();
  const components = shownComponents(services.config.parties);
  const [figures, isBlind, days, past] = await Promise.all([
    readFigures(services),
    isUnwatched(services, now),
    listDays(services, components, now),
    listIncidents(services, now),
  ]);
  const states = isBlind ? new Map<Component, State>() : statesOf(figures, findProblems(figures));
  const zone = { timeZone: STATUS_TIME_ZONE, now };
  return {
    at: showTime(now, zone),
    components: components.map((component): ShownComponent => {
      const own = days.filter((day) => day.component === component);
      const state = states.get(component) ?? "unknown";
      return {
        component,
        name: COMPONENT_WORDS[component].name,
        state,
        days: lastDays(now).map((day) => stateOf(own.find((row) => row.day === day))),
        summary: summarize(own, state),
      };
    }),
    incidents: past.filter(isPublic).map(({ id, component, startedAt, endedAt }) => ({
      id,
      name: COMPONENT_WORDS[component].name,
      from: showTime(startedAt, zone),
      to: endedAt === null ? null : showTime(endedAt, zone),
      lasted: lasting((endedAt ?? now) - startedAt),
    })),
  };
}

export type StatusPage = Awaited<ReturnType<typeof readStatusPage>>;
export type { ShownTime };

const shownComponents = (parties: readonly string[]): Component[] => {
  const used = new Set(parties.map((party) => PARTY_COMPONENTS[party]));
  const own: readonly Component[] = ["app", "background", "seals"];
  return COMPONENTS.filter((component) => own.includes(component) || used.has(component));
};

async function isUnwatched({ db }: ReadServices, now: number): Promise<boolean> {
  const [last] = await db
    .select({ at: operationSamples.at })
    .from(operationSamples)
    .where(gte(operationSamples.at, now - BLIND_MS))
    .limit(1);
  return last === undefined;
}

const listDays = ({ db }: ReadServices, components: Component[], now: number) =>
  db
    .select()
    .from(componentDays)
    .where(
      and(inArray(componentDays.component, components), gte(componentDays.day, moveDay(dayOf(now), 1 - SHOWN_DAYS))),
    );

const listIncidents = ({ db }: ReadServices, now: number) =>
  db
    .select()
    .from(incidents)
    .where(gte(incidents.startedAt, now - SHOWN_DAYS * DAY_MS))
    .orderBy(desc(incidents.startedAt))
    .limit(MOST_INCIDENTS);

const lastDays = (now: number): string[] =>
  Array.from({ length: SHOWN_DAYS }, (_, at) => moveDay(dayOf(now), at - (SHOWN_DAYS - 1)));

type Day = { good: number; bad: number };

function stateOf(day: Day | undefined): State {
  if (!day) return "unknown";
  return day.bad > 0 ? "bad" : "good";
}

/** Trouble is counted every five minutes, so the present one may not be among the days yet. */
function summarize(days: readonly Day[], state: State): string {
  if (days.length === 0) return "Nothing is known about the past 90 days.";
  const bad = days.filter((day) => day.bad > 0);
  const minutes = SLOT_MINUTES * bad.reduce((sum, day) => sum + day.bad, 0);
  const none = state === "bad" ? "no problem before now" : "no problem was seen";
  const trouble = bad.length === 0 ? none : `about ${minutes} minutes of problems on ${bad.length}`;
  return `Known on ${days.length} of the past 90 days: ${trouble}.`;
}

function lasting(ms: number): string {
  if (ms < HOUR_MS) return `${Math.max(1, Math.round(ms / MINUTE_MS))} minutes`;
  return `${Math.round((10 * ms) / HOUR_MS) / 10} hours`;
}
