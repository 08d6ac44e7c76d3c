/** D1 that counts how often it is waited for. Calls that overlap count once. */
export function countWaits(DB: D1Database) {
  let stages = 0;
  let open = 0;

  async function asked<T>(run: () => Promise<T>): Promise<T> {
    if (open === 0) stages += 1;
    open += 1;
    try {
      return await run();
    } finally {
      open -= 1;
    }
  }

  const originals = new WeakMap<object, D1PreparedStatement>();
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const counted = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      all: () => asked(() => statement.all()),
      raw: (options: { columnNames: true }) => asked<unknown>(() => statement.raw(options)),
    } as D1PreparedStatement;
    originals.set(counted, statement);
    return counted;
  };
  const own = (statement: D1PreparedStatement) => originals.get(statement) ?? statement;
  const binding = {
    prepare: (sql: string) => wrap(DB.prepare(sql)),
    batch: (statements: D1PreparedStatement[]) => asked(() => DB.batch(statements.map(own))),
  } as D1Database;
  return {
    binding,
    count: () => stages,
    reset() {
      stages = 0;
    },
  };
}
