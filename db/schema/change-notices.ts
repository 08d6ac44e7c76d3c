import { foreignKey, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import {
  NOTICE_DELAYS,
  NOTICE_FAILURES,
  NOTICE_STATUSES,
  NOTICE_SUBJECTS,
  NOTIFICATION_CHANNELS,
} from "~/kernel/enums";
import type { NoticeFacts } from "~/modules/messages/notifications/notice-rules";
import { flag, instant, known } from "./columns";
import { payees } from "./payees";

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
