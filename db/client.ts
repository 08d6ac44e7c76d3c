import type { BatchItem } from "drizzle-orm/batch";
import { drizzle as drizzleD1 } from "drizzle-orm/d1";

/** D1, or a libSQL server behind the same interface (`libsql-binding.ts`). */
export type Db = ReturnType<typeof openD1>;

/** A statement that a batch may contain. */
export type Statement = BatchItem<"sqlite">;

export function openD1(binding: D1Database) {
  return drizzleD1(binding);
}

/**
 * The Drizzle client of libSQL, with which tests open a file, has the same select, insert, update, delete and batch as
 * D1's. Only the result types of raw runs differ, and nothing here reads those.
 */
export function asDb(db: { batch: unknown; select: unknown }): Db {
  return db as Db;
}
