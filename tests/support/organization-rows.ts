import * as schema from "@db/database";
import { getTableName, is, sql } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { peek } from "./payees";

const OWNED = Object.values(schema).filter((table) => is(table, SQLiteTable) && "organizationId" in table);

/** How many rows of an organisation each table has; tables without any are left out. */
export async function rowsOf(organizationId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of OWNED) {
    const [row] = await peek.all<{ n: number }>(
      sql`SELECT count(*) AS "n" FROM ${table} WHERE "organizationId" = ${organizationId}`,
    );
    if (row && row.n > 0) counts[getTableName(table as SQLiteTable)] = row.n;
  }
  return counts;
}
