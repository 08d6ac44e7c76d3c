// npm run keys -- --env staging: how many rows each key has sealed or digested, and which of the listed keys is another one than
// its name says (docs/operations/rotate.md).
//   npm run keys -- --env staging --lost NAME    from now on another key may have the name of one that is lost
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { forgetDigestSql, keysInUseSql } from "../db/seed/keys-in-use.mjs";
import { main } from "./lib/console.mjs";
import { openLibsql, queryD1 } from "./lib/database.mjs";
import { findKeyProblems, loadEnv, parseSecrets } from "./lib/deploy-checks.mjs";

const USAGE = "Usage: npm run keys -- --env staging|production, or --libsql URL; --lost NAME; --secrets FILE";

async function ask({ env, libsql }, statement) {
  if (env) return queryD1(env, [statement])[0];
  if (!libsql) throw new Error(USAGE);
  const client = openLibsql(libsql);
  return (await client.execute(statement).finally(() => client.close())).rows;
}

/** The keys that are listed: those of the file that is deployed, or of the environment. */
function readLists({ env, secrets }) {
  const file = secrets ?? `.secrets.${env}`;
  return secrets || existsSync(file) ? parseSecrets(readFileSync(file, "utf8")) : process.env;
}

await main(async () => {
  const text = { type: "string" };
  const { values } = parseArgs({ options: { env: text, libsql: text, secrets: text, lost: text } });
  if (values.lost !== undefined) {
    if (!/^[\w-]{1,40}$/.test(values.lost)) throw new Error(`${values.lost} is not the name of a key`);
    await ask(values, forgetDigestSql(values.lost));
  }
  const rows = await ask(values, keysInUseSql);
  if (rows.length === 0) console.log("No key has sealed or digested anything.");
  for (const { variable, key, where, rows: count } of rows) console.log(`${variable}  ${key}  ${where}  ${count}`);
  const lists = readLists(values);
  if (!lists.ENCRYPTION_KEYS) return console.log("Which keys are listed is not known here, so they were not compared.");
  const { variables } = await loadEnv();
  for (const problem of findKeyProblems(variables, lists, rows)) console.log(problem);
});
