import { type SQL, sql } from "drizzle-orm";
import { type Db, databaseGate, databaseState, type Statement } from "./database";
import { textOf } from "./errors";

/**
 * If the heartbeat is older, the state is checked before anything is written. The schedule writes a heartbeat every
 * half minute, so either the schedule stopped or the database was restored to an earlier moment.
 */
export const FRESH_MS = 3 * 60_000;

/** SQL: whether the database is known to be in its latest state, and the app is not on hold. */
export const databaseIsInUse = (now: number): SQL<boolean> =>
  sql`EXISTS (SELECT 1 FROM ${databaseState} WHERE "id" = 1 AND "restoreId" IS NULL AND "beatAt" >= ${now - FRESH_MS})`;

/** The first statement of a batch that may only run while the database is in use. It never writes a row. */
export function requireDatabaseInUse(db: Db, now: number): Statement {
  return db.insert(databaseGate).select(sql`SELECT 0 WHERE NOT ${databaseIsInUse(now)}`);
}

/** Whether a write failed because the database was not in use. */
export const isNotInUseError = (error: unknown): boolean => /database_in_use/.test(textOf(error));
