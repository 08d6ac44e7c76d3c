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

/**
 * The same for a query whose text has a few shapes: each is built once.
 * @param build given what the text depends on: few values, never what people typed
 * @example const inOrder = preparedPer((db, { isAscending }: { isAscending: boolean }) =>
 *     db.select().from(users).orderBy(isAscending ? asc(users.id) : desc(users.id)).prepare());
 *   const rows = await inOrder(db, { isAscending: true }).all();
 */
export function preparedPer<Shape extends object, Query>(
  build: (db: Db, shape: Shape) => Query,
): (db: Db, shape: Shape) => Query {
  const shapes = prepared(() => new Map<string, Query>());
  return (db, shape) => {
    const built = shapes(db);
    const key = JSON.stringify(shape);
    const query = built.get(key) ?? build(db, shape);
    built.set(key, query);
    return query;
  };
}
