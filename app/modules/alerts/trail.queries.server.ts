import {
  alertChoices,
  alertContacts,
  auditLogs,
  bankChecks,
  organizationPolicies,
  organizationUsers,
  payeeRequests,
  payees,
  paymentRecords,
  trailCursors,
  users,
  verifications,
} from "@db/schema";
import { and, asc, eq, gt, isNotNull, lte, ne, sql } from "drizzle-orm";
import { displayName } from "~/kernel/actor";
import { DEFAULT_TIME_ZONE } from "~/kernel/dates";
import type { AuditAction } from "~/modules/audit/audit";
import type { ReadServices } from "~/services";
import type { Choice, TrailEntry } from "./events";
import type { Recipient } from "./plan";

/** How many entries that raise something are read at once, and among how many: a large import writes thousands that raise nothing. */
const TRAIL_PAGE = 100;
const TRAIL_WINDOW = 5_000;
/** The cursor of the alerts in `trail_cursors`; its migration starts it at the end of the trail. */
export const ALERTS_CURSOR = "alerts";

/**
 * The next entries of these actions after a cursor, in the order in which they were written; where the cursor
 * stands, and how far the trail was looked at. `hasMore` is false at its end.
 */
export async function readNewEntries(
  { db }: ReadServices,
  { cursorName, actions }: { cursorName: string; actions: readonly AuditAction[] },
): Promise<NewEntries> {
  const [cursor] = await db
    .select({ position: trailCursors.position })
    .from(trailCursors)
    .where(eq(trailCursors.name, cursorName));
  const position = cursor?.position ?? 0;
  const [window] = await db.all<{ end: number | null; rows: number }>(
    sql`SELECT max("position") AS "end", count(*) AS "rows" FROM (SELECT "position" FROM ${auditLogs}
      WHERE "position" > ${position} ORDER BY "position" LIMIT ${TRAIL_WINDOW}) AS walk`,
  );
  const end = window?.end ?? position;
  const entries = await db
    .select({
      position: auditLogs.position,
      id: auditLogs.id,
      organizationId: auditLogs.organizationId,
      userId: auditLogs.userId,
      action: auditLogs.action,
      entityType: auditLogs.entityType,
      entityId: auditLogs.entityId,
      details: auditLogs.details,
      createdAt: auditLogs.createdAt,
    })
    .from(auditLogs)
    .where(
      and(
        gt(auditLogs.position, position),
        lte(auditLogs.position, end),
        sql`${auditLogs.action} IN (SELECT value FROM json_each(${JSON.stringify(actions)}))`,
      ),
    )
    .orderBy(asc(auditLogs.position))
    .limit(TRAIL_PAGE);
  const isFull = entries.length === TRAIL_PAGE;
  const readTo = isFull ? (entries.at(-1)?.position ?? end) : end;
  return { position, entries, readTo, hasMore: isFull || window?.rows === TRAIL_WINDOW };
}

type NewEntries = { position: number; entries: TrailEntry[]; readTo: number; hasMore: boolean };

/** An alert goes to at most this many people of an organisation, its oldest members first. */
const MAX_RECIPIENTS = 200;

/** An organisation's active people with what they chose, and its zone. */
export async function readAudience(services: ReadServices, organizationId: string) {
  const { db } = services;
  const [people, choices, [policy]] = await Promise.all([
    selectContacts(services, organizationId),
    db.select().from(alertChoices).where(eq(alertChoices.organizationId, organizationId)),
    db
      .select({ timeZone: organizationPolicies.timeZone })
      .from(organizationPolicies)
      .where(eq(organizationPolicies.organizationId, organizationId)),
  ]);
  const chosen = new Map(
    choices.map(({ userId, event, inApp, email, sms }): [string, Choice] => [
      `${userId} ${event}`,
      { inApp, email, sms },
    ]),
  );
  return {
    timeZone: policy?.timeZone ?? DEFAULT_TIME_ZONE,
    emailOf: new Map(people.map(({ userId, email }) => [userId, email])),
    recipientsFor: (event: string): Recipient[] =>
      people.map((person) => toRecipient(person, chosen.get(`${person.userId} ${event}`))),
  };
}

export type Audience = Awaited<ReturnType<typeof readAudience>>;

