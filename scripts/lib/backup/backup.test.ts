import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as schema from "@db/database";
import { asDb } from "@db/database";
import { type Client, createClient, type InValue } from "@libsql/client";
import { drizzle } from "drizzle-orm/libsql";
import { Miniflare } from "miniflare";
import { afterAll, expect, test } from "vitest";
import { createSecrets, parseKeys } from "~/adapters/secrets/web-crypto";
import { verifyTrail } from "~/modules/core/audit/seals.server";
import { sealAuditTrail } from "~/modules/core/seals.server";
import { holdStatements } from "../../../db/seed/hold-after-restore.mjs";
import { TEST_ENV } from "../../../tests/support/test-env";
import { applyMigrations, asMigrated } from "../migrate.mjs";
import { statementsIn } from "./databases.mjs";
import { type Ask, backupLines, type Line, restoreStatements } from "./rows.mjs";
import { readBackupKey, readSealed, writeSealed } from "./sealed-file.mjs";

/** A backup of everything, and what it is loaded into: libSQL, and D1 in workerd. */

const folder = mkdtempSync(path.join(tmpdir(), "payeeproof-backup-test-"));
const key = readBackupKey(Buffer.alloc(32, 7).toString("base64url"));
const secrets = createSecrets({
  fingerprint: parseKeys("", TEST_ENV.FINGERPRINT_KEYS),
  encryption: parseKeys("", TEST_ENV.ENCRYPTION_KEYS),
});
const ORGANIZATION = "01930000-0000-7000-8000-000000000001";
const USER = "01930000-0000-7000-8000-000000000002";

/** D1 is queried through a Worker of its own, because Miniflare's binding proxy fails on a busy machine. */
const miniflare = new Miniflare({
  modules: true,
  d1Databases: { DB: "drill" },
  script: `export default {
    async fetch(request, { DB }) {
      const { some, sql, args } = await request.json();
      if (!some) return Response.json(await DB.prepare(sql).bind(...args).raw());
      await DB.batch(some.map((statement) => DB.prepare(statement)));
      return Response.json([]);
    },
  }`,
});

