import type { Client, InStatement, TransactionMode } from "@libsql/client/web";
import { isConnectionError } from "./errors";

const READ = /^\s*select\b/i;

/**
 * A libSQL client with the bounds that D1 has: every call ends in time, and a read whose connection was lost is asked once
 * more. Writes are never repeated here: only `commit` knows how to tell whether the first try happened.
 */
export function guardLibsql(client: Client, { timeoutMs }: { timeoutMs: number }): Client {
  const textOf = (statement: InStatement) => (typeof statement === "string" ? statement : statement.sql);
  const call = <T>(isReading: boolean, run: () => Promise<T>): Promise<T> =>
    bounded(run, timeoutMs).catch((error) => {
      if (isReading && isConnectionError(error) && !isTimeout(error)) return bounded(run, timeoutMs);
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
