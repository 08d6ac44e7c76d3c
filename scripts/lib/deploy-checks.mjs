import { readdirSync } from "node:fs";
import path from "node:path";
import { buildSync } from "esbuild";
import { keysInUseSql, NOTED } from "../../db/seed/keys-in-use.mjs";
import { ROOT } from "./console.mjs";

const PLACEHOLDER_ID = /^00000000/;
const PLACEHOLDER_DOMAIN = /\.example$/;
const LINE = /^\s*(?:export\s+)?([A-Z0-9_]+)\s*=\s*(.*?)\s*$/;

/**
 * Reads a file of secrets as `wrangler deploy --secrets-file` does: JSON, or a NAME=VALUE per line.
 * @param {string} text
 * @returns {Record<string, string>}
 */
export function parseSecrets(text) {
  if (text.trimStart().startsWith("{")) {
    try {
      return JSON.parse(text);
    } catch ({ message }) {
      throw new Error(`the file of secrets begins like JSON and is none: ${message}`);
    }
  }
  const entries = text.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = LINE.exec(line) ?? [];
    return name === undefined ? [] : [[name, /^(["'`])(.*)\1$/.exec(value)?.[2] ?? value]];
  });
  return Object.fromEntries(entries);
}

/** The app's own parser of its environment, and the variables that it knows. */
export async function loadEnv() {
  const { outputFiles } = buildSync({
    entryPoints: [path.join(ROOT, "workers/env.ts")],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    logLevel: "error",
  });
  const code = Buffer.from(outputFiles[0].contents).toString("base64");
  return import(`data:text/javascript;base64,${code}`);
}

const bindingsOf = ({ d1_databases = [], kv_namespaces = [], queues = {}, send_email = [], services = [] }) =>
  Object.fromEntries(
    [
      ...d1_databases.map(({ binding }) => binding),
      ...kv_namespaces.map(({ binding }) => binding),
      ...(queues.producers ?? []).map(({ binding }) => binding),
      ...send_email.map(({ name }) => name),
      ...services.map(({ binding }) => binding),
    ].map((name) => [name, {}]),
  );

/**
 * Reads from the database which migrations and keys it uses.
 * @param {(sql: string) => Promise<any[]>} query
 */
export async function askDatabase(query) {
  const [book] = await query("SELECT count(*) AS n FROM sqlite_master WHERE name = 'd1_migrations'");
  if (book.n === 0) return { applied: [] };
  const applied = (await query("SELECT name FROM d1_migrations")).map(({ name }) => name);
  // Keys can only be counted once all tables and columns exist, which this migration and those before it create.
  if (!applied.includes("0084_counts_and_keys.sql")) return { applied };
  return { applied, keysInUse: await query(keysInUseSql) };
}

/**
 * Finds everything that prevents an environment from being deployed, one sentence per problem.
 * @param {{ readEnv: (raw: Record<string, unknown>) => unknown, variables: any }} env the app's own parser
 * @param {{ config: any, environment: string, secrets: Record<string, string>, applied?: readonly string[], keysInUse?:
 *   readonly KeyInUse[] }} given `applied`: migrations that the database has; undefined where it was not asked
 */
export function findProblems({ readEnv, variables }, { config, environment, secrets, applied, keysInUse = [] }) {
  const own = config.env?.[environment];
  if (!own) return [`wrangler.toml has no environment ${environment}`];
  const vars = own.vars ?? {};
  const both = Object.keys(vars).filter((name) => name in secrets);
  return [
    ...configProblems(own),
    ...both.map((name) => `${name}: is among both the variables and the secrets`),
    ...envProblems(readEnv, { ...bindingsOf(own), ...vars, ...secrets }),
    ...missingMigrations(applied).map((name) => `migration ${name} is not applied`),
    ...findKeyProblems(variables, secrets, keysInUse),
  ];
}

/**
 * Keys in use that are not listed, or are listed with other bytes.
 * @typedef {{ variable: string, key: string, where: string, rows: number, digest: string | null }} KeyInUse
 * @param {any} variables
 * @param {Record<string, string>} secrets
 * @param {readonly KeyInUse[]} keysInUse
 */
export function findKeyProblems(variables, secrets, keysInUse) {
  return keysInUse.flatMap(({ variable, key, where, rows, digest }) => {
    if (!namesOf(secrets[variable]).includes(key))
      return [`${variable}: the key ${key} is in use in ${rows} rows, and is not listed`];
    // Empty where the key is lost. A list that cannot be read is a problem of its own.
    if (where !== NOTED || !digest) return [];
    const listed = variables.shape[variable].safeParse(secrets[variable]).data?.find(({ id }) => id === key);
    if (!listed || listed.digest === digest) return [];
    const counted = keysInUse.filter((each) => each.variable === variable && each.key === key && each.where !== NOTED);
    const count = counted.reduce((sum, each) => sum + each.rows, 0);
    if (count === 0) return [`${variable}: the key ${key} is not the one that is in use under this name`];
    const made = variable === "ENCRYPTION_KEYS" ? `sealed ${count} envelopes` : `made ${count} fingerprints`;
    return [`${variable}: the key ${key} is not the one that ${made}`];
  });
}

function configProblems({ d1_databases = [], kv_namespaces = [], routes = [], vars = {} }) {
  const problems = d1_databases
    .filter(({ database_id }) => PLACEHOLDER_ID.test(database_id))
    .map(({ database_name }) => `wrangler.toml: the database ${database_name} has no id yet (wrangler d1 create)`);
  for (const { binding, id } of kv_namespaces)
    if (PLACEHOLDER_ID.test(id))
      problems.push(`wrangler.toml: the namespace ${binding} has no id yet (wrangler kv namespace create)`);
  for (const { pattern } of routes) {
    if (PLACEHOLDER_DOMAIN.test(pattern)) problems.push(`wrangler.toml: ${pattern} is not a domain of yours`);
    if (vars.APP_ORIGIN !== `https://${pattern}`) problems.push(`APP_ORIGIN: is not https://${pattern}`);
  }
  return problems;
}

function envProblems(readEnv, raw) {
  try {
    readEnv(raw);
    return [];
  } catch (error) {
    return String(error.message).split("\n").slice(1);
  }
}

function missingMigrations(applied) {
  if (!applied) return [];
  return readdirSync(path.join(ROOT, "db/migrations"))
    .filter((name) => name.endsWith(".sql") && !applied.includes(name))
    .sort();
}

/** The names of the keys in a list of `name:base64url`. */
const namesOf = (list = "") => list.split(",").map((key) => key.trim().split(":")[0]);
