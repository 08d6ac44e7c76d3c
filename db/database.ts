import { getTableColumns, type InferInsertModel, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { drizzle as drizzleD1 } from "drizzle-orm/d1";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { textOf } from "./errors";
import { preconditions } from "./schema/reliability";

/** The database as the product uses it: its tables, its client, and what batches are made of. */

export * from "./schema/audit";
export * from "./schema/billing";
export * from "./schema/bulk-checks";
export * from "./schema/directories";
export * from "./schema/imports";
export * from "./schema/integrations";
export * from "./schema/invoices";
export * from "./schema/messages";
export * from "./schema/operations";
export * from "./schema/organizations";
export * from "./schema/payees";
export * from "./schema/payment-files";
export * from "./schema/payments";
export * from "./schema/records";
export * from "./schema/reliability";
export * from "./schema/single-sign-on";
export * from "./schema/users";
export * from "./schema/verifications";

/** D1, or a libSQL server behind the same interface (`libsql-binding.ts`). */
export type Db = ReturnType<typeof openD1>;

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

/**
 * Columns of a table, each under its own name, for a select.
 * @example db.select(columnsOf(payees, "id", "name")).from(payees)
 */
export function columnsOf<Table extends SQLiteTable, Name extends keyof Table>(table: Table, ...names: Name[]) {
  return Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<Table, Name>;
}

/** Maximum characters of a statement's rows, far below the 2 MB that D1 accepts as one value. */
const MAX_CHARACTERS = 700_000;

/**
 * Many rows in few statements: D1 binds at most 100 values to a statement, so the rows are passed as one JSON text.
 * Columns that no row gives take the default of the schema, or NULL.
 *
 * @example insertRows(db, payeeTerms, [{ organizationId, payeeId, term: "acme" }])
 */
export function insertRows<Table extends SQLiteTable>(db: Db, table: Table, rows: readonly InferInsertModel<Table>[]) {
  // Generated columns do not accept a value.
  const columns = Object.entries(getTableColumns(table)).filter(([, column]) => column.generated === undefined);
  const given = new Set(rows.flatMap((row) => Object.keys(row as object)));
  const values = columns.map(([name, column]): SQL => {
    if (given.has(name)) return sql.raw(`"row"."value" ->> '${name}'`);
    return column.default === undefined ? sql.raw("NULL") : sql`${column.mapToDriverValue(column.default)}`;
  });
  const toText = (row: object) => {
    const entries = columns.flatMap(([name, column]) => {
      const value: unknown = (row as Record<string, unknown>)[name];
      return value === undefined || value === null ? [] : [[name, column.mapToDriverValue(value)]];
    });
    return JSON.stringify(Object.fromEntries(entries));
  };
  return joinUpTo(rows.map(toText), MAX_CHARACTERS).map((text) =>
    db.insert(table).select(sql`SELECT ${sql.join(values, sql`, `)} FROM json_each(${text}) AS "row"`),
  );
}

/** Joins JSON texts into JSON arrays of at most `limit` characters; a single longer text gets its own array. */
function joinUpTo(texts: readonly string[], limit: number): string[] {
  const arrays: string[] = [];
  let part: string[] = [];
  let length = 0;
  for (const text of texts) {
    if (length + text.length > limit && part.length > 0) {
      arrays.push(`[${part.join(",")}]`);
      part = [];
      length = 0;
    }
    part.push(text);
    length += text.length;
  }
  return part.length > 0 ? [...arrays, `[${part.join(",")}]`] : arrays;
}

/**
 * A list as rows that an UPDATE takes its values from: `"given"."value"` is each item, as JSON.
 *
 * The limit makes the database read the list first, and find each row of the table by its key. A plain `json_each` in
 * an UPDATE is read again for every row of the organisation, because the planner does not know the length of the list,
 * and an UPDATE does not support CROSS JOIN.
 *
 * @example db.update(payees).set({ name: sql`"given"."value" ->> 1` }).from(jsonRows([[id, name]])).where(...)
 */
export const jsonRows = (list: readonly unknown[]): SQL =>
  sql`(SELECT "value" FROM json_each(${JSON.stringify(list)}) LIMIT -1) AS "given"`;

/**
 * Something that must be true at the moment of writing: `found` is a select that returns a row exactly while it is
 * true. The name says what was refused, e.g. "already_decided".
 */
export type Condition<Name extends string = string> = { name: Name; found: { getSQL(): SQL } };

/** A row of a table, for a condition or for EXISTS: `rowIn(db, payees).where(...)`. */
export const rowIn = (db: Db, table: SQLiteTable) => db.select({ one: sql`1` }).from(table);

/** The maximum number of conditions per batch: the columns of the `preconditions` table. */
const MAX_CONDITIONS = 10;

/**
 * The first statement of a batch that may only be written while every condition holds.
 *
 * An UPDATE that matches nothing does not stop the rest of its batch. This statement makes the database refuse the
 * whole batch instead, and `findRefusedCondition` reads from the error which condition failed. While all conditions
 * hold it writes no row, because it only inserts rows that the table's CHECKs refuse.
 *
 * @throws RangeError with more than `MAX_CONDITIONS` conditions
 */
export function requireConditions(db: Db, conditions: readonly Condition[]): Statement {
  if (conditions.length > MAX_CONDITIONS) throw new RangeError(`a batch has at most ${MAX_CONDITIONS} conditions`);
  const answers = Array.from({ length: MAX_CONDITIONS }, (_, index) => {
    const found = conditions[index]?.found.getSQL();
    return found ? sql`EXISTS (${found}) AS ${sql.raw(`"c${index}"`)}` : sql.raw(`1 AS "c${index}"`);
  });
  const refuses = conditions.map((_, index) => sql.raw(`"c${index}" = 0`));
  return db
    .insert(preconditions)
    .select(sql`SELECT * FROM (SELECT ${sql.join(answers, sql`, `)}) AS "given" WHERE ${sql.join(refuses, sql` OR `)}`);
}

/** The name of the first condition that failed, if that is why the write failed. */
export function findRefusedCondition<Name extends string>(error: unknown, conditions: readonly Condition<Name>[]) {
  const index = /CHECK constraint failed: precondition_(\d+)/i.exec(textOf(error))?.[1];
  return index === undefined ? undefined : conditions[Number(index)]?.name;
}
