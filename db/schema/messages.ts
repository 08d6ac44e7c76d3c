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
 * A person's alert in the app and in the digest. There is one for each action and person, however often the trail is
 * read, because the primary key contains the audit entry's id.
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
    /** Path of the item's page; null if it has none. */
    href: text(),
    createdAt: instant().notNull(),
    /** Shown in the app; false: kept for the digest only. */
    inApp: flag().notNull(),
    readAt: instant(),
    /** Null: not in a digest. */
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

/** A person's choice for an event, if it differs from their role's default. */
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

/** How a person is notified, and their quiet hours. */
export const alertContacts = sqliteTable(
  "alert_contacts",
  {
    userId: text()
      .primaryKey()
      .references(() => users.id),
    /** Minutes after midnight in the organisation's time zone; set both or neither. */
    quietFrom: integer(),
    quietTo: integer(),
    /** E.164; used only once `phoneConfirmedAt` is set. */
    phone: text(),
    phoneConfirmedAt: instant(),
    /** SHA-256 of the code that was sent to the number, with the person's id. */
    phoneCodeHash: text(),
    phoneCodeExpiresAt: instant(),
    /** Emails are paused because the address bounced or its owner complained. */
    emailStoppedAt: instant(),
    emailStoppedReason: text(),
    updatedAt: instant().notNull(),
  },
  (t) => [
    check("alert_contacts_quiet_from", sql`${t.quietFrom} BETWEEN 0 AND 1439`),
    check("alert_contacts_quiet_to", sql`${t.quietTo} BETWEEN 0 AND 1439`),
  ],
);

/** How far a reader of the audit trail has read. */
export const trailCursors = sqliteTable("trail_cursors", {
  name: text().primaryKey(),
  position: integer().notNull(),
});

/** An endpoint of an organisation's own systems that receives events. */
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
    /** The secret that signs deliveries; encrypted, with the endpoint's id as the context. */
    sealedSecret: text().notNull(),
    /** The previous secret, which also signs until then; both null if there is none. */
    formerSealedSecret: text(),
    formerUntil: instant(),
    /** Events before this time are not sent. */
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

/** The delivery log: each event for an endpoint, with the last answer. */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    id: id(),
    organizationId: text().notNull(),
    endpointId: text().notNull(),
    /** The same for every attempt and redelivery, so that receivers can deduplicate. */
    eventId: text().notNull(),
    eventType: text().notNull(),
    /** The body, exactly as it is signed. */
    payload: text().notNull(),
    status: text({ enum: WEBHOOK_STATUSES }).notNull(),
    attempts: integer().notNull().default(0),
    lastAttemptAt: instant(),
    nextAttemptAt: instant(),
    /** HTTP status of the last answer; null if there was none. */
    answerStatus: integer(),
    /** The start of the last answer. */
    answerBody: text(),
    /** Why there was no answer, or why it counts as a failure; null after a success. */
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

/** Emails and text messages that a provider accepted, and their delivery status. */
export const sentMessages = sqliteTable(
  "sent_messages",
  {
    /** The channel and the provider's id: `email:49a3...`. */
    key: text().primaryKey(),
    channel: text({ enum: NOTIFICATION_CHANNELS }).notNull(),
    jobId: text().notNull(),
    /** Null: the platform's own message, e.g. a link to reset a password. */
    organizationId: text(),
    status: text({ enum: DELIVERY_STATUSES }).notNull(),
    /** The provider's error code or reason; null if there is none. */
    detail: text(),
    sentAt: instant().notNull(),
    statusAt: instant().notNull(),
  },
  (t) => known(t),
);

/** Addresses that receive no more emails, because the mailbox bounced permanently or its owner reported spam. */
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
 * The notices of a payee's change: one row for each change and address, and whether it was sent. A row with its own
 * message has the same id as the message's job; a change that is sent with a different notice refers to that one.
 */
export const changeNotices = sqliteTable(
  "change_notices",
  {
    organizationId: text().notNull(),
    payeeId: text().notNull(),
    id: text().notNull(),
    /** The verification that the change opened; null: only a contact changed, or trusted details were restored. */
    verificationId: text(),
    subject: text({ enum: NOTICE_SUBJECTS }).notNull(),
    /** Both null: there was no address to notify. */
    channel: text({ enum: NOTIFICATION_CHANNELS }),
    recipient: text(),
    /** What the message says about this change. */
    facts: text({ mode: "json" }).$type<NoticeFacts>().notNull(),
    /** The payee had been trusted or paid, so its notices may use the whole quota. */
    isTrusted: flag().notNull(),
    /** The notice whose message also covers this change; null: it has its own message. */
    mergedInto: text(),
    status: text({ enum: NOTICE_STATUSES }).notNull(),
    /** Why it has not been sent yet, or will not be; null: it is on its way, or was sent. */
    problem: text({ enum: [...NOTICE_DELAYS, ...NOTICE_FAILURES] }),
    /** It is not sent before this time. */
    dueAt: instant().notNull(),
    /** When its message was composed and counted; later changes go into another message. */
    startedAt: instant(),
    /** When the provider accepted the message, or sending became impossible. */
    endedAt: instant(),
    createdAt: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.payeeId, t.id] }),
    foreignKey({ columns: [t.organizationId, t.payeeId], foreignColumns: [payees.organizationId, payees.id] }),
    ...known(t, { isTrusted: "change_notices_trusted" }),
  ],
);

/** Every email and text message that an organisation sent to somebody outside it, for limits and abuse reports. */
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
    /** When the recipient reported the message as unwanted or fraudulent. */
    reportedAt: instant(),
  },
  (t) => [
    index("outside_messages_organization").on(t.organizationId, t.createdAt),
    index("outside_messages_recipient").on(t.recipientHash, t.createdAt),
    index("outside_messages_reported").on(t.organizationId, t.reportedAt).where(sql`"reportedAt" IS NOT NULL`),
    ...known(t),
  ],
);
