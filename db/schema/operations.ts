import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { COMPONENTS } from "~/kernel/enums";
import { id, instant, known } from "./columns";

/** What is known of how the service itself is doing. None of it belongs to an organisation. */

/** When each schedule last ran, and whether all that it does went well. */
export const scheduleRuns = sqliteTable("schedule_runs", {
  cron: text().primaryKey(),
  /** Since when it is expected to run. */
  since: instant().notNull(),
  lastSucceededAt: instant(),
  lastFailedAt: instant(),
  /** Of failures without a success since: the first. */
  failingSince: instant(),
  lastError: text(),
});

/** What became of the calls of each outside party. */
export const providerCalls = sqliteTable("provider_calls", {
  party: text().primaryKey(),
  lastSucceededAt: instant(),
  lastFailedAt: instant(),
  /** Of failures without a success since: the first. */
  failingSince: instant(),
  lastError: text(),
});

/** Figures of the last days, every five minutes. */
export const operationSamples = sqliteTable("operation_samples", {
  /** The beginning of its five minutes. */
  at: integer({ mode: "number" }).primaryKey(),
  pending: integer().notNull(),
  /** How long the oldest due job had waited, in milliseconds. */
  oldestDueMs: integer().notNull(),
  failed: integer().notNull(),
  /** How long the oldest entry without a seal had waited, in milliseconds. */
  sealLagMs: integer().notNull(),
  databaseBytes: integer().notNull(),
});

/** How many five minutes of a day each component was known to work, and known not to. */
export const componentDays = sqliteTable(
  "component_days",
  {
    component: text({ enum: COMPONENTS }).notNull(),
    /** `YYYY-MM-DD` in Sydney, as the status page tells its times. */
    day: text().notNull(),
    good: integer().notNull(),
    bad: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.component, t.day] }), ...known(t)],
);

/** What was found wrong, from its beginning to its end, and whether the operator was told of either. */
export const incidents = sqliteTable(
  "incidents",
  {
    id: id(),
    /** What was looked at: `mail`, `schedule 7 * * * *`. */
    watched: text().notNull(),
    component: text({ enum: COMPONENTS }).notNull(),
    /** For the operator; the public page does not show it. */
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

/** What a super admin tells everybody, on every page; at most one row. */
export const siteNotices = sqliteTable(
  "site_notices",
  {
    id: integer({ mode: "number" }).primaryKey(),
    text: text().notNull(),
    setAt: instant().notNull(),
  },
  (t) => [check("site_notices_one", sql`${t.id} = 1`)],
);

/** Keys that something may have been sealed or digested with, so that none is dropped unnoticed. */
export const keysInUse = sqliteTable(
  "keys_in_use",
  {
    variable: text().notNull(),
    key: text().notNull(),
    firstUsedAt: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.variable, t.key] })],
);

/** Which builds this schema serves: those that know this migration or a newer one. One row. */
export const schemaSupport = sqliteTable(
  "schema_support",
  {
    id: integer({ mode: "number" }).primaryKey(),
    oldestMigration: text().notNull(),
  },
  (t) => [check("schema_support_one", sql`${t.id} = 1`)],
);
