/** What D1 says of a statement it ran. */
export type StatementMeta = { rowsRead: number; rowsWritten: number };

type Options = {
  /** D1 can stall for many seconds; a request must not. */
  timeoutMs: number;
  /** Given only where queries are measured: D1 tells nothing of a `raw()` read, so each is then run a second time. */
  meter?: (sql: string, meta: StatementMeta) => void;
};

const READ = /^\s*(select|with)\b/i;
const LOST = /network connection lost|storage caused object to be reset|reset because its code was updated/i;

/**
 * D1 with a bound on every call, and one more try for reads whose connection was lost.
 *
 * Writes are never repeated here: only `commit` knows how to tell whether the first try happened.
 */
export function guardD1(binding: D1Database, { timeoutMs, meter }: Options): D1Database {
  const makers: Makers = new WeakMap();
  const call: Calls = {
    bounded: (run) => bounded(run, timeoutMs),
    read: (sql, run) => readTwice(sql, () => bounded(run, timeoutMs)),
    measured(sql, result) {
      if (result?.meta) {
        meter?.(sql, { rowsRead: result.meta.rows_read ?? 0, rowsWritten: result.meta.rows_written ?? 0 });
      }
    },
    isMeasuring: meter !== undefined,
  };
  return {
    prepare: (sql: string) => guardStatement(sql, () => binding.prepare(sql), { call, makers }),
    batch: async <T>(statements: D1PreparedStatement[]) => {
      const made = statements.map((statement) => makers.get(statement));
      const run = () => binding.batch<T>(statements.map((statement, at) => made[at]?.make() ?? statement));
      const isReading = made.every((maker) => maker !== undefined && READ.test(maker.sql));
      const results = isReading ? await call.read(made[0]?.sql ?? "", run) : await call.bounded(run);
      for (const result of results) call.measured("batch", result);
      return results;
    },
    exec: (sql: string) => call.bounded(() => binding.exec(sql)),
    withSession: (constraint?: string) => binding.withSession(constraint),
    dump: () => binding.dump(),
  } as D1Database;
}

type Calls = {
  bounded: <T>(run: () => Promise<T>) => Promise<T>;
  read: <T>(sql: string, run: () => Promise<T>) => Promise<T>;
  measured: (sql: string, result: D1Result | undefined) => void;
  isMeasuring: boolean;
};

/** What a guarded statement says, and how it is made anew on the binding. */
type Makers = WeakMap<object, { sql: string; make: () => D1PreparedStatement }>;

async function bounded<T>(run: () => Promise<T>, timeoutMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("database call timed out")), timeoutMs);
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
    if (READ.test(sql) && error instanceof Error && LOST.test(error.message)) return run();
    throw error;
  }
}

/** Made when it is run: a query that was built once is kept for long, and what it runs on may change meanwhile. */
function guardStatement(
  sql: string,
  make: () => D1PreparedStatement,
  guard: { call: Calls; makers: Makers },
): D1PreparedStatement {
  const { call, makers } = guard;
  const all = async <T>() => {
    const result = await call.read(sql, () => make().all<T>());
    call.measured(sql, result);
    return result;
  };
  const guarded = {
    bind: (...values: unknown[]) => guardStatement(sql, () => make().bind(...values), guard),
    first: async (column?: string) => {
      const row = (await all<Record<string, unknown>>()).results[0] ?? null;
      return column === undefined ? row : (row?.[column] ?? null);
    },
    all,
    run: all,
    raw: async (rawOptions?: { columnNames?: false }) => {
      if (call.isMeasuring && READ.test(sql)) call.measured(sql, await make().all());
      return call.read(sql, () => make().raw(rawOptions));
    },
  } as D1PreparedStatement;
  makers.set(guarded, { sql, make });
  return guarded;
}
