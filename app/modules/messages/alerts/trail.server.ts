import {
  alertChoices,
  alertContacts,
  alerts,
  bankChecks,
  columnsOf,
  invoices,
  organizationDomains,
  organizationPolicies,
  organizations,
  organizationUsers,
  payeeRequests,
  payees,
  paymentFiles,
  paymentRecords,
  users,
  verifications,
} from "@db/database";
import { countHit } from "@db/rate-counter";
import { and, eq, isNotNull, isNull, ne, sql } from "drizzle-orm";
import type { AlertLine } from "~/emails/alert-emails";
import { DAY_MS, DEFAULT_TIME_ZONE, MINUTE_MS, minuteOfDay } from "~/kernel/dates";
import type { AlertReason, OrganizationRole } from "~/kernel/enums";
import { ALERT_TEXTS_A_DAY } from "~/kernel/limits";
import { appPaths } from "~/kernel/paths/app";
import { displayName } from "~/kernel/text";
import { detailsIn } from "~/modules/core/audit/audit";
import type { NewJob } from "~/modules/core/commands/run-command.server";
import { readNewEntries, readTrailOn, type TrailEntry } from "~/modules/core/trail-reading.server";
import { queueSms } from "~/modules/messages/notifications/notifications.server";
import type { ReadServices, WriteServices } from "~/services-and-actor";
import { type AlertLetter, BURST_MS, writeLetters } from "./burst.server";
import {
  type AlertEventName,
  type Choice,
  effectiveChoice,
  eventOf,
  isRequiredOf,
  minutesUntilQuietEnds,
  NEVER_COMBINED,
  type QuietHours,
  RAISING_ACTIONS,
  raisedEvents,
} from "./events";
import { type AlertText, alertText, leadOf } from "./sentences";

/** An alert goes to at most this many people of an organisation, longest-standing members first. */
const MAX_RECIPIENTS = 200;

