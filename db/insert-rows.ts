import { getTableColumns, type InferInsertModel, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db, Statement } from "./client";

/** Maximum characters of a statement's rows, far below the 2 MB that D1 accepts as one value. */
const MAX_CHARACTERS = 700_000;

/**
 * Many rows in few statements: D1 binds at most 100 values to a statement, so the rows travel as one JSON text. Columns
 * that no row gives take the default of the schema, or NULL.
 *
 * @example insertRows(db, payeeTerms, [{ organizationId, payeeId, term: "acme" }])
 */
export function insertRows<Table extends SQLiteTable>(
  db: Db,
  table: Table,
  rows: readonly InferInsertModel<Table>[],
): Statement[] {
  // Generated columns do not accept a value.
  const columns = Object.entries(getTableColumns(table)).filter(([, column]) => column.generated === undefined);
  const given = new Set(rows.flatMap((row) => Object.keys(row as object)));
  const values = columns.map(([name, column]): SQL => {
    if (given.has(name)) return sql`"row"."value" ->> ${sql.raw(`'${name}'`)}`;
    return column.default === undefined ? sql`NULL` : sql`${column.mapToDriverValue(column.default)}`;
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
