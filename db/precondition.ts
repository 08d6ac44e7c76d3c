import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "./client";
import { preconditions } from "./schema";

/**
 * The first statement of a batch that may only happen if a query finds a row.
 *
 * An UPDATE that matches nothing lets the rest of its batch commit; this statement makes the database refuse the whole
 * batch instead (`isPreconditionError`). `found` is a Drizzle select or `sql` select.
 *
 * @example precondition(db, db.select({ one: sql`1` }).from(payees).where(eq(payees.version, 3)))
 */
export function precondition(db: Db, found: { getSQL(): SQL }): Statement {
  return db.insert(preconditions).values({ holds: sql`(SELECT EXISTS ${wrapped(found)})` });
}

function wrapped(found: { getSQL(): SQL }): SQL {
  return sql`(${found.getSQL()})`;
}
