import { type SQL, sql } from "drizzle-orm";

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
