import { alerts, organizationPolicies, organizations, rowIn, users } from "@db/database";
import { and, asc, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import { DAY_MS, DEFAULT_TIME_ZONE, formatDate, minuteOfDay } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import { runStep } from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import type { WriteServices } from "~/services-and-actor";
import { stopEmailsHref } from "./choices.server";
import { ALERT_EVENT_NAMES, eventOf } from "./events";

/** Digests are sent from this hour of the organisation's day, but alerts never wait longer than a day for it. */
const DIGEST_HOUR = 7;
/** How many waiting alerts one run reads, oldest first; the next hour continues. */
const MAX_WAITING = 10_000;
/** How many alerts a digest lists; the rest are counted. */
const MAX_LINES = 30;
const SAFETY_EVENTS: ReadonlySet<string> = new Set(ALERT_EVENT_NAMES.filter((name) => eventOf(name).isSafety === true));

/**
 * Sends each person the digest of their waiting alerts, in their organisation's morning. Running it twice sends nothing
 * twice: a digest and the mark on its rows are one batch.
 * @returns how many digests were sent
 */
export async function sendDigests(services: WriteServices): Promise<number> {
  let sent = 0;
  for (const due of await listDue(services)) {
    if (isTime(due, services.clock.now()) && (await sendDigest(services, due))) sent++;
  }
  return sent;
}

async function listDue({ db }: WriteServices) {
  const walk = db
    .select({ organizationId: alerts.organizationId, userId: alerts.userId, digestDueAt: alerts.digestDueAt })
    .from(alerts)
    .where(and(gt(alerts.digestDueAt, 0), isNull(alerts.digestSentAt)))
    .orderBy(asc(alerts.digestDueAt))
    .limit(MAX_WAITING)
    .as("walk");
  const rows = await db
    .select({
      organizationId: walk.organizationId,
      userId: walk.userId,
      oldest: sql<number>`min(${walk.digestDueAt})`,
      email: users.email,
      organizationName: organizations.name,
      timeZone: organizationPolicies.timeZone,
    })
    .from(walk)
    .innerJoin(users, eq(users.id, walk.userId))
    .innerJoin(organizations, eq(organizations.id, walk.organizationId))
    .leftJoin(organizationPolicies, eq(organizationPolicies.organizationId, walk.organizationId))
    .groupBy(walk.organizationId, walk.userId);
  return rows.map((row) => ({ ...row, timeZone: row.timeZone ?? DEFAULT_TIME_ZONE }));
}

type Due = Awaited<ReturnType<typeof listDue>>[number];

function isTime({ oldest, timeZone }: Due, now: number): boolean {
  return Math.floor(minuteOfDay(now, timeZone) / 60) === DIGEST_HOUR || now - oldest > DAY_MS;
}

async function sendDigest(services: WriteServices, due: Due): Promise<boolean> {
  const { db, clock, config } = services;
  const { organizationId, userId, organizationName, timeZone } = due;
  const waiting = and(
    eq(alerts.organizationId, organizationId),
    eq(alerts.userId, userId),
    isNotNull(alerts.digestDueAt),
    isNull(alerts.digestSentAt),
  );
  const rows = await db
    .select({ id: alerts.id, event: alerts.event, title: alerts.title, body: alerts.body, href: alerts.href })
    .from(alerts)
    .where(waiting)
    .orderBy(asc(alerts.id));
  const [first] = rows;
  if (!first) return false;
  const ids = JSON.stringify(rows.map(({ id }) => id));
  // Alerts about the safety of money come first, so that others cannot push them out of the email.
  const isSafety = ({ event }: { event: string }) => SAFETY_EVENTS.has(event);
  const safety = rows.filter(isSafety);
  const shown = [...safety, ...rows.filter((row) => !isSafety(row))];
  const lines = shown.slice(0, MAX_LINES).map(({ title, body, href }) => ({
    title,
    body,
    href: `${config.appOrigin}${href ?? appPaths.alerts}`,
  }));
  const data = {
    organizationName,
    day: formatDate(clock.now(), timeZone),
    lines,
    more: rows.length - lines.length,
    href: `${config.appOrigin}${appPaths.alerts}`,
    stopHref: await stopEmailsHref(services, userId),
  };
  const { ok } = await runStep(services, {
    conditions: [{ name: "sent_already", found: rowIn(db, alerts).where(and(eq(alerts.id, first.id), waiting)) }],
    statements: [
      db
        .update(alerts)
        .set({ digestSentAt: clock.now() })
        .where(and(waiting, sql`${alerts.id} IN (SELECT value FROM json_each(${ids}))`)),
    ],
    jobs: await queueEmail(services, organizationId, [due.email], {
      ...{ template: "alertDigest", data },
      purpose: safety.length > 0 ? "safety" : "ordinary",
    }),
  });
  return ok;
}