/** An organisation's active people with their choices, and its time zone. */
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
      ...columnsOf(organizationUsers, "userId", "role"),
      email: users.email,
      ...columnsOf(alertContacts, "emailStoppedAt", "phone", "phoneConfirmedAt", "quietFrom", "quietTo"),
    })
    .from(organizationUsers)
    .innerJoin(users, eq(users.id, organizationUsers.userId))
    .innerJoin(organizations, eq(organizations.id, organizationUsers.organizationId))
    .leftJoin(alertContacts, eq(alertContacts.userId, organizationUsers.userId))
    .where(
      and(
        eq(organizationUsers.organizationId, organizationId),
        // Sample data causes no alerts.
        isNull(organizations.sampleFor),
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

/** The name of an entry's subject (a payee, or a file by its own name), its amount, and the person whose work it is. */
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
    case "payment_file": {
      const [row] = await db
        .select({ payee: paymentFiles.name, amount: nothing.amount, ownerId: paymentFiles.uploadedById })
        .from(paymentFiles)
        .where(and(eq(paymentFiles.organizationId, organizationId), eq(paymentFiles.id, entityId)));
      return row ?? NO_SUBJECT;
    }
    case "invoice": {
      const [row] = await db
        .select({
          payee: sql<string>`coalesce(${invoices.invoiceNumber} || ' of ' || ${invoices.supplierName}, ${invoices.fileName})`,
          amount: invoices.totalCents,
          ownerId: invoices.receivedById,
        })
        .from(invoices)
        .where(and(eq(invoices.organizationId, organizationId), eq(invoices.id, entityId)));
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

/** How much one run reads at most; the next continues. */
const MAX_PAGES = 20;

/** Creates alerts from the audit trail: in the app, as emails and as texts. @returns how many were created */
export function raiseAlerts(services: WriteServices): Promise<number> {
  return readTrailOn(services, {
    name: "alerts",
    maxPages: MAX_PAGES,
    async readPage(position) {
      const { entries, ...read } = await readNewEntries(services, { position, actions: RAISING_ACTIONS });
      const { rows, jobs, letters } = await tellAll(services, entries);
      const emails = await writeLetters(services, letters);
      return {
        ...read,
        done: rows.length,
        conditions: emails.conditions,
        statements: [...(rows.length > 0 ? [insertAlerts(services, rows)] : []), ...emails.statements],
        jobs: [...jobs, ...emails.jobs],
      };
    },
  });
}

type AlertRow = typeof alerts.$inferInsert;
type AlertWrites = { rows: AlertRow[]; jobs: NewJob[]; letters: AlertLetter[] };

/** The rows are passed as one JSON list, because D1 binds at most 100 parameters. */
function insertAlerts({ db }: WriteServices, rows: readonly AlertRow[]) {
  return db.insert(alerts).select(
    sql`SELECT value ->> 'id', value ->> 'organizationId', value ->> 'userId', value ->> 'event', value ->> 'auditId',
      value ->> 'title', value ->> 'body', value ->> 'href', value ->> 'createdAt', value ->> 'inApp', NULL,
      value ->> 'digestDueAt', NULL FROM json_each(${JSON.stringify(rows)})`,
  );
}

async function tellAll(services: WriteServices, entries: readonly TrailEntry[]): Promise<AlertWrites> {
  const writes: AlertWrites = { rows: [], jobs: [], letters: [] };
  // One time for all of them, so that alerts created together are due together.
  const now = services.clock.now();
  const audiences = new Map<string, Audience>();
  const raising = await Promise.all(
    entries.map(async (entry) => {
      const events = raisedEvents(entry);
      if (events.length === 0) return [];
      const [subject, actor] = await Promise.all([readSubject(services, entry), readActorName(services, entry)]);
      return [{ entry, events, subject, actor }];
    }),
  );
  for (const { entry, events, subject, actor } of raising.flat()) {
    const isTold = new Set<string>();
    for (const event of events) {
      const audience = audiences.get(entry.organizationId) ?? (await readAudience(services, entry.organizationId));
      audiences.set(entry.organizationId, audience);
      const { rows, jobs, letters } = await tell(services, { event, entry, subject, actor, audience, isTold, now });
      for (const { userId } of rows) isTold.add(userId);
      writes.rows.push(...rows);
      writes.jobs.push(...jobs);
      writes.letters.push(...letters);
    }
  }
  return writes;
}

type Telling = {
  event: AlertEventName;
  entry: TrailEntry;
  subject: Subject;
  /** The name of the person who acted. */
  actor: string;
  audience: Audience;
  /** People who were already told about this entry because of another event. */
  isTold: ReadonlySet<string>;
  now: number;
};

async function tell(services: WriteServices, telling: Telling): Promise<AlertWrites> {
  const { event, entry, subject, actor, audience, isTold, now } = telling;
  const act = { event, entry, ownerId: subject.ownerId, minute: minuteOfDay(now, audience.timeZone) };
  const plans = planAlerts(act, audience.recipientsFor(event)).filter(({ userId }) => !isTold.has(userId));
  const { payee, amount } = subject;
  const words = alertText(event, entry, { actor, payee, amount, timeZone: audience.timeZone });
  const { title, body, href } = words;
  const line = {
    title,
    lead: leadOf(title, payee),
    body,
    href: `${services.config.appOrigin}${href ?? appPaths.alerts}`,
  };
  const { organizationId } = entry;
  const apart = NEVER_COMBINED.has(entry.action) ? entry.action : null;
  const letters = plans.flatMap(({ userId, emailNow, why, waitMinutes }): AlertLetter[] => {
    const to = emailNow ? audience.emailOf.get(userId) : undefined;
    const dueAt = now + Math.max(waitMinutes * MINUTE_MS, BURST_MS);
    return to === undefined ? [] : [{ organizationId, userId, to, event, apart, why, line, dueAt }];
  });
  const toOrganization = await findToldOrganization(services, event, entry, letters);
  if (toOrganization !== undefined) {
    const told = { userId: null, to: toOrganization, why: "organization", dueAt: now + BURST_MS } as const;
    letters.push({ organizationId, event, apart, line, ...told });
  }
  const texts = await Promise.all(plans.map((plan) => textOf(services, { plan, line, entry, event, now })));
  return { rows: plans.map((plan) => toRow(services, { plan, words, entry, event })), jobs: texts.flat(), letters };
}

/**
 * The organisation's own address, if it is to be told as well: somebody who has taken over one administrator's account
 * can neither read it nor turn it off.
 */
async function findToldOrganization(
  services: WriteServices,
  event: AlertEventName,
  { organizationId, userId }: TrailEntry,
  letters: readonly AlertLetter[],
): Promise<string | undefined> {
  const { tellsOrganization } = eventOf(event);
  if (!tellsOrganization) return undefined;
  const address = await findOrganizationAddress(services, organizationId);
  if (!address || letters.some(({ to }) => to === address.email)) return undefined;
  return tellsOrganization === "of_others" && address.userId === userId ? undefined : address.email;
}

/**
 * The confirmed address of an organisation. In order: the contact email that its reader confirmed last; otherwise the
 * contact email, if it is at a domain that the organisation has proved and belongs to no user, so that no administrator
 * can direct the alerts to themselves; otherwise its first administrator's address.
 */
export async function findOrganizationAddress({ db }: ReadServices, organizationId: string) {
  const isProven = sql`EXISTS (SELECT 1 FROM ${organizationDomains} WHERE ${organizationDomains.organizationId} = ${organizationId}
    AND ${organizationDomains.domain} = lower(substr(${organizations.contactEmail}, instr(${organizations.contactEmail}, '@') + 1)))`;
  const [[contact], people] = await Promise.all([
    db
      .select({
        email: organizations.contactEmail,
        confirmed: organizations.confirmedContactEmail,
        isProven: sql<number>`${isProven}`,
      })
      .from(organizations)
      .where(eq(organizations.id, organizationId)),
    db
      .select({ userId: users.id, email: users.email, role: organizationUsers.role })
      .from(organizationUsers)
      .innerJoin(users, eq(users.id, organizationUsers.userId))
      .where(
        and(
          eq(organizationUsers.organizationId, organizationId),
          eq(organizationUsers.status, "active"),
          ne(users.status, "inactive"),
          isNotNull(users.emailVerifiedAt),
        ),
      )
      .orderBy(organizationUsers.id)
      .limit(MAX_RECIPIENTS),
  ]);
  if (contact?.confirmed) {
    const reader = people.find((person) => person.email === contact.confirmed);
    return { email: contact.confirmed, userId: reader?.userId ?? null };
  }
  const email = contact?.email;
  const isShared = people.every((person) => person.email !== email);
  if (email && isShared && contact.isProven === 1) return { email, userId: null };
  return people.find(({ role }) => role === "admin");
}

function toRow(
  { clock }: WriteServices,
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

/**
 * Counts a text message towards its organisation's daily limit. Alerts beyond the limit still appear in the app and in
 * emails: a text message costs money, and an error must not send thousands. Those about the safety of money are counted
 * separately.
 */
async function mayText({ db, clock, log }: WriteServices, organizationId: string, isSafety: boolean): Promise<boolean> {
  const { count } = await countHit(
    db,
    `alert-texts${isSafety ? "-safety" : ""}:${organizationId}`,
    DAY_MS,
    clock.now(),
  );
  if (count === ALERT_TEXTS_A_DAY + 1) log.warn("alerts.texts_limited", { organizationId, isSafety });
  return count <= ALERT_TEXTS_A_DAY;
}

type Text = Pick<Telling, "entry" | "event" | "now"> & { plan: PlannedAlert; line: AlertLine };

async function textOf(services: WriteServices, { plan, line, entry, event, now }: Text): Promise<NewJob[]> {
  const { organizationId } = entry;
  const isSafety = eventOf(event).isSafety === true;
  if (!plan.smsTo || !services.config.hasTexts || !(await mayText(services, organizationId, isSafety))) return [];
  const body = `PayeeProof: ${line.title}. ${line.href}`;
  const purpose = isSafety ? "safety" : "ordinary";
  const jobs = await queueSms(services, organizationId, { to: plan.smsTo, body }, purpose);
  return jobs.map((job) => ({ ...job, dueAt: now + plan.waitMinutes * MINUTE_MS }));
}

/** Who is told about an event, and how. Pure. */

/** An active member of the organisation, with their choices. */
export type Recipient = {
  userId: string;
  role: OrganizationRole;
  email: string;
  /** Emails to the address were stopped, because one bounced or the person complained. */
  isEmailStopped: boolean;
  /** A number that the person confirmed; null: no text messages. */
  phone: string | null;
  chosen: Choice | undefined;
  quiet: QuietHours;
};

type PlannedAlert = {
  userId: string;
  inApp: boolean;
  emailNow: boolean;
  /** Why this person receives the email, for its footer. */
  why: AlertReason;
  digest: boolean;
  smsTo: string | null;
  /** Minutes to wait before an email or a text message goes out. */
  waitMinutes: number;
};

type Act = {
  event: AlertEventName;
  entry: Pick<TrailEntry, "userId" | "entityId" | "details">;
  /** The person whose work it is: who recorded the payment or started the check. */
  ownerId: string | null;
  /** Minutes after midnight in the organisation's time zone. */
  minute: number;
};

/** One plan for each person to be told. Nobody is told about their own action. */
export function planAlerts(act: Act, recipients: readonly Recipient[]): PlannedAlert[] {
  return recipients.flatMap((recipient) => {
    if (recipient.userId === act.entry.userId || !concerns(act, recipient)) return [];
    const { choice, why } = choiceOf(act, recipient);
    const canEmail = !recipient.isEmailStopped;
    const planned = {
      userId: recipient.userId,
      inApp: choice.inApp,
      emailNow: canEmail && choice.email === "now",
      why,
      digest: canEmail && choice.email === "digest",
      smsTo: choice.sms ? recipient.phone : null,
      waitMinutes: minutesUntilQuietEnds(recipient.quiet, act.minute),
    };
    const isTold = planned.inApp || planned.emailNow || planned.digest || planned.smsTo !== null;
    return isTold ? [planned] : [];
  });
}

function concerns({ event, entry, ownerId }: Act, { userId }: Recipient): boolean {
  const { audience, excludesOwner } = eventOf(event);
  if (excludesOwner && userId === ownerId) return false;
  if ("subject" in audience) return userId === entry.entityId;
  if ("named" in audience)
    return detailsIn<"verification.assigned" | "verification.commented">(entry).people?.includes(userId) === true;
  return true;
}

function choiceOf({ event, ownerId }: Act, { userId, role, chosen }: Recipient): { choice: Choice; why: AlertReason } {
  const choice = effectiveChoice(event, role, chosen);
  // An admin's required channels may exceed their choice.
  if (chosen) return { choice, why: choice.email === chosen.email ? "chosen" : "required" };
  const isOwner = eventOf(event).tellsOwner === true && userId === ownerId;
  if (isOwner) return { choice: { ...choice, inApp: true, email: "now" }, why: "own_work" };
  return { choice, why: isRequiredOf(event, role) ? "required" : "default" };
}
