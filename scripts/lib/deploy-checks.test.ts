import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as schema from "@db/database";
import { ENVELOPES, FINGERPRINTS, forgetDigestSql, keysInUseSql } from "@db/seed/keys-in-use.mjs";
import type { createClient } from "@libsql/client";
import { readEnv, roleOfQueue, variables } from "@workers/env";
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { beforeAll, expect, test } from "vitest";
import { openTestLibsql } from "../../tests/support/libsql";
import { TEST_ENV } from "../../tests/support/test-env";
import { findProblems, loadEnv, parseSecrets } from "./deploy-checks.mjs";
import { config as readConfig } from "./runtime.mjs";

type Section = {
  name?: string;
  vars: Record<string, string>;
  routes: { pattern: string; custom_domain?: boolean }[];
  kv_namespaces: { binding: string; id: string }[];
  d1_databases: { database_name: string; database_id: string; migrations_dir: string }[];
  queues: { producers: { queue: string }[]; consumers: { queue: string; dead_letter_queue?: string }[] };
  send_email: { name: string }[];
};
type Config = Section & { env: Record<"staging" | "production", Section>; [other: string]: unknown };

const config = readConfig as Config;
const { staging, production } = config.env;

/** Names that no two environments may share. */
const ownOf = ({ name, d1_databases, kv_namespaces, queues, routes }: Section) => [
  ...(name ? [name] : []),
  ...d1_databases.flatMap(({ database_name, database_id }) => [database_name, database_id]),
  ...kv_namespaces.map(({ id }) => id),
  ...new Set(
    [...queues.producers, ...queues.consumers].flatMap((each) => [
      each.queue,
      ...("dead_letter_queue" in each ? [each.dead_letter_queue] : []),
    ]),
  ),
  ...(routes ?? []).map(({ pattern }) => pattern),
];

test("staging, production and a developer's machine share no database, no notes, no queue and no address", () => {
  const all = [staging, production, config].map((section) => [...new Set(ownOf(section))]);
  for (const own of all.slice(0, 2)) expect(own.length).toBe(7);
  const flat = all.flat();
  expect(new Set(flat).size).toBe(flat.length);
});

test("both environments are served at their custom domain alone, and have what the app needs", () => {
  expect(config).toMatchObject({
    workers_dev: false,
    preview_urls: false,
    upload_source_maps: true,
    limits: { cpu_ms: 30_000 },
    placement: { region: "aws:ap-southeast-2" },
  });
  for (const section of [staging, production]) {
    const [route] = section.routes;
    expect(route?.custom_domain).toBe(true);
    expect(section.vars).toMatchObject({ APP_ENV: "production", APP_ORIGIN: `https://${route?.pattern}` });
    expect(section.d1_databases).toMatchObject([{ binding: "DB", migrations_dir: "db/migrations" }]);
    expect(section.kv_namespaces).toMatchObject([{ binding: "NOTES" }]);
    expect(section.queues.producers.map((each) => "binding" in each && each.binding)).toEqual([
      "BANK_CHECKS",
      "JOBS",
      "DEAD_LETTERS",
    ]);
    expect(section.queues.consumers.map(({ queue }) => roleOfQueue(queue))).toEqual([
      "bank-checks",
      "jobs",
      "dead-letters",
    ]);
    expect(section.send_email).toEqual([{ name: "EMAIL" }]);
    // The queue that takes over when another gives up.
    const dead = section.queues.consumers.flatMap(({ dead_letter_queue }) => dead_letter_queue ?? []);
    const consumed = section.queues.consumers.map(({ queue }) => queue);
    expect(dead).toHaveLength(2);
    expect(consumed).toEqual(expect.arrayContaining([...dead, ...section.queues.producers.map(({ queue }) => queue)]));
  }
});

/** An environment as an operator has filled it in. */
function filledIn(): { config: Config; secrets: Record<string, string> } {
  const filled = structuredClone(config);
  for (const name of ["staging", "production"] as const) {
    const section = filled.env[name];
    for (const database of section.d1_databases) database.database_id = `7f1c0c2e-0000-4000-8000-${name.length}`;
    for (const namespace of section.kv_namespaces) namespace.id = `7f1c0c2e00004000800${name.length}`;
    for (const route of section.routes) route.pattern = `${name}.proof.com.au`;
    section.vars.APP_ORIGIN = `https://${name}.proof.com.au`;
  }
  const simulated = /^(APP_|MAIL_(TRANSPORT|BASE|FROM)|BASIQ_(BASE|CONSENT)|WEBHOOK_RELAY)|_URL$|_BASE$/;
  const secrets = Object.fromEntries(Object.entries(TEST_ENV).filter(([name]) => !simulated.test(name)));
  return { config: filled, secrets };
}

