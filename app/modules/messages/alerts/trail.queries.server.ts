import {
  alertChoices,
  alertContacts,
  bankChecks,
  organizationPolicies,
  organizationUsers,
  payeeRequests,
  payees,
  paymentRecords,
  users,
  verifications,
} from "@db/schema";
import { and, eq, isNotNull, ne, sql } from "drizzle-orm";
import { displayName } from "~/kernel/actor";
import { DEFAULT_TIME_ZONE } from "~/kernel/dates";
import type { TrailEntry } from "~/modules/core/trail-entry";
import type { ReadServices } from "~/services";
import type { Choice } from "./events";
import type { Recipient } from "./plan";

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
