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
