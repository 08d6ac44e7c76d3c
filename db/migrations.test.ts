import { readFileSync } from "node:fs";
import { getTableName, is, sql } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { openTestLibsql, openUnmigrated } from "../tests/support/libsql";
import journal from "./migrations/meta/_journal.json";
import * as schema from "./schema";

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
    "count_held_insert",
    "count_held_update",
    "count_payees",
    "count_pending_insert",
    "count_pending_update",
    "count_whitelisted_insert",
    "count_whitelisted_update",
    "preconditions_stay_empty",
    "promotion_due_payee",
    "promotion_due_payment",
    "promotion_due_verification",
    "settle_payment_file",
    "verification_contact_changed",
    "verification_contact_opened",
  ]);
});

const statementsOf = (tag: string) =>
  readFileSync(`db/migrations/${tag}.sql`, "utf8")
    .split("--> statement-breakpoint")
    .map((text) => text.trim());

test("migrations that build tables again carry rows over, each as one batch with foreign keys, as D1 runs it", async () => {
  const client = openUnmigrated();
  await client.execute("PRAGMA foreign_keys = ON");
  const tags = journal.entries.map(({ tag }) => tag);
  const isEarlier = (tag: string) => tag < "0036";
  for (const tag of tags.filter(isEarlier)) await client.batch(statementsOf(tag), "write");
  const filled = [
    `INSERT INTO "organizations" ("id", "name", "createdAt", "updatedAt") VALUES ('o', 'O', 1, 1)`,
    `INSERT INTO "audit_logs" ("id", "organizationId", "action", "createdAt") VALUES ('a', 'o', 'x', 1), ('b', 'o', 'x', 2)`,
    `INSERT INTO "audit_seals" ("organizationId", "seq", "position", "prevHash", "hash", "sealedAt") SELECT 'o', rowid, "position", '', "id", 3 FROM "audit_logs" WHERE "organizationId" = 'o'`,
  ];
  await client.batch(filled, "write");
  const read = async () => {
    const answers = await client.batch(
      [
        `SELECT "position", "id", "createdAt" FROM "audit_logs" ORDER BY "position"`,
        `SELECT "position", "hash" FROM "audit_seals" ORDER BY "position"`,
      ],
      "read",
    );
    return answers.map(({ rows }) => rows.map((row) => ({ ...row })));
  };
  const before = await read();
  for (const tag of tags.filter((each) => !isEarlier(each))) await client.batch(statementsOf(tag), "write");
  expect(await read()).toEqual(before);
  expect((await client.execute("PRAGMA foreign_key_check")).rows).toEqual([]);
  await client.execute(
    `INSERT INTO "audit_logs" ("id", "organizationId", "action", "createdAt") VALUES ('c', 'o', 'x', 3)`,
  );
  expect((await read())[0]?.at(-1)).toEqual({
    position: Number(before[0]?.at(-1)?.position) + 1,
    id: "c",
    createdAt: 3,
  });
  const orphan = `INSERT INTO "audit_logs" ("id", "organizationId", "action", "createdAt") VALUES ('d', 'nobody', 'x', 4)`;
  await expect(client.execute(orphan)).rejects.toThrow(/FOREIGN KEY/);
  await expect(client.execute(`DELETE FROM "audit_logs" WHERE "id" = 'c'`)).rejects.toThrow(/append-only/);
});

