import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "./client";
import { textOf } from "./errors";
import { databaseGate, databaseState } from "./schema";

/**
 * A beat that is older is looked at before anything is written: the schedule writes one every half minute, so either it
 * stood still or the database was put back to an earlier moment.
 */
export const FRESH_MS = 3 * 60_000;

/** SQL: whether the database is known to be at the newest moment of its life, and the app is not on hold. */
export const databaseIsInUse = (now: number): SQL<boolean> =>
  sql`EXISTS (SELECT 1 FROM ${databaseState} WHERE "id" = 1 AND "restoreId" IS NULL AND "beatAt" >= ${now - FRESH_MS})`;

/** The first statement of a batch that may only be written while the database is in use. It writes no row. */
export function requireDatabaseInUse(db: Db, now: number): Statement {
  return db.insert(databaseGate).select(sql`SELECT 0 WHERE NOT ${databaseIsInUse(now)}`);
}

/** Whether that is why the write failed. */
export const isNotInUseError = (error: unknown): boolean => /database_in_use/.test(textOf(error));
