import { isConnectionError } from "./errors";
import { createTogether, type Read, type Senders } from "./read-together";

/** Statistics that D1 reports for a statement. */
export type StatementMeta = { rowsRead: number; rowsWritten: number };

/** Called before each awaited call, which it may refuse, at its end, and with the rows that the database reports. */
type DatabaseCounts = { waited(): () => void; moved(rows: number): void };

type Options = {
  /** D1 can stall for many seconds; a request must not. */
  timeoutMs: number;
  /** Only set when queries are measured: D1 has no statistics for a `raw()` read, so it is run a second time. */
  meter?: (sql: string, meta: StatementMeta) => void;
  counts?: DatabaseCounts;
};

/** Only these are batched or retried, because any other statement may write. */
const READ = /^\s*select\b/i;
const TIMED_OUT = "database call timed out";

/**
 * D1, or anything with its interface, with a time limit for every call and one more try for reads whose connection was
 * lost. Reads that are asked for in the same moment are sent as one call.
 *
 * Writes are never repeated here: only `commit` knows how to tell whether the first try happened.
 */
export function guardD1(binding: D1Database, { timeoutMs, meter, counts }: Options): D1Database {
  const guarded: Guard["guarded"] = new WeakMap();
  const call: Calls = {
    bounded: async (run) => {
      const ended = counts?.waited();
      return bounded(run, timeoutMs).finally(ended);
    },
    read: (sql, run) => readTwice(sql, () => call.bounded(run)),
    measured(sql, result) {
      if (!result?.meta) return;
      const { rows_read: rowsRead = 0, rows_written: rowsWritten = 0 } = result.meta;
      counts?.moved(rowsRead + rowsWritten);
      meter?.(sql, { rowsRead, rowsWritten });
    },
    isMeasuring: meter !== undefined,
  };
  const make = ({ sql, values }: Read) => {
    const statement = binding.prepare(sql);
    return values.length === 0 ? statement : statement.bind(...values);
  };
  const guard: Guard = { call, guarded, make, together: createTogether(sendersTo(binding, { call, make })) };
  return {
    prepare: (sql: string) => guardStatement({ sql, values: [] }, guard),
    batch: async <T>(statements: D1PreparedStatement[]) => {
      const known = statements.map((statement) => guarded.get(statement));
      const reads = known.flatMap((each) => (each && READ.test(each.sql) ? [each] : []));
      if (reads.length === known.length) return Promise.all(reads.map(guard.together.all)) as Promise<D1Result<T>[]>;
      const made = statements.map((statement, at) => (known[at] ? make(known[at]) : statement));
      const results = await call.bounded(() => binding.batch<T>(made));
      for (const [at, result] of results.entries()) call.measured(known[at]?.sql ?? "batch", result);
      return results;
    },
    exec: (sql: string) => call.bounded(() => binding.exec(sql)),
    withSession: (constraint?: string) => binding.withSession(constraint),
    dump: () => binding.dump(),
  } as D1Database;
}

/** Sends reads, with their time limit and retry. */
function sendersTo(binding: D1Database, { call, make }: Pick<Guard, "call" | "make">): Senders {
  return {
    alone: async (read) => {
      const result = await call.read(read.sql, () => make(read).all<Record<string, unknown>>());
      call.measured(read.sql, result);
      return result;
    },
    raw: async (read, options) => {
      if (call.isMeasuring) call.measured(read.sql, await make(read).all());
      return call.read(read.sql, (): Promise<unknown[][]> => (options ? make(read).raw(options) : make(read).raw()));
    },
    together: async (reads) => {
      const run = () => binding.batch<Record<string, unknown>>(reads.map(make));
      const results = await call.read(reads[0]?.sql ?? "", run);
      for (const [at, result] of results.entries()) call.measured(reads[at]?.sql ?? "batch", result);
      return results;
    },
  };
}

type Calls = {
  bounded: <T>(run: () => Promise<T>) => Promise<T>;
  read: <T>(sql: string, run: () => Promise<T>) => Promise<T>;
  measured: (sql: string, result: D1Result | undefined) => void;
  isMeasuring: boolean;
};

type Guard = {
  call: Calls;
  /** What a guarded statement says. */
  guarded: WeakMap<object, Read>;
  /** Prepares the statement when it is run, because a query that was built once is reused for a long time. */
  make: (read: Read) => D1PreparedStatement;
  together: ReturnType<typeof createTogether>;
};

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

async function readTwice<T>(sql: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const isTimeout = error instanceof Error && error.message === TIMED_OUT;
    if (READ.test(sql) && isConnectionError(error) && !isTimeout) return run();
    throw error;
  }
}

function guardStatement(statement: Read, guard: Guard): D1PreparedStatement {
  const { call, make, together } = guard;
  const { sql } = statement;
  const isReading = READ.test(sql);
  const all = async () => {
    if (isReading) return together.all(statement);
    const result = await call.bounded(() => make(statement).all());
    call.measured(sql, result);
    return result;
  };
  const guarded = {
    bind: (...values: unknown[]) => guardStatement({ sql, values }, guard),
    first: async (column?: string) => {
      const row = ((await all()).results[0] as Record<string, unknown> | undefined) ?? null;
      return column === undefined ? row : (row?.[column] ?? null);
    },
    all,
    run: all,
    raw: async () => {
      if (isReading) return together.raw(statement);
      // A write that returns rows is not sent a second time to be measured.
      if (call.isMeasuring) return (await all()).results.map((row) => Object.values(row as object));
      return call.bounded(() => make(statement).raw());
    },
  } as D1PreparedStatement;
  guard.guarded.set(guarded, statement);
  return guarded;
}
