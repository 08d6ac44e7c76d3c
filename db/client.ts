import { createClient } from "@libsql/client/web";
import type { BatchItem } from "drizzle-orm/batch";
import { drizzle as drizzleD1 } from "drizzle-orm/d1";
import { drizzle as drizzleLibsql } from "drizzle-orm/libsql/web";
import { guardLibsql } from "./guarded-libsql";
import * as schema from "./schema";

/** D1's face is the narrower one: what works on it works on libSQL too. */
export type Db = ReturnType<typeof openD1>;

/** A statement that may be in a batch. */
export type Statement = BatchItem<"sqlite">;

export function openD1(binding: D1Database) {
  return drizzleD1(binding, { schema });
}

export function openLibsql(
  url: string,
  {
    authToken,
    fetch,
    timeoutMs,
  }: { authToken?: string; fetch?: (request: Request) => Promise<Response>; timeoutMs: number },
): Db {
  return asDb(drizzleLibsql({ client: guardLibsql(createClient({ url, authToken, fetch }), { timeoutMs }), schema }));
}

/**
 * libSQL's Drizzle has the same select, insert, update, delete and batch as D1's; only the result types of raw
 * runs differ, and nothing here reads those.
 */
export function asDb(db: { batch: unknown; select: unknown }): Db {
  return db as Db;
}
