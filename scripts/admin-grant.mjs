// Makes an account a super admin, if it is confirmed and has two-step sign-in.
//
//   npm run admin:grant -- EMAIL                     in the application that runs on this machine
//   npm run admin:grant -- EMAIL --env staging       in the D1 database of an environment of wrangler.toml
//   npm run admin:grant -- EMAIL --libsql URL        in a libSQL database; LIBSQL_AUTH_TOKEN of the shell signs in
import { parseArgs } from "node:util";
import { uuidv7 } from "uuidv7";
import { explain, grantStatements } from "../db/seed/grant-super-admin.mjs";
import { main } from "./lib/console.mjs";
import { openLibsql, queryD1 } from "./lib/database.mjs";
import { readPlace } from "./lib/local-env.mjs";

const USAGE = "Usage: npm run admin:grant -- EMAIL [--env staging | --env production | --libsql URL]";

function readArguments() {
  const options = { env: { type: "string" }, libsql: { type: "string" } };
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const [email] = positionals;
  if (positionals.length !== 1 || !email.includes("@") || (values.env && values.libsql)) throw new Error(USAGE);
  return { email, ...values };
}

/** The running app owns its database files: a second process that opens them could stop it. */
async function grantHere(email) {
  const { appOrigin } = readPlace();
  const response = await fetch(`${appOrigin}/__local/admin-grant`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email }),
  }).catch(() => {
    throw new Error(`nothing answers on ${appOrigin}: start the app first, or name --env or --libsql`);
  });
  if (!response.ok) throw new Error(`${appOrigin} answered ${response.status}: only a local app does this. Use --env.`);
  return (await response.json()).account;
}

const grantOnD1 = (email, env) => queryD1(env, grantStatements(email, { id: uuidv7(), now: Date.now() })).at(-1)[0];

async function grantOnLibsql(email, url) {
  const client = openLibsql(url);
  const results = await client.batch(grantStatements(email, { id: uuidv7(), now: Date.now() }), "write");
  client.close();
  return results.at(-1).rows[0];
}

await main(async () => {
  const { email, env, libsql } = readArguments();
  const account = env ? grantOnD1(email, env) : libsql ? await grantOnLibsql(email, libsql) : await grantHere(email);
  const { isSuperAdmin, sentence } = explain(email, account);
  if (!isSuperAdmin) throw new Error(sentence);
  console.log(sentence);
});