const problemsOf = (given: Partial<Parameters<typeof findProblems>[1]> = {}) =>
  findProblems({ readEnv, variables }, { ...filledIn(), environment: "staging", ...given });

test("an environment that is filled in has no problems", () => {
  expect(problemsOf()).toEqual([]);
  expect(problemsOf({ environment: "production" })).toEqual([]);
});

test("everything that is wrong comes in one list", () => {
  const { secrets } = filledIn();
  const { STRIPE_SECRET_KEY: _, ...rest } = secrets;
  const changed = { ...rest, ENCRYPTION_KEYS: "e1:short", SMS_AUTH_TOKEN: "new,", MAIL_FROM: "twice <a@b.example>" };
  const { applied } = { applied: ["0042_foundation.sql"] };
  const keysInUse = [
    { variable: "ENCRYPTION_KEYS", key: "e0", where: "outbox.sealedPayload", rows: 12, digest: null },
    { variable: "FINGERPRINT_KEYS", key: "f1", where: "payees.hash", rows: 3, digest: null },
  ];
  expect(problemsOf({ config, secrets: changed, applied, keysInUse })).toEqual([
    "wrangler.toml: the database payeeproof-staging has no id yet (wrangler d1 create)",
    "wrangler.toml: the namespace NOTES has no id yet (wrangler kv namespace create)",
    "wrangler.toml: staging.payeeproof.example is not a domain of yours",
    "MAIL_FROM: is among both the variables and the secrets",
    "ENCRYPTION_KEYS: each key is name:base64url of 32 bytes",
    expect.stringMatching(/^STRIPE_SECRET_KEY: /),
    "SMS_AUTH_TOKEN: has an empty member: a comma too many?",
    ...["0043_review_order", "0044_money_that_waits", "0045_waiting_policies"].map(
      (name) => `migration ${name}.sql is not applied`,
    ),
    ...migrationsAfter("0045").map((name) => `migration ${name} is not applied`),
    "ENCRYPTION_KEYS: the key e0 is in use in 12 rows, and is not listed",
  ]);
});

const journal = JSON.parse(readFileSync("db/migrations/meta/_journal.json", "utf8")) as { entries: { tag: string }[] };
const migrationsAfter = (number: string) =>
  journal.entries.map(({ tag }) => `${tag}.sql`).filter((name) => name.slice(0, 4) > number);

test("secrets are read from lines and from JSON alike", () => {
  expect(parseSecrets("# a comment\nA=1\nexport B_C = \"two words\"\nD='x=y'\n\n")).toEqual({
    A: "1",
    B_C: "two words",
    D: "x=y",
  });
  expect(parseSecrets(' {"A": "1"}')).toEqual({ A: "1" });
});

test(".dev.vars.example is whole, and is of a developer's machine alone", async () => {
  const variables = parseSecrets(readFileSync(".dev.vars.example", "utf8"));
  const { readEnv: read } = await loadEnv();
  expect(() =>
    read({ ...variables, DB: {}, NOTES: {}, BANK_CHECKS: {}, JOBS: {}, DEAD_LETTERS: {}, READER: {} }),
  ).not.toThrow();
  expect(variables).toMatchObject({ APP_ENV: "local", APP_ORIGIN: "http://127.0.0.1:8787" });
  expect(readFileSync(".gitignore", "utf8")).toMatch(/^\.dev\.vars$/m);
});

