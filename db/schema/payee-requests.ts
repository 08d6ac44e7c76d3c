import { sql } from "drizzle-orm";
import { foreignKey, index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { NOTIFICATION_CHANNELS, PAYEE_REQUEST_STATUSES } from "~/kernel/enums";
import { flag, id, instant, known } from "./columns";
import { organizations } from "./organizations";
import { payees } from "./payees";
import { users } from "./users";

/** A new supplier that an organisation asked for its bank details, by a link. */
export const payeeRequests = sqliteTable(
  "payee_requests",
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    requestedById: text()
      .notNull()
      .references(() => users.id),
    /** As the organisation calls the payee. */
    name: text().notNull(),
    email: text(),
    /** E.164. */
    phone: text(),
    /** What the request is about; the payee's page shows it. */
    note: text(),
    status: text({ enum: PAYEE_REQUEST_STATUSES }).notNull().default("open"),
    /** How the newest link was sent. */
    channel: text({ enum: NOTIFICATION_CHANNELS }).notNull(),
    /** SHA-256 of the newest link's token. */
    tokenHash: text().notNull(),
    sentAt: instant().notNull(),
    expiresAt: instant().notNull(),
    createdAt: instant().notNull(),
    /** When it was answered or cancelled. */
    closedAt: instant(),
    /** The draft that the answer made, or the payee that has the account already. */
    payeeId: text(),
    /** The draft's verification. */
    verificationId: text(),
    /** The account was a payee's already: the answer made no draft. */
    isDuplicate: flag().notNull().default(false),
  },
  (t) => [
    uniqueIndex("payee_requests_org_id").on(t.organizationId, t.id),
    uniqueIndex("payee_requests_token").on(t.tokenHash),
    index("payee_requests_open").on(t.organizationId, t.id).where(sql`"status" = 'open'`),
    foreignKey({ columns: [t.organizationId, t.payeeId], foreignColumns: [payees.organizationId, payees.id] }),
    ...known(t, { isDuplicate: "payee_requests_duplicate" }),
  ],
);
