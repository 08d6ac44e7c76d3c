// npm run keys -- --env staging: how many rows each key has sealed or digested (docs/operations/rotate.md).
import { parseArgs } from "node:util";
import { keysInUseSql } from "../db/seed/keys-in-use.mjs";
import { main } from "./lib/console.mjs";
import { openLibsql, queryD1 } from "./lib/database.mjs";

const USAGE = "Usage: npm run keys -- --env staging|production, or --libsql URL";

async function readRows({ env, libsql }) {
  if (env) return queryD1(env, [keysInUseSql])[0];
  if (!libsql) throw new Error(USAGE);
  const client = openLibsql(libsql);
  const { rows } = await client.execute(keysInUseSql);
  client.close();
  return rows;
}

await main(async () => {
  const { values } = parseArgs({ options: { env: { type: "string" }, libsql: { type: "string" } } });
  const rows = await readRows(values);
  if (rows.length === 0) console.log("No key has sealed or digested anything.");
  for (const { variable, key, where, rows: count } of rows) console.log(`${variable}  ${key}  ${where}  ${count}`);
});