test("a verification that waits learns whose account it was, and comes before a match in the queue", async () => {
  const client = openUnmigrated();
  const tags = journal.entries.map(({ tag }) => tag);
  const isEarlier = (tag: string) => tag < "0038";
  for (const tag of tags.filter(isEarlier)) await client.batch(statementsOf(tag), "write");
  const aPayee = (id: string, bsb: string, number: string) =>
    `INSERT INTO "payees" ("id", "organizationId", "name", "accountName", "bsb", "accountNumber", "hash", "accountFingerprint", "createdAt", "updatedAt")
      VALUES ('${id}', 'o', 'Payee ${id}', 'N', '${bsb}', '${number}', '${id}', '${id}', 1, 1)`;
  const aChange = (id: string, payeeId: string, [field, oldValue]: [string, string], at: number) =>
    `INSERT INTO "payee_changes" ("id", "organizationId", "payeeId", "field", "oldValue", "createdAt")
      VALUES ('${id}', 'o', '${payeeId}', '${field}', '${oldValue}', ${at})`;
  const waiting = (id: string, bsb: string, number: string) =>
    `INSERT INTO "verifications" ("id", "organizationId", "payeeId", "status", "method", "accountName", "bsb", "accountNumber", "evidence", "nameMatchScore", "createdAt")
      VALUES ('v-${id}', 'o', '${id}', 'pending', 'manual', 'N', '${bsb}', '${number}', '{"lookalikes":[]}', 100, 5)`;
  await client.batch(
    [
      `INSERT INTO "organizations" ("id", "name", "createdAt", "updatedAt") VALUES ('o', 'O', 1, 1)`,
      // Was at 062000 12345678, then at 083170 12345678, and is at 083170 99999999.
      aPayee("was", "083170", "99999999"),
      aChange("c1", "was", ["bsb", "062000"], 2_000),
      aChange("c2", "was", ["accountNumber", "12345678"], 3_000),
      aPayee("first", "062000", "012345678"),
      waiting("first", "062000", "012345678"),
      aPayee("second", "083170", "12345678"),
      waiting("second", "083170", "12345678"),
      aPayee("other", "062001", "12345678"),
      waiting("other", "062001", "12345678"),
      // Went back to its own.
      aPayee("own", "062000", "55555555"),
      aChange("c3", "own", ["accountNumber", "55555555"], 2_000),
      aChange("c4", "own", ["accountNumber", "66666666"], 3_000),
      waiting("own", "062000", "55555555"),
    ],
    "write",
  );
  for (const tag of tags.filter((each) => !isEarlier(each))) await client.batch(statementsOf(tag), "write");
  const { rows } = await client.execute(
    `SELECT "id", "evidence" ->> '$.formerHolders' AS "holders", "queueRank" FROM "verifications" ORDER BY "id"`,
  );
  const was = (until: string) => JSON.stringify([{ payeeId: "was", name: "Payee was", until, isArchived: false }]);
  expect(rows.map((row) => ({ ...row }))).toEqual([
    { id: "v-first", holders: was("1970-01-01T00:00:02.000Z"), queueRank: 7 },
    { id: "v-other", holders: null, queueRank: 13 },
    { id: "v-own", holders: null, queueRank: 13 },
    { id: "v-second", holders: was("1970-01-01T00:00:03.000Z"), queueRank: 7 },
  ]);
});

test("payees that came in from an accounting system before it was kept are nobody's own work, and their connector's", async () => {
  const client = openUnmigrated();
  const tags = journal.entries.map(({ tag }) => tag);
  const isEarlier = (tag: string) => tag < "0039";
  for (const tag of tags.filter(isEarlier)) await client.batch(statementsOf(tag), "write");
  const payee = (id: string, createdById: string | null, changedAt: number | null) =>
    `INSERT INTO "payees" ("id", "organizationId", "name", "accountName", "bsb", "accountNumber", "hash", "accountFingerprint",
      "createdById", "bankDetailsChangedAt", "createdAt", "updatedAt")
    VALUES ('${id}', 'o', 'N', 'N', '062000', '1234${id}', '${id}', '${id}', ${createdById ? `'${createdById}'` : "NULL"}, ${changedAt}, 5, 5)`;
  const supplier = (id: string) =>
    `INSERT INTO "accounting_contacts" ("organizationId", "system", "contactId", "payeeId", "name", "state", "updatedAt")
    VALUES ('o', 'xero', 'c${id}', '${id}', 'N', 'linked', 5)`;
  await client.batch(
    [
      `INSERT INTO "organizations" ("id", "name", "createdAt", "updatedAt") VALUES ('o', 'O', 1, 1)`,
      `INSERT INTO "users" ("id", "username", "password", "email", "firstName", "lastName", "role", "status", "createdAt", "updatedAt")
        VALUES ('u', 'u', 'x', 'u@o.example', 'U', 'U', 'admin', 'active', 1, 1)`,
      `INSERT INTO "organization_integrations" ("id", "organizationId", "system", "status", "connectedById", "createdAt", "updatedAt")
        VALUES ('i', 'o', 'xero', 'connected', 'u', 1, 1)`,
      payee("1", null, null),
      supplier("1"),
      payee("2", "u", null),
      supplier("2"),
      payee("3", null, 7),
      supplier("3"),
      payee("4", null, null),
    ],
    "write",
  );
  for (const tag of tags.filter((each) => !isEarlier(each))) await client.batch(statementsOf(tag), "write");
  const { rows } = await client.execute(`SELECT "id", "accountingOrigins" FROM "payees" ORDER BY "id"`);
  const origin = {
    ...{ system: "xero", bsb: "062000", accountNumber: "12341", cameAt: 5, editedBy: null, editorIds: [] },
    ...{ isEditorKnown: false, connectedById: "u" },
  };
  expect(rows.map(({ accountingOrigins }) => JSON.parse(String(accountingOrigins)))).toEqual([
    [origin],
    null,
    null,
    null,
  ]);
});
