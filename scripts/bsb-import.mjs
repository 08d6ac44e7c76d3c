#!/usr/bin/env node
// Loads AusPayNet's BSB directory, which an operator obtains under AusPayNet's own terms.
//
//   npm run bsb:import -- FILE                  into the application that runs on this machine
// npm run bsb:import -- FILE --sql OUT.sql as SQL for a deployed one: wrangler d1 execute DB --env production --remote
// --file OUT.sql
//
// A deployed one also takes the file at /admin/bsb-directory, which shows what it changes and tells the owners of
// payees whose BSB was closed or merged. SQL leaves an entry in the audit trail, and tells no owner.

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { uuidv7 } from "uuidv7";
import { parseDirectory } from "../db/seed/bsb/parse-directory.mjs";
import { toSql } from "../db/seed/bsb/to-sql.mjs";

const USAGE = "Usage: npm run bsb:import -- FILE [--sql OUT.sql]";
const REQUEST_TIMEOUT_MS = 60_000;
const ERRORS_SHOWN = 20;

/** An error that the operator sees as a sentence, without a stack trace. */
class ImportError extends Error {}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { sql: { type: "string" } } });
    if (positionals.length === 1) return { file: positionals[0], sqlFile: values.sql };
  } catch (error) {
    throw new ImportError(`${error.message}\n${USAGE}`);
  }
  throw new ImportError(USAGE);
}

async function readRows(file) {
  const bytes = await readFile(file).catch((error) => {
    throw new ImportError(`Cannot read ${file}: ${error.code === "ENOENT" ? "there is no such file" : error.message}`);
  });
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ImportError(`${file} is not text in UTF-8. Is it the directory as a CSV file?`);
  }
  const { rows, errors } = parseDirectory(text);
  if (errors.length === 0) return { rows, text };
  const shown = errors.slice(0, ERRORS_SHOWN).map((error) => `  ${error}`);
  if (errors.length > ERRORS_SHOWN) shown.push(`  and ${errors.length - ERRORS_SHOWN} more`);
  throw new ImportError(`Nothing was loaded, because ${file} has errors:\n${shown.join("\n")}`);
}

function describe(rows) {
  const count = (status) => rows.filter((row) => row.status === status).length;
  return `${rows.length} BSBs (${count("open")} open, ${count("merged")} merged, ${count("closed")} closed)`;
}

function warnOfMissingSuccessors(rows) {
  const known = new Set(rows.map((row) => row.bsb));
  const missing = rows.filter((row) => row.successorBsb && !known.has(row.successorBsb)).map((row) => row.bsb);
  if (missing.length > 0) console.log(`Note: the successor is not listed for ${missing.join(", ")}.`);
}

async function load(file, text, origin) {
  const endpoint = new URL("/__local/bsb-directory", origin);
  endpoint.searchParams.set("name", path.basename(file));
  const response = await fetch(endpoint, {
    method: "POST",
    headers: { "content-type": "text/csv" },
    body: text,
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  }).catch((error) => {
    const reason = error.cause?.code ?? error.cause?.message ?? error.message;
    throw new ImportError(
      `The application does not answer at ${endpoint.origin} (${reason}). Start it with: npm start`,
    );
  });
  if (response.ok) return;
  if (response.status === 404) {
    throw new ImportError(
      `${endpoint.origin} does not accept a directory over HTTP: only a local application does. Use --sql instead.`,
    );
  }
  throw new ImportError(`${endpoint.origin} answered ${response.status}: ${(await response.text()).slice(0, 300)}`);
}

async function main() {
  const { file, sqlFile } = readArguments();
  console.log(`Reading ${file}`);
  const { rows, text } = await readRows(file);
  warnOfMissingSuccessors(rows);
  if (sqlFile) {
    await writeFile(sqlFile, toSql(rows, Date.now(), { id: uuidv7(), fileName: path.basename(file) }));
    console.log(`Wrote ${describe(rows)} to ${sqlFile}.`);
    console.log(
      "Loading it leaves an entry in the audit trail. Organisations with payees at closed or merged BSBs are not told.",
    );
    return;
  }
  const origin = process.env.APP_ORIGIN || `http://127.0.0.1:${process.env.PORT || 8787}`;
  await load(file, text, origin);
  console.log(`Loaded ${describe(rows)} into ${origin}.`);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof ImportError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
