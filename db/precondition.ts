import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "./client";
import { textOf } from "./errors";
import { preconditions } from "./schema";

/**
 * Something that must be true at the moment of writing: `found` is a select that returns a row exactly while it is
 * true. The name says what was refused, e.g. "already_decided".
 */
export type Condition<Name extends string = string> = { name: Name; found: { getSQL(): SQL } };

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
  const columns = Array.from({ length: MAX_CONDITIONS }, (_, index) => sql.identifier(`c${index}`));
  const answers = columns.map((column, index) => {
    const found = conditions[index]?.found.getSQL();
    return sql`${found ? sql`EXISTS (${found})` : sql`1`} AS ${column}`;
  });
  const refuses = columns.slice(0, conditions.length).map((column) => sql`${column} = 0`);
  return db
    .insert(preconditions)
    .select(sql`SELECT * FROM (SELECT ${sql.join(answers, sql`, `)}) AS "given" WHERE ${sql.join(refuses, sql` OR `)}`);
}

/** The name of the first condition that failed, if that is why the write failed. */
export function findRefusedCondition<Name extends string>(
  error: unknown,
  conditions: readonly Condition<Name>[],
): Name | undefined {
  const index = /CHECK constraint failed: precondition_(\d+)/i.exec(textOf(error))?.[1];
  return index === undefined ? undefined : conditions[Number(index)]?.name;
}
