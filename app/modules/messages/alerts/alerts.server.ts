import {
  alertContacts,
  alerts,
  auditLogs,
  columnsOf,
  payees,
  paymentRecords,
  prepared,
  rowIn,
  type Statement,
  verifications,
} from "@db/database";
import { keySetPage } from "@db/key-set-page";
import { and, eq, isNull, lte, sql } from "drizzle-orm";
import { notFound } from "~/kernel/app-error";
import { appPaths } from "~/kernel/paths/app";
import { runStep } from "~/modules/core/commands/run-command.server";
import type { Actor, ReadServices, WriteServices } from "~/services-and-actor";
import type { AlertSubject } from "./alerts.view";
import { UNREAD_CAP } from "./unread";

export const ALERTS_PAGE = 30;

type Reader = Pick<Actor, "organizationId" | "userId">;

const ofReader = ({ organizationId, userId }: Reader) =>
  and(eq(alerts.organizationId, organizationId), eq(alerts.userId, userId), sql`${alerts.inApp} = 1`);

/** A person's alerts, newest first, after a cursor. */
export async function listAlerts(
  { db }: ReadServices,
  reader: Reader,
  input: { unreadOnly: boolean; cursor?: string },
) {
  const page = keySetPage({ after: input.cursor }, { size: ALERTS_PAGE });
  const rows = await db
    .select(columnsOf(alerts, "id", "event", "title", "body", "href", "createdAt", "readAt"))
    .from(alerts)
    .where(and(ofReader(reader), input.unreadOnly ? isNull(alerts.readAt) : undefined, page.beyond(alerts.id)))
    .orderBy(page.order(alerts.id))
    .limit(page.limit);
  const { rows: shown, next } = page.cut(rows, ({ id }) => id);
  return { alerts: shown, next };
}

/** What each of these alerts is about; alerts that are not about a payee have no entry. */
export async function findSubjectsOfAlerts(
  { db }: ReadServices,
  { organizationId }: Reader,
  alertIds: readonly string[],
): Promise<Map<string, AlertSubject>> {
  if (alertIds.length === 0) return new Map();
  // An alert's id is the id of the audit entry that caused it.
  const payeeId = sql`CASE ${auditLogs.entityType} WHEN 'payee' THEN ${auditLogs.entityId}
    WHEN 'verification' THEN ${verifications.payeeId} WHEN 'payment' THEN ${paymentRecords.payeeId} END`;
  const rows = await db
    .select({
      alertId: auditLogs.id,
      payee: { id: payees.id, name: payees.name },
      verdict: sql<string | null>`${auditLogs.details} ->> 'verdict'`,
    })
    .from(auditLogs)
    .leftJoin(
      verifications,
      and(eq(verifications.organizationId, organizationId), eq(verifications.id, auditLogs.entityId)),
    )
    .leftJoin(
      paymentRecords,
      and(eq(paymentRecords.organizationId, organizationId), eq(paymentRecords.id, auditLogs.entityId)),
    )
    .innerJoin(payees, and(eq(payees.organizationId, organizationId), eq(payees.id, payeeId)))
    .where(
      and(
        eq(auditLogs.organizationId, organizationId),
        sql`${auditLogs.id} IN (SELECT value FROM json_each(${JSON.stringify(alertIds)}))`,
      ),
    );
  return new Map(rows.map(({ alertId, ...subject }) => [alertId, subject]));
}

/** How many unread alerts a person has, up to `UNREAD_CAP`. */
export async function countUnread({ db }: ReadServices, { organizationId, userId }: Reader): Promise<number> {
  const [row] = await unreadOf(db).all({ organizationId, userId });
  return row?.count ?? 0;
}

const unreadOf = prepared((db) => {
  const walk = db
    .select({ one: sql`1`.as("one") })
    .from(alerts)
    .where(
      and(
        eq(alerts.organizationId, sql.placeholder("organizationId")),
        eq(alerts.userId, sql.placeholder("userId")),
        sql`${alerts.inApp} = 1`,
        isNull(alerts.readAt),
      ),
    )
    .limit(UNREAD_CAP)
    .as("walk");
  return db.select({ count: sql<number>`count(*)` }).from(walk).prepare();
});

export async function findAlert({ db }: ReadServices, reader: Reader, id: string) {
  const [row] = await db
    .select({ id: alerts.id, href: alerts.href, readAt: alerts.readAt })
    .from(alerts)
    .where(and(ofReader(reader), eq(alerts.id, id)));
  return row;
}

type ContactChange = Partial<typeof alertContacts.$inferInsert> & { updatedAt: number };

/** Changes a person's contact settings, and creates their row if there is none. */
export function setContact({ db }: ReadServices, userId: string, change: ContactChange): Statement {
  return db
    .insert(alertContacts)
    .values({ userId, ...change })
    .onConflictDoUpdate({ target: alertContacts.userId, set: change });
}

/**
 * Marks one alert as read, and returns the link to its subject. Reading it twice changes nothing.
 * @throws AppError 404 for an alert that does not exist or is another person's
 */
export async function readAlert(services: WriteServices, actor: Actor, id: string): Promise<string> {
  const alert = await findAlert(services, actor, id);
  if (!alert) throw notFound();
  if (alert.readAt === null) await markRead(services, actor, eq(alerts.id, id));
  return alert.href ?? appPaths.alerts;
}

/** Marks as read every alert up to and including the newest one on the page. */
export async function readAllAlerts(services: WriteServices, actor: Actor, upTo: string): Promise<void> {
  await markRead(services, actor, lte(alerts.id, upTo));
}

async function markRead(services: WriteServices, actor: Actor, which: ReturnType<typeof eq>): Promise<void> {
  const { db, clock } = services;
  const unread = and(
    eq(alerts.organizationId, actor.organizationId),
    eq(alerts.userId, actor.userId),
    isNull(alerts.readAt),
    which,
  );
  await runStep(services, {
    conditions: [{ name: "read_already", found: rowIn(db, alerts).where(unread) }],
    statements: [db.update(alerts).set({ readAt: clock.now() }).where(unread)],
  });
}
