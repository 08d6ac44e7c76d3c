import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id, instant, known } from "./columns";

/**
 * One row that detects a restored database. The schedule counts a heartbeat here and also notes it outside the database
 * every half minute. A database that was restored to an earlier moment has fewer heartbeats than were noted, and an old
 * time.
 */
export const databaseState = sqliteTable(
  "database_state",
  {
    id: integer().primaryKey(),
    beat: integer().notNull(),
    beatAt: instant().notNull(),
    /** The restore for which the app is on hold; null: not on hold. */
    restoreId: text(),
  },
  () => [check("database_state_one", sql`"id" = 1`)],
);

/**
 * Always empty: a batch that requires the database to be in use inserts a row here that the CHECK refuses otherwise.
 */
export const databaseGate = sqliteTable("database_gate", { open: integer().notNull() }, () => [
  check("database_in_use", sql`"open" = 1`),
]);

/** The restores of the database: what was lost, and who ended the hold. */
export const restores = sqliteTable(
  "restores",
  {
    id: id(),
    /** "file": `npm run restore`; "in_place": the platform restored the database to an earlier moment. */
    source: text({ enum: ["file", "in_place"] }).notNull(),
    noticedAt: instant().notNull(),
    /** Start of the lost time. */
    lostFrom: instant().notNull(),
    /** End of the lost time; equal to the start if nothing is known to be lost; null: not determined yet. */
    lostUntil: instant(),
    /** The last entry of the whole audit trail that was kept. */
    position: integer().notNull(),
    /** The hour up to which the notes of the lost time have been read, e.g. "2026-11-26T14"; empty at the start. */
    readTo: text().notNull().default(""),
    /** When all of them had been read. */
    readAt: instant(),
    releasedAt: instant(),
    releasedById: text(),
    /** The last organisation that was notified; empty at the start. */
    toldTo: text().notNull().default(""),
    toldAt: instant(),
    /**
     * For each connection to an accounting system, what it answered while the app was on hold; null: none was asked.
     */
    answers: text({ mode: "json" }).$type<Record<string, "good" | "ended" | "silent">>(),
  },
  (t) => [index("restores_to_tell").on(t.id).where(sql`"toldAt" IS NULL`), ...known(t)],
);

/** Audit entries that a restore removed, as recorded in the outside notes. Their organisation may be lost too. */
export const lostEntries = sqliteTable(
  "lost_entries",
  {
    organizationId: text().notNull(),
    entryId: text().notNull(),
    restoreId: text().notNull(),
    action: text().notNull(),
    entityType: text(),
    entityId: text(),
    createdAt: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.entryId] }),
    index("lost_entries_restore").on(t.restoreId, t.action),
  ],
);

/**
 * Payments that were recorded, approved or cleared in the lost time: a similar payment is held. Contains no account
 * number.
 */
export const lostPayments = sqliteTable(
  "lost_payments",
  {
    organizationId: text().notNull(),
    accountFingerprint: text().notNull(),
    /** Integer cents. */
    amount: integer().notNull(),
    paymentId: text().notNull(),
    restoreId: text().notNull(),
    createdAt: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.accountFingerprint, t.amount, t.paymentId] }),
    index("lost_payments_restore").on(t.restoreId),
  ],
);

/** Messages that were sent in the lost time, as digests, so that they are not sent again. */
export const lostMessages = sqliteTable(
  "lost_messages",
  {
    digest: text().primaryKey(),
    restoreId: text().notNull(),
    sentAt: instant().notNull(),
  },
  (t) => [index("lost_messages_restore").on(t.restoreId)],
);
