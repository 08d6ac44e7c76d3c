import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id, instant, known } from "./columns";

/**
 * One row: which moment of its life this database is at. The beat is counted here and noted outside the database every half
 * minute: a database that was put back to an earlier moment has fewer beats than were noted, and an old time.
 */
export const databaseState = sqliteTable(
  "database_state",
  {
    id: integer().primaryKey(),
    beat: integer().notNull(),
    beatAt: instant().notNull(),
    /** The restore for which the app is on hold; null: it is in use. */
    restoreId: text(),
  },
  () => [check("database_state_one", sql`"id" = 1`)],
);

/** Stays empty: a batch that may only be written while the database is in use inserts here what the CHECK refuses. */
export const databaseGate = sqliteTable("database_gate", { open: integer().notNull() }, () => [
  check("database_in_use", sql`"open" = 1`),
]);

/** Each time the database was restored: what was lost, and who let the app go on. */
export const restores = sqliteTable(
  "restores",
  {
    id: id(),
    /** "file": `npm run restore`; "in_place": the platform put the database back to an earlier moment. */
    source: text({ enum: ["file", "in_place"] }).notNull(),
    noticedAt: instant().notNull(),
    /** The lost time begins. */
    lostFrom: instant().notNull(),
    /** It ends; the same instant where nothing is known to be lost; null: not looked at yet. */
    lostUntil: instant(),
    /** The last entry of everybody's trail that was kept. */
    position: integer().notNull(),
    /** The hour up to which the notes of the lost time were read, e.g. "2026-11-26T14"; empty at the beginning. */
    readTo: text().notNull().default(""),
    /** When all of them had been read. */
    readAt: instant(),
    releasedAt: instant(),
    releasedById: text(),
    /** The last organisation that was told; empty at the beginning. */
    toldTo: text().notNull().default(""),
    toldAt: instant(),
    /** By connection to an accounting system: what it answered while the app was on hold; null: none was asked. */
    answers: text({ mode: "json" }).$type<Record<string, "good" | "ended" | "silent">>(),
  },
  (t) => [index("restores_to_tell").on(t.id).where(sql`"toldAt" IS NULL`), ...known(t)],
);

/** Entries of the audit trail that a restore took away, as the notes outside tell of them. Their organisation may be lost too. */
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

/** Payments that were recorded, approved or cleared in lost time: one like it is held. No account number is in it. */
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

/** Messages that went out in lost time, as digests: the same one is not sent again. */
export const lostMessages = sqliteTable(
  "lost_messages",
  {
    digest: text().primaryKey(),
    restoreId: text().notNull(),
    sentAt: instant().notNull(),
  },
  (t) => [index("lost_messages_restore").on(t.restoreId)],
);
