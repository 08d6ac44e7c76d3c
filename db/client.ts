import { type Client, createClient, type InStatement, type TransactionMode } from "@libsql/client/web";
import type { BatchItem } from "drizzle-orm/batch";
import { drizzle as drizzleD1 } from "drizzle-orm/d1";
import { drizzle as drizzleLibsql } from "drizzle-orm/libsql/web";
import { isConnectionError, isTurnedAway } from "./errors";
import type { DatabaseCounts } from "./guarded-d1";
import * as schema from "./schema";

const READ = /^\s*select\b/i;

/**
 * A libSQL client with the bounds that D1 has: every call ends in time, and a read whose connection was lost is asked once
 * more. Writes are never repeated here: only `commit` knows how to tell whether the first try happened.
 */
export function guardLibsql(
  client: Client,
  { timeoutMs, counts }: { timeoutMs: number; counts?: DatabaseCounts },
): Client {
  const textOf = (statement: InStatement) => (typeof statement === "string" ? statement : statement.sql);
  const counted = async <T>(run: () => Promise<T>): Promise<T> => {
    const ended = counts?.waited();
    let isGivenUp = false;
    return bounded(() => untilTakenIn(run, () => isGivenUp), timeoutMs).finally(() => {
      isGivenUp = true;
      ended?.();
    });
  };
  const call = <T>(isReading: boolean, run: () => Promise<T>): Promise<T> =>
    counted(run).catch((error) => {
      if (isReading && isConnectionError(error) && !isTimeout(error)) return counted(run);
      throw error;
    });
  return new Proxy(client, {
    get(target, name) {
      if (name === "execute") {
        return (statement: InStatement) => call(READ.test(textOf(statement)), () => target.execute(statement));
      }
      if (name === "batch") {
        return (statements: InStatement[], mode?: TransactionMode) => {
          const isReading = statements.every((each) => READ.test(textOf(each)));
          return call(isReading, () => target.batch(statements, mode));
        };
      }
      const member = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

const TIMED_OUT = "database call timed out";
const isTimeout = (error: unknown) => error instanceof Error && error.message === TIMED_OUT;

async function bounded<T>(run: () => Promise<T>, timeoutMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(TIMED_OUT)), timeoutMs);
  });
  try {
    return await Promise.race([run(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** How long a call waits that a busy server turned away, each time; after the last it is answered that we are busy. */
const WAITS_MS = [20, 50, 100, 200, 400, 800];

async function untilTakenIn<T>(run: () => Promise<T>, isGivenUp: () => boolean): Promise<T> {
  for (const waitMs of WAITS_MS) {
    try {
      return await run();
    } catch (error) {
      if (!isTurnedAway(error) || isGivenUp()) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
  return run();
}

/** D1's face is the narrower one: what works on it works on libSQL too. */
export type Db = ReturnType<typeof openD1>;

/** A statement that may be in a batch. */
export type Statement = BatchItem<"sqlite">;

export function openD1(binding: D1Database) {
  return drizzleD1(binding, { schema });
}

/**
 * The client queues what is beyond so many calls, and starts what is queued when another call ends: in a Worker on behalf of
 * that other request, whose end cancels it. A request that is cut off never gives its place back.
 */
const NO_QUEUE = Number.MAX_SAFE_INTEGER;

export function openLibsql(
  url: string,
  {
    authToken,
    fetch,
    timeoutMs,
    counts,
  }: {
    authToken?: string;
    fetch?: (request: Request) => Promise<Response>;
    timeoutMs: number;
    counts?: DatabaseCounts;
  },
): Db {
  const client = guardLibsql(createClient({ url, authToken, fetch, concurrency: NO_QUEUE }), { timeoutMs, counts });
  return asDb(drizzleLibsql({ client, schema }));
}

/**
 * libSQL's Drizzle has the same select, insert, update, delete and batch as D1's; only the result types of raw
 * runs differ, and nothing here reads those.
 */
export function asDb(db: { batch: unknown; select: unknown }): Db {
  return db as Db;
}
