import { getTableName, is, sql } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { openTestLibsql } from "../tests/support/libsql";
import * as schema from "./database";

const tables = Object.values(schema).flatMap((value): SQLiteTable[] => (is(value, SQLiteTable) ? [value] : []));
const db = await openTestLibsql();

const names = (rows: { name: string }[]) => rows.map((row) => row.name).sort();

test("every table of the schema is in the database, STRICT, and no other is", async () => {
  const rows = await db.all<{ name: string; strict: number }>(
    sql`SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '__drizzle%'`,
  );
  expect(names(rows)).toEqual(tables.map(getTableName).sort());
  expect(rows.filter((row) => row.strict !== 1)).toEqual([]);
});

test("tables that are found by their key alone are kept in its order: a row is written once, not once more for its key", async () => {
  const rows = await db.all<{ name: string }>(
    sql`SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND wr = 1`,
  );
  expect(names(rows)).toEqual(
    expect.arrayContaining(["alerts", "counters", "leases", "outbox", "payee_terms", "rate_counters"]),
  );
});

test.each(tables.map((table) => [getTableName(table), table] as const))(
  "%s has the columns, indexes and foreign keys of the schema",
  async (name, table) => {
    const config = getTableConfig(table);
    const columns = await db.all<{ name: string; type: string; notnull: number; pk: number }>(
      sql`SELECT name, type, "notnull", pk FROM pragma_table_xinfo(${name})`,
    );
    expect(columns.map((column) => [column.name, column.type.toLowerCase()])).toEqual(
      config.columns.map((column) => [column.name, column.getSQLType()]),
    );
    const required = columns.filter((column) => column.notnull === 1 || column.pk > 0).map((column) => column.name);
    const inKey = new Set(config.primaryKeys.flatMap((key) => key.columns.map((column) => column.name)));
    const wanted = config.columns.filter((column) => column.notNull || column.primary || inKey.has(column.name));
    expect(required.sort()).toEqual(wanted.map((column) => column.name).sort());

    const indexes = await db.all<{ name: string }>(sql`SELECT name FROM pragma_index_list(${name}) WHERE origin = 'c'`);
    expect(names(indexes)).toEqual(config.indexes.map((index) => index.config.name).sort());

    const keys = await db.all<{ id: number }>(sql`SELECT DISTINCT id FROM pragma_foreign_key_list(${name})`);
    expect(keys).toHaveLength(config.foreignKeys.length);
    const [created] = await db.all<{ sql: string }>(sql`SELECT sql FROM sqlite_master WHERE name = ${name}`);
    for (const { name: check } of config.checks) expect(created?.sql).toContain(`CONSTRAINT "${check}" CHECK`);
  },
);

test("the triggers are there", async () => {
  const rows = await db.all<{ name: string }>(sql`SELECT name FROM sqlite_master WHERE type = 'trigger'`);
  expect(names(rows)).toEqual([
    "audit_logs_at_the_end",
    "audit_logs_no_delete",
    "audit_logs_no_replace",
    "audit_logs_no_update",
    "audit_seals_no_delete",
    "audit_seals_no_replace",
    "audit_seals_no_update",
    "certificates_no_delete",
    "certificates_no_replace",
    "certificates_no_update",
    "count_archived_update",
    "count_held_cents_insert",
    "count_held_cents_update",
    "count_held_insert",
    "count_held_update",
    "count_match_insert",
    "count_match_update",
    "count_payees",
    "count_payments_insert",
    "count_payments_update",
    "count_pending_insert",
    "count_pending_update",
    "count_waiting_insert",
    "count_waiting_update",
    "count_whitelisted_insert",
    "count_whitelisted_update",
    "kept_seals_no_delete",
    "kept_seals_no_replace",
    "kept_seals_no_update",
    "organizations_kept",
    "organizations_sample_fixed",
    "outbox_not_for_samples",
    "outbox_of_people_at_home",
    "preconditions_stay_empty",
    "promotion_due_payee",
    "promotion_due_payment",
    "promotion_due_verification",
    "settle_payment_file",
    "signed_approvals_no_delete",
    "signed_approvals_no_replace",
    "signed_approvals_no_update",
    "verification_payee_changed",
    "verification_payee_opened",
    "verification_waiting_changed",
    "verification_waiting_opened",
  ]);
});
