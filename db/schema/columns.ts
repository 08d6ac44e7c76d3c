import { sql } from "drizzle-orm";
import { type AnySQLiteColumn, check, integer, text } from "drizzle-orm/sqlite-core";

/** Primary key: a UUID version 7, so that ids sort by time and cannot be guessed. */
export const id = () => text().primaryKey();

/** An instant in epoch milliseconds. */
export const instant = () => integer({ mode: "number" });

export const flag = () => integer({ mode: "boolean" });

/** CHECK (column IN (...)): an enumeration that the database keeps too. A NULL passes. */
export const isOneOf = (name: string, column: AnySQLiteColumn, values: readonly string[]) =>
  check(name, sql`${column} IN (${sql.raw(values.map((value) => `'${value}'`).join(", "))})`);

/** CHECK (column IN (0, 1)). */
export const isFlag = (name: string, column: AnySQLiteColumn) => check(name, sql`${column} IN (0, 1)`);
