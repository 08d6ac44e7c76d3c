import { sql } from "drizzle-orm";
import { check, foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import {
  ALERT_EMAIL_CHOICES,
  DELIVERY_STATUSES,
  ENDPOINT_STATUSES,
  NOTICE_DELAYS,
  NOTICE_FAILURES,
  NOTICE_STATUSES,
  NOTICE_SUBJECTS,
  NOTIFICATION_CHANNELS,
  OUTSIDE_MESSAGE_KINDS,
  STOP_CAUSES,
  WEBHOOK_STATUSES,
} from "~/kernel/enums";
import type { NoticeFacts } from "~/modules/messages/notifications/notice-rules";
import { flag, id, instant, known } from "./columns";
import { organizations } from "./organizations";
import { payees } from "./payees";
import { users } from "./users";

/**
 * What a person is told in the app and by digest. Once per act and person, however often the trail is read: the id is the
 * audit entry's, so the key refuses a second alert of it.
 */
export const alerts = sqliteTable(
  "alerts",
  {
    id: text().notNull(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    userId: text()
      .notNull()
      .references(() => users.id),
    event: text().notNull(),
    /** The audit entry that raised it. */
    auditId: text().notNull(),
    title: text().notNull(),
    body: text().notNull(),
    /** Path of the item it is about; null where it has no page. */
    href: text(),
    createdAt: instant().notNull(),
    /** Shown in the app; false: kept for the digest only. */
    inApp: flag().notNull(),
    readAt: instant(),
    /** Null: not for the digest. */
    digestDueAt: instant(),
    digestSentAt: instant(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.userId, t.id] }),
    index("alerts_unread").on(t.organizationId, t.userId).where(sql`"readAt" IS NULL AND "inApp" = 1`),
    index("alerts_digest").on(t.digestDueAt).where(sql`"digestDueAt" IS NOT NULL AND "digestSentAt" IS NULL`),
    ...known(t),
  ],
);

/** What a person chose for an event, where it differs from the default of their role. */
export const alertChoices = sqliteTable(
  "alert_choices",
  {
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    userId: text()
      .notNull()
      .references(() => users.id),
    event: text().notNull(),
    inApp: flag().notNull(),
    email: text({ enum: ALERT_EMAIL_CHOICES }).notNull(),
    sms: flag().notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.userId, t.event] }), ...known(t)],
);

/** How a person can be reached, and when not. */
export const alertContacts = sqliteTable(
  "alert_contacts",
  {
    userId: text()
      .primaryKey()
      .references(() => users.id),
    /** Minutes after midnight in the organisation's zone; both or neither. */
    quietFrom: integer(),
    quietTo: integer(),
    /** E.164; used only once `phoneConfirmedAt` is set. */
    phone: text(),
    phoneConfirmedAt: instant(),
    /** SHA-256 of the code that was sent to the number, with the person's id. */
    phoneCodeHash: text(),
    phoneCodeExpiresAt: instant(),
    /** Emails stopped because the address bounced or its owner complained. */
    emailStoppedAt: instant(),
    emailStoppedReason: text(),
    updatedAt: instant().notNull(),
  },
  (t) => [
    check("alert_contacts_quiet_from", sql`${t.quietFrom} BETWEEN 0 AND 1439`),
    check("alert_contacts_quiet_to", sql`${t.quietTo} BETWEEN 0 AND 1439`),
  ],
);

/** How far a reader of the audit trail has come. */
export const trailCursors = sqliteTable("trail_cursors", {
  name: text().primaryKey(),
  position: integer().notNull(),
});

/** Where an organisation's own systems are told of what happens. */
export const webhookEndpoints = sqliteTable(
  "webhook_endpoints",
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    url: text().notNull(),
    /** Names of events, as a JSON array. */
    events: text({ mode: "json" }).$type<string[]>().notNull(),
    status: text({ enum: ENDPOINT_STATUSES }).notNull(),
    /** Signs what is sent; encrypted, with the endpoint's id as the context. */
    sealedSecret: text().notNull(),
    /** The secret before, which signs too until then; both null where there is none. */
    formerSealedSecret: text(),
    formerUntil: instant(),
    /** Since when it is told: what happened before is not sent. */
    activeSince: instant().notNull(),
    lastSuccessAt: instant(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (t) => [
    uniqueIndex("webhook_endpoints_org_id").on(t.organizationId, t.id),
    index("webhook_endpoints_status").on(t.status, t.organizationId),
    ...known(t, { status: "webhook_endpoints_status_known" }),
  ],
);

/** The log: each event that was, or is to be, sent to an endpoint, with the last answer. */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    id: id(),
    organizationId: text().notNull(),
    endpointId: text().notNull(),
    /** The same for every try and every repeat: what a receiver deduplicates by. */
    eventId: text().notNull(),
    eventType: text().notNull(),
    /** The body, exactly as it is signed. */
    payload: text().notNull(),
    status: text({ enum: WEBHOOK_STATUSES }).notNull(),
    attempts: integer().notNull().default(0),
    lastAttemptAt: instant(),
    nextAttemptAt: instant(),
    /** HTTP status of the last answer; null where none came. */
    answerStatus: integer(),
    /** The beginning of the last answer. */
    answerBody: text(),
    /** Why there was no answer, or why it does not count; null after a success. */
    problem: text(),
    durationMs: integer(),
    createdAt: instant().notNull(),
  },
  (t) => [
    uniqueIndex("webhook_deliveries_once").on(t.endpointId, t.eventId),
    index("webhook_deliveries_list").on(t.organizationId, t.endpointId, t.id),
    foreignKey({
      columns: [t.organizationId, t.endpointId],
      foreignColumns: [webhookEndpoints.organizationId, webhookEndpoints.id],
    }).onDelete("cascade"),
    ...known(t, { status: "webhook_deliveries_status_known" }),
  ],
);

