import { type Condition, columnsOf, outbox, type Statement } from "@db/database";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { AlertLine } from "~/emails/alert-emails";
import type { Email } from "~/emails/templates";
import type { AlertReason } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import type { NewJob } from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import type { Services, WriteServices } from "~/services-and-actor";
import { stopEmailsHref } from "./choices.server";
import { ALERT_EVENT_NAMES, type AlertEventName, eventOf } from "./events";

/** How long an alert waits to share its email: with the queue's delay, it is sent within a minute of the event. */
export const BURST_MS = 45_000;

/** What one alert contributes to an email to one address. */
export type AlertLetter = {
  organizationId: string;
  /** Null: the organisation's own address, where no person can turn these emails off. */
  userId: string | null;
  to: string;
  event: AlertEventName;
  /** An action in `NEVER_COMBINED`, whose email must contain nothing else; null: it may be combined with others. */
  apart: string | null;
  why: AlertReason;
  line: AlertLine;
  dueAt: number;
};

/** The email in its job's payload, to which later alerts can be added. */
type Kept = Extract<Email, { template: "alertRaised" }> & { to: string };
type Data = Kept["data"];

const SAFETY = ALERT_EVENT_NAMES.filter((name) => eventOf(name).isSafety === true);
const BY_GRAVITY = [...SAFETY, ...ALERT_EVENT_NAMES.filter((name) => !SAFETY.includes(name))];
const gravityOf = ({ event }: { event?: string }): number => BY_GRAVITY.indexOf(event as AlertEventName);

/** Sorts the most serious first, also for the subject line; equal ones by time. */
export const bySeverity = <Line extends { event?: string }>(lines: readonly Line[]): Line[] =>
  [...lines].sort((a, b) => gravityOf(a) - gravityOf(b));

type QueuedEmails = { jobs: NewJob[]; statements: Statement[]; conditions: Condition<"email_taken">[] };

/**
 * Writes the emails for some alerts: those to one address that are due together become one email, and are added to one
 * that is still waiting. If a queue took that email meanwhile, the batch is refused and another email is made.
 */
export async function writeLetters(services: WriteServices, letters: readonly AlertLetter[]): Promise<QueuedEmails> {
  const groups = new Map<string, AlertLetter[]>();
  for (const letter of letters) {
    const key = `${subjectOf(letter)} ${letter.to} ${letter.dueAt}`;
    groups.set(key, [...(groups.get(key) ?? []), letter]);
  }
  if (groups.size === 0) return { jobs: [], statements: [], conditions: [] };
  const waiting = await listWaiting(services, letters);
  const queued: QueuedEmails = { jobs: [], statements: [], conditions: [] };
  const taken: { id: string; payload: string }[] = [];
  for (const group of groups.values()) {
    const [first] = group;
    if (!first) continue;
    const found = waiting.find(({ job, kept }) => fits(first, job, kept) && !taken.some(({ id }) => id === job.id));
    if (!found) {
      queued.jobs.push(await newLetter(services, first, group));
      continue;
    }
    taken.push({ id: found.job.id, payload: found.job.sealedPayload });
    queued.statements.push(keepAdded(services, found.job, await addTo(services, found, group)));
  }
  if (taken.length > 0) queued.conditions.push(stillWaiting(services, taken));
  return queued;
}

const subjectOf = ({ organizationId, userId, apart }: Pick<AlertLetter, "organizationId" | "userId" | "apart">) =>
  `alerts:${organizationId}:${userId ?? "organization"}${apart === null ? "" : `:${apart}`}`;

const isUntouched = and(eq(outbox.status, "pending"), isNull(outbox.leaseId), eq(outbox.attempts, 0));

