import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { ALERT_EMAIL_CHOICES } from "~/kernel/enums";
import { flag, instant, known } from "./columns";
import { organizations } from "./organizations";
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
