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
export function guardD1(binding: D1Database, options: Options): D1Database {
  const makers = new WeakMap<object, () => D1PreparedStatement>();

  const bounded = async <T>(call: () => Promise<T>): Promise<T> => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error("database call timed out")), options.timeoutMs);
    });
    try {
      return await Promise.race([call(), timeout]);
    } finally {
      clearTimeout(timer);
    }
  };

  const read = async <T>(sql: string, call: () => Promise<T>): Promise<T> => {
    try {
      return await bounded(call);
    } catch (error) {
      if (READ.test(sql) && error instanceof Error && LOST.test(error.message)) return bounded(call);
      throw error;
    }
  };

  const measured = (sql: string, result: D1Result | undefined) => {
    if (options.meter && result?.meta) {
      options.meter(sql, { rowsRead: result.meta.rows_read ?? 0, rowsWritten: result.meta.rows_written ?? 0 });
    }
  };

  // Made when it is run: a query that was built once is kept for long, and what it runs on may change meanwhile.
  const wrap = (sql: string, make: () => D1PreparedStatement): D1PreparedStatement => {
    const all = async <T>() => {
      const result = await read(sql, () => make().all<T>());
      measured(sql, result);
      return result;
    };
    const wrapped = {
      bind: (...values: unknown[]) => wrap(sql, () => make().bind(...values)),
      first: async (column?: string) => {
        const row = (await all<Record<string, unknown>>()).results[0] ?? null;
        return column === undefined ? row : (row?.[column] ?? null);
      },
      all,
      run: all,
      raw: async (rawOptions?: { columnNames?: false }) => {
        if (options.meter && READ.test(sql)) measured(sql, await make().all());
        return read(sql, () => make().raw(rawOptions));
      },
    } as D1PreparedStatement;
    makers.set(wrapped, make);
    return wrapped;
  };

  return {
    prepare: (sql: string) => wrap(sql, () => binding.prepare(sql)),
    batch: async <T>(statements: D1PreparedStatement[]) => {
      const results = await bounded(() =>
        binding.batch<T>(statements.map((statement) => makers.get(statement)?.() ?? statement)),
      );
      for (const result of results) measured("batch", result);
      return results;
    },
    exec: (sql: string) => bounded(() => binding.exec(sql)),
    withSession: (constraint?: string) => binding.withSession(constraint),
    dump: () => binding.dump(),
  } as D1Database;
}
