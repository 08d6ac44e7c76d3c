import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { DELIVERY_STATUSES, NOTIFICATION_CHANNELS, STOP_CAUSES } from "~/kernel/enums";
import { instant, known } from "./columns";

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
