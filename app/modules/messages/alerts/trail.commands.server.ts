import { countHit } from "@db/rate-counter";
import { alerts } from "@db/schema";
import { sql } from "drizzle-orm";
import { DAY_MS, MINUTE_MS, minuteOfDay } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import type { NewJob } from "~/modules/core/commands/outbox.statements.server";
import { readTrailOn } from "~/modules/core/read-on.server";
import type { TrailEntry } from "~/modules/core/trail-entry";
import { readNewEntries } from "~/modules/core/trail-reading.queries.server";
import { queueEmail, queueSms } from "~/modules/messages/notifications/notifications.statements.server";
import type { NotifyServices, Services } from "~/services";
import { ALERT_TEXTS_A_DAY } from "./choices";
import { type AlertEventName, eventOf, RAISING_ACTIONS, raisedEvent } from "./events";
import { type PlannedAlert, planAlerts } from "./plan";
import { type AlertText, alertText } from "./sentences";
import { type Audience, readActorName, readAudience, readSubject } from "./trail.queries.server";
import { stopEmailsHref } from "./unsubscribe.server";

type Raising = NotifyServices & Pick<Services, "log">;

/** What one run reads at most; the next goes on from there. */
const MAX_PAGES = 20;

/**
 * Tells people what the audit trail says: alerts in the app, emails, text messages.
 * @returns how many alerts were made
 */
export function raiseAlerts(services: Raising): Promise<number> {
  return readTrailOn(services, {
    name: "alerts",
    maxPages: MAX_PAGES,
    async readPage(position) {
      const { entries, ...read } = await readNewEntries(services, { position, actions: RAISING_ACTIONS });
      const { rows, jobs } = await tellAll(services, entries);
      return { ...read, done: rows.length, statements: rows.length > 0 ? [insertAlerts(services, rows)] : [], jobs };
    },
  });
}

type AlertRow = typeof alerts.$inferInsert;
type Told = { rows: AlertRow[]; jobs: NewJob[] };

/** One statement however many rows there are: D1 binds at most 100 parameters. */
function insertAlerts({ db }: Raising, rows: readonly AlertRow[]) {
  return db.insert(alerts).select(
    sql`SELECT value ->> 'id', value ->> 'organizationId', value ->> 'userId', value ->> 'event', value ->> 'auditId',
      value ->> 'title', value ->> 'body', value ->> 'href', value ->> 'createdAt', value ->> 'inApp', NULL,
      value ->> 'digestDueAt', NULL FROM json_each(${JSON.stringify(rows)})`,
  );
}

async function tellAll(services: Raising, entries: readonly TrailEntry[]): Promise<Told> {
  const told: Told = { rows: [], jobs: [] };
  const audiences = new Map<string, Audience>();
  for (const entry of entries) {
    const event = raisedEvent(entry);
    if (!event) continue;
    const audience = audiences.get(entry.organizationId) ?? (await readAudience(services, entry.organizationId));
    audiences.set(entry.organizationId, audience);
    const { rows, jobs } = await tell(services, event, entry, audience);
    told.rows.push(...rows);
    told.jobs.push(...jobs);
  }
  return told;
}

async function tell(services: Raising, event: AlertEventName, entry: TrailEntry, audience: Audience): Promise<Told> {
  const { clock } = services;
  const [subject, actor] = await Promise.all([readSubject(services, entry), readActorName(services, entry)]);
  const act = { event, entry, ownerId: subject.ownerId, minute: minuteOfDay(clock.now(), audience.timeZone) };
  const plans = planAlerts(act, audience.recipientsFor(event));
  const words = alertText(event, entry, { actor, payee: subject.payee, amount: subject.amount });
  const jobs = await Promise.all(plans.map((plan) => messagesOf(services, { plan, words, entry, audience, event })));
  return { rows: plans.map((plan) => toRow(services, { plan, words, entry, event })), jobs: jobs.flat() };
}

function toRow(
  { clock }: Raising,
  { plan, words, entry, event }: { plan: PlannedAlert; words: AlertText; entry: TrailEntry; event: AlertEventName },
): AlertRow {
  return {
    id: entry.id,
    organizationId: entry.organizationId,
    userId: plan.userId,
    event,
    auditId: entry.id,
    ...words,
    createdAt: entry.createdAt,
    inApp: plan.inApp,
    digestDueAt: plan.digest ? clock.now() : null,
  };
}

type Message = { plan: PlannedAlert; words: AlertText; entry: TrailEntry; audience: Audience; event: AlertEventName };

/**
 * Counts a text message against its organisation's day. Alerts beyond it still stand in the app and in emails: a text
 * message costs money, and a fault must not send thousands. Those about the safety of money count by themselves.
 */
async function mayText({ db, clock, log }: Raising, organizationId: string, isSafety: boolean): Promise<boolean> {
  const { count } = await countHit(
    db,
    `alert-texts${isSafety ? "-safety" : ""}:${organizationId}`,
    DAY_MS,
    clock.now(),
  );
  if (count === ALERT_TEXTS_A_DAY + 1) log.warn("alerts.texts_limited", { organizationId, isSafety });
  return count <= ALERT_TEXTS_A_DAY;
}

async function messagesOf(services: Raising, { plan, words, entry, audience, event }: Message): Promise<NewJob[]> {
  const { config, clock } = services;
  const { organizationId } = entry;
  const isSafety = eventOf(event).isSafety === true;
  const purpose = isSafety ? "safety" : "ordinary";
  const href = `${config.appOrigin}${words.href ?? appPaths.alerts}`;
  const jobs: NewJob[] = [];
  const email = audience.emailOf.get(plan.userId);
  if (plan.emailNow && email) {
    const stopHref = await stopEmailsHref(services, plan.userId);
    const data = { title: words.title, body: words.body, href, stopHref, why: plan.why };
    jobs.push(...(await queueEmail(services, organizationId, [email], { template: "alertRaised", data, purpose })));
  }
  if (plan.smsTo && (await mayText(services, organizationId, isSafety))) {
    const body = `PayeeProof: ${words.title}. ${href}`;
    jobs.push(...(await queueSms(services, organizationId, { to: plan.smsTo, body }, purpose)));
  }
  const dueAt = clock.now() + plan.waitMinutes * MINUTE_MS;
  return jobs.map((job) => ({ ...job, dueAt }));
}
