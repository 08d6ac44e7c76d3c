import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { COMPONENTS } from "~/kernel/enums";
import { id, instant, known } from "./columns";

/** The service's own health. None of it belongs to an organisation. */

/** When each schedule last ran, and whether all of its tasks succeeded. */
export const scheduleRuns = sqliteTable("schedule_runs", {
  cron: text().primaryKey(),
  /** Since when it has been expected to run. */
  since: instant().notNull(),
  lastSucceededAt: instant(),
  lastFailedAt: instant(),
  /** The first failure since the last success. */
  failingSince: instant(),
  lastError: text(),
});

/** The outcome of calls to each outside party. */
export const providerCalls = sqliteTable("provider_calls", {
  party: text().primaryKey(),
  lastSucceededAt: instant(),
  lastFailedAt: instant(),
  /** The first failure since the last success. */
  failingSince: instant(),
  lastError: text(),
});

/** Measurements of recent days, one row every five minutes. */
export const operationSamples = sqliteTable("operation_samples", {
  /** The start of the five minutes. */
  at: integer({ mode: "number" }).primaryKey(),
  pending: integer().notNull(),
  /** How long the oldest due job had been waiting, in milliseconds. */
  oldestDueMs: integer().notNull(),
  failed: integer().notNull(),
  /** How long the oldest unsealed entry had been waiting, in milliseconds. */
  sealLagMs: integer().notNull(),
  databaseBytes: integer().notNull(),
});

/** For each day and component, the number of five-minute intervals in which it worked, and in which it failed. */
export const componentDays = sqliteTable(
  "component_days",
  {
    component: text({ enum: COMPONENTS }).notNull(),
    /** `YYYY-MM-DD` in Sydney, the status page's time zone. */
    day: text().notNull(),
    good: integer().notNull(),
    bad: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.component, t.day] }), ...known(t)],
);

/** A problem that monitoring found, from start to end, and whether the operator was notified of both. */
export const incidents = sqliteTable(
  "incidents",
  {
    id: id(),
    /** What was checked, e.g. `mail` or `schedule 7 * * * *`. */
    watched: text().notNull(),
    component: text({ enum: COMPONENTS }).notNull(),
    /** For the operator; not shown on the public status page. */
    detail: text().notNull(),
    startedAt: instant().notNull(),
    endedAt: instant(),
    toldAt: instant(),
    endToldAt: instant(),
  },
  (t) => [
    uniqueIndex("incidents_open").on(t.watched).where(sql`"endedAt" IS NULL`),
    index("incidents_current").on(t.startedAt).where(sql`"endToldAt" IS NULL`),
    index("incidents_started").on(t.startedAt),
    ...known(t),
  ],
);

/** A super admin's notice on every page; at most one row. */
export const siteNotices = sqliteTable(
  "site_notices",
  {
    id: integer({ mode: "number" }).primaryKey(),
    text: text().notNull(),
    setAt: instant().notNull(),
  },
  (t) => [check("site_notices_one", sql`${t.id} = 1`)],
);

/** Keys that may have encrypted or fingerprinted something, so that none is removed by mistake. */
export const keysInUse = sqliteTable(
  "keys_in_use",
  {
    variable: text().notNull(),
    key: text().notNull(),
    firstUsedAt: instant().notNull(),
    /** Recognises the key (`digestOf`); null: not noted yet; empty: the key is lost, and any other may have its name. */
    digest: text(),
  },
  (t) => [primaryKey({ columns: [t.variable, t.key] })],
);

/** The oldest migration that a build must know to use this database. One row. */
export const schemaSupport = sqliteTable(
  "schema_support",
  {
    id: integer({ mode: "number" }).primaryKey(),
    oldestMigration: text().notNull(),
  },
  (t) => [check("schema_support_one", sql`${t.id} = 1`)],
);

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

/** Always empty: a batch that needs the database in use inserts a row, which the CHECK refuses if it is not. */
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
    /** For each connection to an accounting system, what it answered while the app was on hold; null: not asked. */
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

/** Payments recorded, approved or cleared in the lost period: a similar one is held. No account numbers. */
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

/** Messages that were sent during the lost period, as digests, so that they are not sent again. */
export const lostMessages = sqliteTable(
  "lost_messages",
  { digest: text().primaryKey(), restoreId: text().notNull(), sentAt: instant().notNull() },
  (t) => [index("lost_messages_restore").on(t.restoreId)],
);
