import { getTableName, sql } from "drizzle-orm";
import { type AnySQLiteColumn, type CheckBuilder, check, integer, text } from "drizzle-orm/sqlite-core";

/** Primary key: a UUID version 7, so that ids sort by time and cannot be guessed. */
export const id = () => text().primaryKey();

/** An instant in epoch milliseconds. */
export const instant = () => integer({ mode: "number" });

export const flag = () => integer({ mode: "boolean" });

/**
 * CHECK (column IN (...)) constraints for every enumeration and flag of a table, so that the database enforces them.
 * NULL passes. A constraint is named `<table>_<column>`.
 * @param names other constraint names, for instance because an index has that name; null: no constraint
 */
export function known<Columns extends Record<string, AnySQLiteColumn>>(
  columns: Columns,
  names: Partial<Record<keyof Columns, string | null>> = {},
): CheckBuilder[] {
  return Object.entries(columns).flatMap(([key, column]) => {
    const values = column.columnType === "SQLiteBoolean" ? [0, 1] : column.enumValues?.map((value) => `'${value}'`);
    const ownName = `${getTableName(column.table)}_${key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
    const name = names[key] === undefined ? ownName : names[key];
    return values?.length && name ? [check(name, sql`${column} IN (${sql.raw(values.join(", "))})`)] : [];
  });
}
