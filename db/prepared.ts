import type { Db } from "./client";

/**
 * A query that is built once for each database and run many times: building the text of one costs more than sending it.
 * What differs between runs is a `sql.placeholder`.
 *
 * @example const byId = prepared((db) => db.select().from(users).where(eq(users.id, sql.placeholder("id"))).prepare());
 *   const rows = await byId(db).all({ id });
 */
export function prepared<Query>(build: (db: Db) => Query): (db: Db) => Query {
  const built = new WeakMap<Db, Query>();
  return (db) => {
    const query = built.get(db) ?? build(db);
    built.set(db, query);
    return query;
  };
}