test("npm run deploy refuses before it builds or uploads, with all problems in one message", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "payeeproof-deploy-"));
  const file = path.join(folder, "secrets");
  writeFileSync(file, "COOKIE_SECRETS=short\nSMS_FORM=PayeeProof\n");
  const before = existsSync("build/.built-from") ? statSync("build/.built-from").mtimeMs : undefined;
  const run = (...args: string[]) => spawnSync(process.execPath, ["scripts/deploy.mjs", ...args], { encoding: "utf8" });
  const { status, stderr, stdout } = run("--env", "staging", "--dry-run", "--secrets", file);
  expect(status).toBe(1);
  expect(stdout).toContain("does not know: SMS_FORM");
  expect(stderr).toContain("staging is not deployed:");
  for (const name of ["COOKIE_SECRETS", "FINGERPRINT_KEYS", "ENCRYPTION_KEYS", "BASIQ_API_KEY", "MAIL_API_KEY"])
    expect(stderr).toMatch(new RegExp(`^  ${name}: `, "m"));
  const after = existsSync("build/.built-from") ? statSync("build/.built-from").mtimeMs : undefined;
  expect(after).toBe(before);
  expect(run("--env", "live").stderr).toContain("Usage");
  rmSync(folder, { recursive: true });
});

test("every column that holds an envelope is counted", () => {
  const tables = (Object.values(schema) as unknown[]).flatMap((one) => (is(one, SQLiteTable) ? [one] : []));
  const columns = tables.flatMap((table) => {
    const { name, columns } = getTableConfig(table);
    return columns.map((column) => [name, column.name]);
  });
  const sealed = columns.filter(([, name = ""]) => /^(sealed(?!At)|.*Sealed|credentials$)/.test(name));
  expect([...ENVELOPES].sort()).toEqual(sealed.sort());
  const fingerprints = columns.filter(([, name = ""]) => /[fF]ingerprint$/.test(name));
  expect(FINGERPRINTS.filter(([, name]) => name !== "hash").sort()).toEqual(fingerprints.sort());
});

type KeyInUse = NonNullable<Parameters<typeof findProblems>[1]["keysInUse"]>[number];
let rows: KeyInUse[];
let afterLoss: KeyInUse[];
beforeAll(async () => {
  const db = await openTestLibsql();
  const id = "01920000-0000-7000-8000-000000000001";
  const client = (db as unknown as { $client: ReturnType<typeof createClient> }).$client;
  for (const [at, key] of ["e1", "e1", "e2"].entries())
    await client.execute({
      sql: `INSERT INTO outbox (id, queue, kind, sealedPayload, dueAt, createdAt) VALUES (?, 'jobs', 'email', ?, 0, 0)`,
      args: [`${id.slice(0, -1)}${at + 2}`, `${key}.iv.cipher`],
    });
  await client.execute(
    "INSERT INTO keys_in_use VALUES ('ENCRYPTION_KEYS', 'e0', 1, NULL), ('ENCRYPTION_KEYS', 'e1', 1, 'of e1')",
  );
  const read = async () => (await client.execute(keysInUseSql)).rows.map((row) => ({ ...row }) as unknown as KeyInUse);
  rows = await read();
  await client.execute(forgetDigestSql("e1"));
  afterLoss = await read();
});

test("keys are counted by the rows that they sealed, and one that the app still takes to be in use is among them", () => {
  expect(rows).toEqual([
    { variable: "ENCRYPTION_KEYS", where: "outbox.sealedPayload", key: "e1", rows: 2, digest: null },
    { variable: "ENCRYPTION_KEYS", where: "outbox.sealedPayload", key: "e2", rows: 1, digest: null },
    { variable: "ENCRYPTION_KEYS", where: "keys_in_use", key: "e0", rows: 1, digest: null },
    { variable: "ENCRYPTION_KEYS", where: "keys_in_use", key: "e1", rows: 1, digest: "of e1" },
  ]);
});

test("a key with the name of another is refused, until that is said to be lost", () => {
  const { secrets } = filledIn();
  const others = "e2:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8,e0:AQECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
  const listed = { ...secrets, ENCRYPTION_KEYS: `${secrets.ENCRYPTION_KEYS},${others}` };
  expect(problemsOf({ secrets: listed, keysInUse: rows })).toEqual([
    "ENCRYPTION_KEYS: the key e1 is not the one that sealed 2 envelopes",
  ]);
  expect(problemsOf({ secrets: listed, keysInUse: afterLoss })).toEqual([]);
  const [e1] = variables.shape.ENCRYPTION_KEYS.parse(secrets.ENCRYPTION_KEYS);
  const noted = (digest = "") => [{ variable: "ENCRYPTION_KEYS", key: "e1", where: "keys_in_use", rows: 1, digest }];
  expect(problemsOf({ secrets: listed, keysInUse: noted(e1?.digest) })).toEqual([]);
});
