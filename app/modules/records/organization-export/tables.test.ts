import * as schema from "@db/database";
import { getTableColumns, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { DIRECTORY_WALKS, LEFT_OUT, OWN_WALKS } from "./organization-export.server";
import { HIDDEN_COLUMNS } from "./walks";

const WALKS = { ...DIRECTORY_WALKS, ...OWN_WALKS };
const tables = Object.entries(schema).flatMap(([name, table]) => (is(table, SQLiteTable) ? [{ name, table }] : []));

test("every table with an organisation is exported whole, or is left out for a reason", () => {
  const walked = Object.entries(WALKS).flatMap(([name, { children }]) => [name, ...children.map((each) => each.name)]);
  const owned = tables.filter(({ table }) => "organizationId" in table).map(({ name }) => name);
  expect([...walked, ...Object.keys(LEFT_OUT)].sort()).toEqual(owned.sort());
  for (const why of Object.values(LEFT_OUT)) expect(why.length).toBeGreaterThan(5);
});

test("each name in the export is the table's own, so that no table stands for another", () => {
  const tableOf = (name: string) => tables.find((each) => each.name === name)?.table;
  for (const [name, { table, children }] of Object.entries(WALKS)) {
    expect(tableOf(name)).toBe(table);
    for (const each of children) expect(tableOf(each.name)).toBe(each.table);
  }
});

/** Columns whose names sound like secrets but are not. */
const HARMLESS: ReadonlySet<string> = new Set(["credentialId", "hash", "tokenVersion", "verificationTokenExpiresAt"]);

test("no column that sounds like a secret leaves, and everything else of a row does", () => {
  const sounds = /password|secret|sealed|credential|token|hash$|fingerprint/i;
  for (const { table, columns, children } of Object.values(WALKS)) {
    const left = [...Object.keys(columns), ...children.flatMap((each) => Object.keys(each.columns))];
    expect(left.filter((name) => sounds.test(name) && !HARMLESS.has(name))).toEqual([]);
    const kept = Object.keys(getTableColumns(table)).filter((name) => !HIDDEN_COLUMNS.has(name));
    expect([...Object.keys(columns), "organizationId"].sort()).toEqual(kept.sort());
  }
});