async function callD1(body: { some: string[] } | { sql: string; args: unknown[] }): Promise<unknown[][]> {
  const response = await miniflare.dispatchFetch("http://d1.test", { method: "POST", body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as unknown[][];
}
afterAll(async () => {
  await miniflare.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const open = (name: string) => createClient({ url: `file:${path.join(folder, name)}`, intMode: "bigint" });
const openDb = (name: string) => asDb(drizzle(createClient({ url: `file:${path.join(folder, name)}` }), { schema }));
const askLibsql =
  (client: Client): Ask =>
  async (sql, args = []) =>
    (await client.execute({ sql, args: args as InValue[] })).rows.map((row) => Array.from(row));

/** Rows as lists, and integers as the other engine gives them. */
const askD1: Ask = async (sql, args = []) => {
  const rows = await callD1({ sql, args: args.map((each) => (typeof each === "bigint" ? Number(each) : each)) });
  return rows.map((row) => row.map((each) => (Number.isInteger(each) ? BigInt(each as number) : each)));
};

const TEXT = "It's a long one;\n\u{1F600} -- 'quoted' ";

/** A database with contents that are hard to back up: a chain, an envelope, long and unusual texts, trigger counts. */
async function filled(): Promise<Client> {
  const client = open("before.db");
  await applyMigrations(asMigrated(client));
  const now = Date.UTC(2026, 10, 20);
  await client.batch(
    [
      {
        sql: "INSERT INTO organizations (id, name, createdAt, updatedAt) VALUES (?, ?, ?, ?)",
        args: [ORGANIZATION, TEXT, now, now],
      },
      {
        sql: "INSERT INTO users (id, email, username, password, firstName, lastName, createdAt, updatedAt) VALUES (?, 'a@b.example', 'a', 'x', 'A', 'B', ?, ?)",
        args: [USER, now, now],
      },
      {
        sql: "INSERT INTO sessions (id, userId, createdAt, lastSeenAt, expiresAt) VALUES ('s', ?, 1, 1, 2)",
        args: [USER],
      },
      {
        sql: "INSERT INTO payees (id, organizationId, name, accountName, bsb, accountNumber, hash, accountFingerprint, createdAt, updatedAt) VALUES ('p', ?, 'P', 'P', '062000', '1', 'h', 'f', 1, 1)",
        args: [ORGANIZATION],
      },
      ...Array.from({ length: 300 }, (_, at) => ({
        sql: "INSERT INTO audit_logs (id, organizationId, action, details, createdAt) VALUES (?, ?, 'organization.created', ?, ?)",
        args: [`entry-${at}`, ORGANIZATION, JSON.stringify({ name: TEXT.repeat(at === 5 ? 3_000 : 1) }), now + at],
      })),
    ],
    "write",
  );
  const sealed = await secrets.seal("a secret", "job");
  await client.execute({
    sql: "INSERT INTO outbox (id, queue, kind, sealedPayload, dueAt, createdAt) VALUES ('job', 'jobs', 'email', ?, 1, 1)",
    args: [sealed],
  });
  const db = openDb("before.db");
  const services = {
    db,
    secrets,
    clock: { now: () => now },
    ids: { next: () => crypto.randomUUID(), secret: () => "" },
  };
  await client.execute(`UPDATE database_state SET beatAt = ${now}`);
  while ((await sealAuditTrail(services as never)) > 0);
  return client;
}

/** Groups of statements, as a restore writes them. */
async function runAll(statements: AsyncIterable<string>, write: (some: string[]) => Promise<unknown>): Promise<void> {
  const all: string[] = [];
  for await (const statement of statements) all.push(statement);
  for (let from = 0; from < all.length; from += 100) await write(all.slice(from, from + 100));
}

async function linesOf(ask: Ask): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of backupLines(ask, { takenAt: 1, source: "test" })) lines.push(line);
  return lines;
}

const before = filled();

test("what is loaded into libSQL and into D1 is what was there, and the chain and the envelopes hold", async () => {
  const lines = await linesOf(askLibsql(await before));
  expect(lines.length).toBeGreaterThan(600);
  const file = path.join(folder, "whole.backup");
  await writeSealed(file, lines, key);
  expect(readFileSync(file).includes("a@b.example")).toBe(false);

  const client = open("after.db");
  await runAll(restoreStatements(readSealed(file, key)), (some) => client.batch(some, "write"));
  expect(await linesOf(askLibsql(client))).toEqual(lines);
  const db = openDb("after.db");
  expect(await verifyTrail({ db }, ORGANIZATION)).toMatchObject({ ok: true, checked: 300, unsealed: 0 });
  const [job] = await db.select().from(schema.outbox);
  expect(await secrets.open(job?.sealedPayload ?? "", "job")).toBe("a secret");
  const [count] = await db.select().from(schema.counters);
  expect(count).toMatchObject({ name: "payees", value: 1 });

  await runAll(restoreStatements(readSealed(file, key)), (some) => {
    // The largest statement that deployed D1 accepts; the local one accepts larger ones.
    for (const statement of some) expect(Buffer.byteLength(statement)).toBeLessThan(100_000);
    return callD1({ some });
  });
  const inD1 = await linesOf(askD1);
  expect(inD1).toEqual(lines);

  // And back from D1 into libSQL.
  const back = open("back.db");
  const fromD1 = async function* () {
    yield* inD1;
  };
  await runAll(restoreStatements(fromD1()), (some) => back.batch(some, "write"));
  expect(await linesOf(askLibsql(back))).toEqual(lines);
});

test("the app that finds a loaded backup is on hold, and nobody is signed in", async () => {
  const lines = await linesOf(askLibsql(await before));
  const client = open("held.db");
  const tail = holdStatements({ id: "r1", now: 5, takenAt: 3 });
  const from = async function* () {
    yield* lines;
  };
  await runAll(restoreStatements(from(), { tail }), (some) => client.batch(some, "write"));
  const db = openDb("held.db");
  expect(await db.select().from(schema.sessions)).toEqual([]);
  expect(await db.select().from(schema.databaseState)).toMatchObject([{ restoreId: "r1" }]);
  expect(await db.select().from(schema.restores)).toMatchObject([
    { id: "r1", source: "file", noticedAt: 5, lostFrom: 3, lostUntil: null, position: 300, releasedAt: null },
  ]);
});

const readAll = async (file: string, with_ = key) => {
  const lines = [];
  for await (const line of readSealed(file, with_)) lines.push(line);
  return lines;
};

test("a file that was changed, cut off, lengthened or made with another key is refused", async () => {
  const file = path.join(folder, "small.backup");
  const lines = Array.from({ length: 60 }, (_, at) => [at, Buffer.alloc(40_000, at).toString("base64url")]);
  await writeSealed(
    file,
    (async function* () {
      yield* lines;
    })(),
    key,
  );
  expect(await readAll(file)).toEqual(lines);
  const bytes = readFileSync(file);
  const changed = path.join(folder, "changed.backup");
  const write = (content: Buffer) => writeFileSync(changed, content);
  const middle = Buffer.from(bytes);
  middle[Math.floor(middle.length / 2)] = (middle[Math.floor(middle.length / 2)] ?? 0) ^ 1;
  write(middle);
  await expect(readAll(changed)).rejects.toThrow("changed");
  write(bytes.subarray(0, -10));
  await expect(readAll(changed)).rejects.toThrow("cut off");
  write(Buffer.concat([bytes, Buffer.from("more")]));
  await expect(readAll(changed)).rejects.toThrow("continues after its end");
  await expect(readAll(file, Buffer.alloc(32, 8))).rejects.toThrow("made with a different BACKUP_KEY");
  write(Buffer.from("no backup at all, but as long as a head is, to be sure"));
  await expect(readAll(changed)).rejects.toThrow("not a PayeeProof backup");
});

test("a backup without its end, or with fewer rows than it says, is refused", async () => {
  const lines = await linesOf(askLibsql(await before));
  const run = async (some: readonly Line[]) => {
    for await (const _ of restoreStatements(
      (async function* () {
        yield* some;
      })(),
    ));
  };
  await expect(run(lines.slice(0, -1))).rejects.toThrow("no end");
  const row = lines.findIndex((line) => Array.isArray(line));
  await expect(run(lines.filter((_, at) => at !== row))).rejects.toThrow("rows of");
});

test("the key of a backup is 32 bytes", () => {
  for (const text of [undefined, "", "short", `${"A".repeat(43)}!`])
    expect(() => readBackupKey(text)).toThrow("32 bytes");
});

test("a dump is read statement by statement, whatever its texts hold", async () => {
  const dump =
    "PRAGMA x;\nINSERT INTO a VALUES('it''s; one\n;');\nCREATE TRIGGER t BEFORE DELETE ON a\nBEGIN\nSELECT 1;\nSELECT 2;\nEND;\n";
  const found: string[] = [];
  for (let size = 1; size < 40; size += 13) {
    found.length = 0;
    const chunks = (async function* () {
      for (let at = 0; at < dump.length; at += size) yield dump.slice(at, at + size);
    })();
    for await (const statement of statementsIn(chunks)) found.push(statement);
    expect(found).toEqual([
      "PRAGMA x",
      "INSERT INTO a VALUES('it''s; one\n;')",
      "CREATE TRIGGER t BEFORE DELETE ON a\nBEGIN\nSELECT 1;\nSELECT 2;\nEND",
    ]);
  }
});
