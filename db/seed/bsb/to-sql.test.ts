import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Client, createClient } from "@libsql/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PLATFORM_ORGANIZATION_ID } from "~/services-and-actor";
import type { DirectoryRow } from "./parse-directory.mjs";
import { toSql } from "./to-sql.mjs";

const MIGRATIONS = path.resolve(import.meta.dirname, "../../migrations");

const UPLOAD = { id: "01920000-0000-7000-8000-000000000001", fileName: "november's.csv" };

function aRow(row: Partial<DirectoryRow> = {}): DirectoryRow {
  return {
    bsb: "062000",
    mnemonic: "CBA",
    name: "Example Street",
    street: null,
    suburb: "Sydney",
    state: "NSW",
    postcode: "2000",
    paper: true,
    electronic: true,
    highValue: false,
    status: "open",
    successorBsb: null,
    ...row,
  };
}

let db: Client;

beforeEach(async () => {
  db = createClient({ url: ":memory:" });
  for (const file of readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith(".sql"))
    .sort()) {
    for (const statement of readFileSync(path.join(MIGRATIONS, file), "utf8").split("--> statement-breakpoint")) {
      await db.execute(statement);
    }
  }
});
afterEach(() => db.close());

async function stored() {
  const { rows } = await db.execute("SELECT * FROM bsb_directory ORDER BY bsb");
  return rows.map((row) => ({ ...row }));
}

test("rows are stored as the table wants them", async () => {
  await db.executeMultiple(toSql([aRow()], 1_000, UPLOAD));
  expect(await stored()).toEqual([{ ...aRow(), paper: 1, electronic: 1, highValue: 0, loadedAt: 1_000 }]);
});

test("quotes and semicolons in a name stay within it", async () => {
  const name = "O'Brien''s; DROP TABLE bsb_directory; --";
  await db.executeMultiple(toSql([aRow({ name })], 1_000, UPLOAD));
  expect((await stored())[0]?.name).toBe(name);
});

test("a later directory overwrites what changed and drops what is gone", async () => {
  await db.executeMultiple(toSql([aRow({ bsb: "062000" }), aRow({ bsb: "062001" })], 1_000, UPLOAD));
  await db.executeMultiple(
    toSql([aRow({ bsb: "062001", status: "merged", successorBsb: "062002" }), aRow({ bsb: "062002" })], 2_000, UPLOAD),
  );
  expect((await stored()).map(({ bsb, status, successorBsb }) => [bsb, status, successorBsb])).toEqual([
    ["062001", "merged", "062002"],
    ["062002", "open", null],
  ]);
});

test("loading the same file twice changes nothing", async () => {
  const sql = toSql([aRow()], 1_000, UPLOAD);
  await db.executeMultiple(sql);
  const before = await stored();
  await db.executeMultiple(sql);
  expect(await stored()).toEqual(before);
});

test("the file is named as the one in use, with one entry in the audit trail however often it is loaded", async () => {
  const sql = toSql([aRow()], 1_000, UPLOAD);
  await db.executeMultiple(sql);
  await db.executeMultiple(sql);
  const { rows: uploads } = await db.execute("SELECT id, fileName, rowCount, loadedAt, endedBsbs FROM bsb_uploads");
  expect(uploads).toMatchObject([{ ...UPLOAD, rowCount: 1, loadedAt: 1_000, endedBsbs: "[]" }]);
  const { rows: entries } = await db.execute(
    "SELECT organizationId, userId, action, entityType, entityId, details, createdAt FROM audit_logs",
  );
  expect(entries).toMatchObject([
    {
      organizationId: PLATFORM_ORGANIZATION_ID,
      userId: null,
      action: "bsb_directory.loaded",
      entityType: "bsb_directory",
      entityId: UPLOAD.id,
      details: JSON.stringify({ fileName: UPLOAD.fileName, rowCount: 1 }),
      createdAt: 1_000,
    },
  ]);
});

test("thousands of rows are split into statements below the limit of D1", async () => {
  const rows = Array.from({ length: 2_345 }, (_, i) =>
    aRow({ bsb: String(i).padStart(6, "0"), name: "x".repeat(200) }),
  );
  const sql = toSql(rows, 1_000, UPLOAD);
  for (const statement of sql.split(";\n")) expect(statement.length).toBeLessThan(100_000);
  await db.executeMultiple(sql);
  expect(await stored()).toHaveLength(rows.length);
});