function selectContacts({ db }: ReadServices, organizationId: string) {
  return db
    .select({
      userId: organizationUsers.userId,
      role: organizationUsers.role,
      email: users.email,
      emailStoppedAt: alertContacts.emailStoppedAt,
      phone: alertContacts.phone,
      phoneConfirmedAt: alertContacts.phoneConfirmedAt,
      quietFrom: alertContacts.quietFrom,
      quietTo: alertContacts.quietTo,
    })
    .from(organizationUsers)
    .innerJoin(users, eq(users.id, organizationUsers.userId))
    .leftJoin(alertContacts, eq(alertContacts.userId, organizationUsers.userId))
    .where(
      and(
        eq(organizationUsers.organizationId, organizationId),
        eq(organizationUsers.status, "active"),
        ne(users.status, "inactive"),
        isNotNull(users.emailVerifiedAt),
      ),
    )
    .orderBy(organizationUsers.userId)
    .limit(MAX_RECIPIENTS);
}

type Contact = Awaited<ReturnType<typeof selectContacts>>[number];

const toRecipient = (person: Contact, chosen: Choice | undefined): Recipient => ({
  userId: person.userId,
  role: person.role,
  email: person.email,
  isEmailStopped: person.emailStoppedAt !== null,
  phone: person.phoneConfirmedAt === null ? null : person.phone,
  chosen,
  quiet: person.quietFrom === null || person.quietTo === null ? null : { from: person.quietFrom, to: person.quietTo },
});

/** What an entry's item is called, what it is worth, and whose work it is. */
export type Subject = { payee: string | null; amount: number | null; ownerId: string | null };
const NO_SUBJECT: Subject = { payee: null, amount: null, ownerId: null };

export async function readSubject(
  { db }: ReadServices,
  { organizationId, entityType, entityId }: Pick<TrailEntry, "organizationId" | "entityType" | "entityId">,
): Promise<Subject> {
  if (entityId === null) return NO_SUBJECT;
  const nothing = { amount: sql<number | null>`NULL`, ownerId: sql<string | null>`NULL` };
  switch (entityType) {
    case "payee": {
      const [row] = await db
        .select({ payee: payees.name, ...nothing })
        .from(payees)
        .where(and(eq(payees.organizationId, organizationId), eq(payees.id, entityId)));
      return row ?? NO_SUBJECT;
    }
    case "verification": {
      const lastCheck = db
        .select({ startedById: bankChecks.startedById })
        .from(bankChecks)
        .where(and(eq(bankChecks.organizationId, organizationId), eq(bankChecks.verificationId, entityId)))
        .orderBy(sql`${bankChecks.startedAt} DESC`)
        .limit(1);
      const [row] = await db
        .select({ payee: payees.name, amount: nothing.amount, ownerId: sql<string | null>`(${lastCheck})` })
        .from(verifications)
        .innerJoin(payees, eq(payees.id, verifications.payeeId))
        .where(and(eq(verifications.organizationId, organizationId), eq(verifications.id, entityId)));
      return row ?? NO_SUBJECT;
    }
    case "payee_request": {
      const [row] = await db
        .select({ payee: payeeRequests.name, amount: nothing.amount, ownerId: payeeRequests.requestedById })
        .from(payeeRequests)
        .where(and(eq(payeeRequests.organizationId, organizationId), eq(payeeRequests.id, entityId)));
      return row ?? NO_SUBJECT;
    }
    case "payment": {
      const [row] = await db
        .select({ payee: payees.name, amount: paymentRecords.amount, ownerId: paymentRecords.recordedById })
        .from(paymentRecords)
        .leftJoin(payees, eq(payees.id, paymentRecords.payeeId))
        .where(and(eq(paymentRecords.organizationId, organizationId), eq(paymentRecords.id, entityId)));
      return row ?? NO_SUBJECT;
    }
    default:
      return NO_SUBJECT;
  }
}

/** The name of the person who acted; the system and payees have no account. */
export async function readActorName({ db }: ReadServices, { userId, action }: TrailEntry): Promise<string> {
  if (userId === null) return /_by_payee$/.test(action) ? "The payee" : "PayeeProof";
  const [person] = await db
    .select({ firstName: users.firstName, lastName: users.lastName })
    .from(users)
    .where(eq(users.id, userId));
  return person ? displayName(person) : "A former colleague";
}
