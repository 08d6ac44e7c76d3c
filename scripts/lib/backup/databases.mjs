// The databases that a backup reads and a restore fills: D1 on this machine or deployed, and libSQL.
import { createReadStream, createWriteStream, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createClient } from "@libsql/client";
import { withUndo } from "../console.mjs";
import { openLibsql, remoteOf, runWrangler } from "../database.mjs";
import { readPlace } from "../local-env.mjs";

const CALLS_AT_ONCE_BYTES = 1_000_000;

/** A temporary folder that only this user can read, because its contents are not encrypted. */
async function withFolder(run) {
  const folder = mkdtempSync(path.join(tmpdir(), "payeeproof-backup-"));
  return withUndo(
    () => rmSync(folder, { recursive: true, force: true }),
    () => run(folder),
  );
}

const asker =
  (target) =>
  async (sql, args = []) =>
    (await target.execute({ sql, args })).rows.map((row) => Array.from(row));

/** The file of the local app's D1 database. */
function localFile() {
  const folder = path.join(readPlace().stateDir, "v3/d1/miniflare-D1DatabaseObject");
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name)) : [];
  if (files.length !== 1)
    throw new Error(`${files.length} databases in ${folder}: start the app once, or set STATE_DIR`);
  return path.join(folder, files[0]);
}

/**
 * Reads a consistent snapshot of a database, however long it takes and whatever is written meanwhile.
 * @param {{ env?: string, libsql?: string }} which neither: the database of the app on this machine
 * @param {(ask: Function, source: string) => Promise<T>} read
 * @template T
 */
export async function readDatabase({ env, libsql }, read) {
  if (libsql) {
    const client = openLibsql(libsql, { intMode: "bigint" });
    const transaction = await client.transaction("read");
    try {
      return await read(asker(transaction), "libsql");
    } finally {
      transaction.close();
      client.close();
    }
  }
  return withFolder(async (folder) => {
    const file = path.join(folder, "copy.db");
    if (env) await loadExport(env, folder, file);
    else await copyFile(localFile(), file);
    const client = openLibsql(`file:${file}`, { intMode: "bigint" });
    try {
      return await read(asker(client), env ? "d1" : "d1-local");
    } finally {
      client.close();
    }
  });
}

async function copyFile(from, to) {
  const client = createClient({ url: `file:${from}` });
  await client.execute({ sql: "VACUUM INTO ?", args: [to] });
  client.close();
}

/** The platform's export is a snapshot, loaded without foreign keys and triggers: its tables are in another order. */
async function loadExport(env, folder, file) {
  const output = path.join(folder, "export.sql");
  const { status, stdout, stderr } = runWrangler([
    "d1",
    "export",
    "DB",
    ...remoteOf(env),
    "--output",
    output,
    "--skip-confirmation",
  ]);
  if (status !== 0) throw new Error(`wrangler d1 export failed\n${stdout}${stderr}`);
  const client = createClient({ url: `file:${file}` });
  await client.execute("PRAGMA foreign_keys = OFF");
  const triggers = [];
  for await (const statement of statementsIn(createReadStream(output, "utf8"))) {
    if (/^\s*CREATE\s+TRIGGER/i.test(statement)) triggers.push(statement);
    else if (!/sqlite_sequence/i.test(statement)) await client.execute(statement);
  }
  for (const trigger of triggers) await client.execute(trigger);
  client.close();
}

/** The statements of a dump: a semicolon at the end of a line ends one, except within texts and trigger bodies. */
export async function* statementsIn(chunks) {
  let waiting = "";
  let from = 0;
  let isInText = false;
  for await (const chunk of chunks) {
    waiting += chunk;
    for (; from < waiting.length; from++) {
      const letter = waiting[from];
      if (letter === "'") isInText = !isInText;
      if (isInText || letter !== ";") continue;
      const statement = waiting.slice(0, from);
      if (/^\s*CREATE\s+TRIGGER/i.test(statement) && !/\bEND\s*$/i.test(statement)) continue;
      if (statement.trim() !== "") yield statement.trim();
      waiting = waiting.slice(from + 1);
      from = -1;
    }
  }
  if (waiting.trim() !== "") throw new Error("the export ends within a statement");
}

const COUNT_TABLES =
  "SELECT count(*) AS n FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'";
const COUNTS_PER_STATEMENT = 40;

/** Statements that count the rows of tables, each for a few tables because the number of columns is limited. */
const countStatements = (names) =>
  Array.from({ length: Math.ceil(names.length / COUNTS_PER_STATEMENT) }, (_, part) => {
    const some = names.slice(part * COUNTS_PER_STATEMENT, (part + 1) * COUNTS_PER_STATEMENT);
    return `SELECT ${some.map((name) => `(SELECT count(*) FROM "${name}") AS "${name}"`).join(", ")}`;
  });

/**
 * A database to load a backup into.
 * @returns {Promise<{ name: string, isEmpty(): Promise<boolean>, run(statements: AsyncIterable<string>): Promise<void>, count(names: string[]): Promise<Record<string, number>> }>}
 */
export async function openTarget({ env, libsql }) {
  return libsql ? libsqlTarget(libsql) : d1Target(env);
}

function libsqlTarget(url) {
  const client = openLibsql(url, { intMode: "bigint" });
  return {
    name: url,
    async isEmpty() {
      return Number((await client.execute(COUNT_TABLES)).rows[0].n) === 0;
    },
    async run(statements) {
      let batch = [];
      let bytes = 0;
      for await (const statement of statements) {
        if (bytes + statement.length > CALLS_AT_ONCE_BYTES && batch.length > 0) {
          await client.batch(batch, "write");
          batch = [];
          bytes = 0;
        }
        batch.push(statement);
        bytes += statement.length;
      }
      if (batch.length > 0) await client.batch(batch, "write");
    },
    async count(names) {
      const results = await client.batch(countStatements(names), "read");
      return Object.fromEntries(
        results.flatMap(({ columns, rows }) => columns.map((column) => [column, Number(rows[0][column])])),
      );
    },
    close: () => client.close(),
  };
}

function d1Target(env) {
  const where = env ? remoteOf(env) : ["--local", "--persist-to", readPlace().stateDir];
  const execute = (args) => {
    const { status, stdout, stderr } = runWrangler(["d1", "execute", "DB", ...where, "--json", "--yes", ...args]);
    if (status !== 0) throw new Error(`wrangler d1 execute failed\n${stdout}${stderr}`.slice(0, 4_000));
    return stdout;
  };
  const query = (statements) =>
    JSON.parse(execute(["--command", statements.join(";\n")])).flatMap(({ results }) => results);
  return {
    name: env ? `D1 of ${env}` : `D1 in ${readPlace().stateDir}`,
    isEmpty: async () => query([COUNT_TABLES])[0].n === 0,
    run: (statements) =>
      withFolder(async (folder) => {
        const file = path.join(folder, "restore.sql");
        const text = async function* () {
          for await (const statement of statements) yield `${statement};\n`;
        };
        await pipeline(Readable.from(text()), createWriteStream(file, { mode: 0o600 }));
        execute(["--file", file]);
      }),
    count: async (names) => Object.assign({}, ...query(countStatements(names))),
    close() {},
  };
}