/** Emails and text messages that a provider took, and what it said became of them. */
export const sentMessages = sqliteTable(
  "sent_messages",
  {
    /** The channel and the provider's id: `email:49a3...`. */
    key: text().primaryKey(),
    channel: text({ enum: NOTIFICATION_CHANNELS }).notNull(),
    jobId: text().notNull(),
    /** Null: the platform's own, e.g. a link to reset a password. */
    organizationId: text(),
    status: text({ enum: DELIVERY_STATUSES }).notNull(),
    /** The provider's error code or reason; null for none. */
    detail: text(),
    sentAt: instant().notNull(),
    statusAt: instant().notNull(),
  },
  (t) => known(t),
);

/** Addresses to which no more emails are sent: the mailbox refused them for good, or its owner called them spam. */
export const stoppedAddresses = sqliteTable(
  "stopped_addresses",
  {
    /** Keyed digest of the address. */
    addressHash: text().primaryKey(),
    cause: text({ enum: STOP_CAUSES }).notNull(),
    stoppedAt: instant().notNull(),
  },
  (t) => known(t),
);

/**
 * Whom a change of a payee is told to, and whether they were told: one row for each change and address. A row with a
 * message of its own shares its id with the message's job; a change that goes out with another notice names that one.
 */
export const changeNotices = sqliteTable(
  "change_notices",
  {
    organizationId: text().notNull(),
    payeeId: text().notNull(),
    id: text().notNull(),
    /** The verification that the change opened; null: only a contact was changed, or trusted details were put back. */
    verificationId: text(),
    subject: text({ enum: NOTICE_SUBJECTS }).notNull(),
    /** Both null: there was no address that could be told. */
    channel: text({ enum: NOTIFICATION_CHANNELS }),
    recipient: text(),
    /** What the message says of this change. */
    facts: text({ mode: "json" }).$type<NoticeFacts>().notNull(),
    /** The payee had been trusted or paid: its notices have the whole of the quota. */
    isTrusted: flag().notNull(),
    /** The notice whose message tells of this change too; null: a message of its own. */
    mergedInto: text(),
    status: text({ enum: NOTICE_STATUSES }).notNull(),
    /** Why it is not told yet, or was not told; null: on its way, or told. */
    problem: text({ enum: [...NOTICE_DELAYS, ...NOTICE_FAILURES] }),
    /** Not before. */
    dueAt: instant().notNull(),
    /** When its message was put together and counted: later changes go out with another. */
    startedAt: instant(),
    /** When the provider took the message, or it became impossible. */
    endedAt: instant(),
    createdAt: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.payeeId, t.id] }),
    foreignKey({ columns: [t.organizationId, t.payeeId], foreignColumns: [payees.organizationId, payees.id] }),
    ...known(t, { isTrusted: "change_notices_trusted" }),
  ],
);

/** Every email and text message that an organisation sent to a person outside it: what limits count and people report. */
export const outsideMessages = sqliteTable(
  "outside_messages",
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    kind: text({ enum: OUTSIDE_MESSAGE_KINDS }).notNull(),
    /** Keyed digest of the address or number. */
    recipientHash: text().notNull(),
    createdAt: instant().notNull(),
    /** When the recipient told us that the message is unwanted or a fraud. */
    reportedAt: instant(),
  },
  (t) => [
    index("outside_messages_organization").on(t.organizationId, t.createdAt),
    index("outside_messages_recipient").on(t.recipientHash, t.createdAt),
    index("outside_messages_reported").on(t.organizationId, t.reportedAt).where(sql`"reportedAt" IS NOT NULL`),
    ...known(t),
  ],
);