/** The waiting alert emails to these people that no queue has taken yet. */
async function listWaiting({ db, secrets }: WriteServices, letters: readonly AlertLetter[]) {
  const subjects = JSON.stringify([...new Set(letters.map(subjectOf))]);
  const rows = await db
    .select(columnsOf(outbox, "id", "subjectId", "kind", "dueAt", "sealedPayload"))
    .from(outbox)
    .where(
      and(
        sql`${outbox.subjectId} IN (SELECT value FROM json_each(${subjects}))`,
        sql`${outbox.kind} IN ('email', 'safety_email')`,
        isUntouched,
      ),
    );
  return Promise.all(
    rows
      .flatMap(({ sealedPayload, ...row }) => (sealedPayload === null ? [] : [{ ...row, sealedPayload }]))
      .map(async (job) => ({ job, kept: JSON.parse(await secrets.open(job.sealedPayload, job.id)) as Kept })),
  );
}

type Waiting = Awaited<ReturnType<typeof listWaiting>>[number];

const fits = (letter: AlertLetter, job: Waiting["job"], kept: Kept): boolean =>
  job.subjectId === subjectOf(letter) && kept.to === letter.to && job.dueAt <= letter.dueAt && !("message" in kept);

const toData = ({ line, event, why }: AlertLetter) => ({ ...line, event, why });

/** An email lists at most this many alerts; the page has the rest. */
const MAX_LINES = 30;

function joined(services: Pick<Services, "config">, lines: readonly ReturnType<typeof toData>[], before?: Data): Data {
  const { others = [], more = 0, stopHref, allHref: _, ...first } = before ?? {};
  const known = before ? [first as ReturnType<typeof toData>, ...others] : [];
  const [gravest, ...rest] = bySeverity([...known, ...lines]);
  if (!gravest) throw new Error("an email of no alert");
  const shown = rest.slice(0, MAX_LINES - 1);
  const data: Data = { ...gravest, ...(stopHref === undefined ? {} : { stopHref }) };
  if (shown.length === 0) return data;
  const allHref = `${services.config.appOrigin}${appPaths.alerts}`;
  return { ...data, others: shown, more: more + rest.length - shown.length, allHref };
}

async function newLetter(services: WriteServices, first: AlertLetter, group: readonly AlertLetter[]): Promise<NewJob> {
  const { organizationId, userId, to, dueAt } = first;
  const data = joined(services, group.map(toData));
  const stopHref = userId === null ? undefined : await stopEmailsHref(services, userId);
  const [job] = await queueEmail(services, organizationId, [to], {
    template: "alertRaised",
    data: { ...data, ...(stopHref === undefined ? {} : { stopHref }) },
    purpose: group.some(({ event }) => SAFETY.includes(event)) ? "safety" : "ordinary",
  });
  if (!job) throw new Error("an email to nobody");
  return { ...job, subjectId: subjectOf(first), dueAt };
}

/** A waiting email with these alerts added, and its kind: "safety" if one of them is about the safety of money. */
async function addTo({ secrets, config }: WriteServices, { job, kept }: Waiting, group: readonly AlertLetter[]) {
  const payload: Kept = { ...kept, data: joined({ config }, group.map(toData), kept.data) };
  const kind = group.some(({ event }) => SAFETY.includes(event)) ? "safety_email" : job.kind;
  return { kind, sealedPayload: await secrets.seal(JSON.stringify(payload), job.id) };
}

const keepAdded = ({ db }: WriteServices, { id }: Waiting["job"], added: Awaited<ReturnType<typeof addTo>>) =>
  db
    .update(outbox)
    .set(added)
    .where(and(eq(outbox.id, id), isUntouched));

/** The condition that no queue has taken these emails, and nothing was added, since they were read. */
function stillWaiting(
  { db }: WriteServices,
  jobs: readonly { id: string; payload: string }[],
): Condition<"email_taken"> {
  const same = db
    .select({ count: sql<number>`count(*)` })
    .from(outbox)
    .where(
      and(
        sql`${outbox.id} IN (SELECT value ->> 'id' FROM json_each(${JSON.stringify(jobs)}))`,
        sql`${outbox.sealedPayload} = (SELECT value ->> 'payload' FROM json_each(${JSON.stringify(jobs)})
          WHERE value ->> 'id' = ${outbox.id})`,
        isUntouched,
      ),
    );
  return { name: "email_taken", found: sql`SELECT 1 WHERE (${same}) = ${jobs.length}` };
}
