// npm run serve: the Worker that `npm run build -- --production` made, on a machine of your own: docs/operations/self-hosting.md.
// Nothing starts, and every problem is reported at once, when a variable, a secret, a key or a migration is missing.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { ROOT } from "./lib/console.mjs";
import { openLibsql, PRODUCTION } from "./lib/database.mjs";
import { askDatabase, findProblems, loadEnv, parseSecrets } from "./lib/deploy-checks.mjs";
import { createProxy } from "./lib/front.mjs";
import { Log, LogLevel, Miniflare } from "./lib/miniflare.mjs";
import { config, startSchedules, watchAnswers, workersOf } from "./lib/runtime.mjs";
import { startRelay } from "./lib/smtp-relay.mjs";
import { createStackMapper } from "./lib/source-maps.mjs";

/** sysexits.h, EX_CONFIG: starting again does not help. */
const EXIT_CONFIG = 78;
const DATABASE_WITHIN_MS = 30_000;
const ENDS_WITHIN_MS = 20_000;
const PORT = Number(process.env.PORT ?? 8787);
const FIXED = { APP_ENV: "production", DB_DRIVER: "libsql" };

const log = (level, event, fields = {}) => console.log(JSON.stringify({ level, event, ...fields }));

/** Everything that prevents it from starting, in the sentences of `npm run deploy`. */
function refuse(problems, code = 1) {
  console.error(`PayeeProof is not started:\n${problems.map((one) => `  ${one}`).join("\n")}`);
  process.exit(code);
}

function onGone() {
  log("error", "the runtime has ended");
  process.exit(1);
}

/** Variables come from the environment; secrets from a file of NAME=VALUE lines, or each from its NAME_FILE. */
function readGiven(names, env) {
  const unread = [];
  const readSecret = (name, file) => {
    try {
      return readFileSync(file, "utf8").trim();
    } catch (error) {
      unread.push(`${name}: ${error.message}`);
      return "";
    }
  };
  const { CREDENTIALS_DIRECTORY: credentials, SECRETS_FILE = credentials && path.join(credentials, "secrets") } = env;
  const listed = SECRETS_FILE ? parseSecrets(readSecret("SECRETS_FILE", SECRETS_FILE)) : {};
  const variables = {};
  const secrets = {};
  for (const name of names) {
    if (env[name]) variables[name] = env[name];
    const file = env[`${name}_FILE`];
    const secret = file ? readSecret(`${name}_FILE`, file) : listed[name];
    if (secret) secrets[name] = secret;
  }
  return { variables, secrets, unread };
}

const REFUSED = /HTTP status 40[13]/;

/** The database's state, as soon as it answers; it may still be starting. */
async function askLibsql({ LIBSQL_URL: url, LIBSQL_AUTH_TOKEN: tokens }, { shape }) {
  if (!url || !shape.LIBSQL_URL.safeParse(url).success) return {};
  const within = (request) => fetch(request, { signal: AbortSignal.timeout(DATABASE_WITHIN_MS) });
  const client = openLibsql(url, { tokens, fetch: within });
  const since = Date.now();
  try {
    for (;;) {
      try {
        return await askDatabase(async (sql) => (await client.execute(sql)).rows);
      } catch (error) {
        const why = [error, error.cause, error.cause?.cause].findLast((each) => each?.message).message;
        if (REFUSED.test(why)) return { refused: why };
        if (Date.now() - since > DATABASE_WITHIN_MS) return { silent: why };
        await wait(500);
      }
    }
  } finally {
    client.close();
  }
}

/** Variables that only self-hosting needs. */
function ownProblems({ APP_ORIGIN, INVOICE_MAIL_DOMAIN, SMTP_URL, MAIL_TRANSPORT }) {
  const problems = existsSync(path.join(PRODUCTION, "version"))
    ? []
    : ["there is no build/production: npm run build -- --production"];
  if (!(PORT > 0 && PORT < 65_536)) problems.push("PORT: is not the number of a port");
  if (APP_ORIGIN && !APP_ORIGIN.startsWith("https://")) problems.push("APP_ORIGIN: does not begin with https://");
  if (INVOICE_MAIL_DOMAIN)
    problems.push("INVOICE_MAIL_DOMAIN: only Cloudflare's Email Routing hands emails to the app");
  if (SMTP_URL && !(/^smtps?:\/\/./.test(SMTP_URL) && URL.canParse(SMTP_URL)))
    problems.push("SMTP_URL: is not smtps://USER:PASSWORD@HOST or smtp://");
  if (SMTP_URL && MAIL_TRANSPORT) problems.push("SMTP_URL: cannot be set together with MAIL_TRANSPORT; leave one out");
  return problems;
}

/** @returns everything the app is given; ends the process where something is wrong */
async function readChecked() {
  const env = await loadEnv();
  const names = [...Object.keys(env.variables.shape), "SMTP_URL"].filter(
    (name) => !(name in FIXED) && name !== "APP_VERSION",
  );
  const { variables, secrets, unread } = readGiven(names, process.env);
  const all = { ...variables, ...secrets };
  const mail = all.SMTP_URL
    ? { MAIL_TRANSPORT: "http", MAIL_BASE_URL: "http://127.0.0.1", MAIL_API_KEY: "of the relay" }
    : {};
  const own = { ...config, d1_databases: [], kv_namespaces: [{ binding: "NOTES", id: "here" }], routes: [] };
  const { silent, refused, ...said } = await askLibsql(all, env.variables);
  const given = { environment: "here", secrets, ...said };
  const problems = [
    ...unread,
    ...ownProblems(all),
    ...findProblems(env, {
      config: { env: { here: { ...own, vars: { ...variables, ...FIXED, ...mail } } } },
      ...given,
    }),
  ];
  if (refused) problems.push(`LIBSQL_AUTH_TOKEN: the database refuses it: ${refused}`);
  if (silent) problems.push(`LIBSQL_URL: the database does not answer: ${silent}`);
  // A database that does not answer now may answer later.
  if (problems.length > 0) refuse(problems, problems.length === 1 && silent ? 1 : EXIT_CONFIG);
  return { ...all, ...FIXED, APP_VERSION: readFileSync(path.join(PRODUCTION, "version"), "utf8") };
}

/** The runtime's own messages, as lines of the app's log. */
class JsonLog extends Log {
  log(message) {
    log("error", "runtime", { message });
  }
}

const mapStack = createStackMapper(path.join(PRODUCTION, "index.js.map"));

function passOn(...streams) {
  for (const input of streams)
    createInterface({ input }).on("line", (line) => {
      if (line.startsWith("{")) console.log(mapStack(line));
      else if (line.trim()) log("warn", "runtime", { message: mapStack(line) });
    });
}

const { SMTP_URL, ...variables } = await readChecked();
const relay = SMTP_URL ? await startRelay(SMTP_URL) : undefined;
const miniflare = new Miniflare({
  host: "127.0.0.1",
  port: 0,
  // Every request is treated as one to APP_ORIGIN, whatever its host and protocol.
  upstream: variables.APP_ORIGIN,
  // The visitor's location is unknown.
  cf: {},
  log: new JsonLog(LogLevel.ERROR),
  defaultPersistRoot: path.resolve(process.env.STATE_DIRECTORY ?? process.env.STATE_DIR ?? path.join(ROOT, ".local")),
  handleRuntimeStdio: passOn,
  workers: workersOf({
    app: path.join(PRODUCTION, "index.js"),
    reader: path.join(ROOT, "build/reader"),
    assets: path.join(ROOT, "public"),
    variables: { ...variables, ...relay?.variables },
  }),
});
const { port } = await miniflare.ready;
const ask = () => fetch(`http://127.0.0.1:${port}/healthz`);
const health = await ask();
if (!health.ok) refuse([`the health check answers ${health.status}: ${await health.text()}`]);

const worker = await miniflare.getWorker("payeeproof");
let isEnding = false;
async function run(cron) {
  try {
    await worker.scheduled({ cron, scheduledTime: new Date() });
  } catch (error) {
    if (isEnding) return;
    if (error.cause?.code === "ECONNREFUSED") onGone();
    log("error", "schedule", { cron, error: String(error) });
  }
}
const { crons } = startSchedules(run);
const stopWatching = watchAnswers(
  async () => (await ask()).text(),
  () => {
    log("error", "the runtime stands still");
    process.exit(1);
  },
);

const front = createProxy({ port, host: new URL(variables.APP_ORIGIN).host, onGone });
front.listen(PORT, "127.0.0.1", () =>
  log("info", "serving", { origin: variables.APP_ORIGIN, port: PORT, version: variables.APP_VERSION }),
);
front.on("error", (error) => refuse([error.message]));

/** Waits until the open requests are answered. */
async function end() {
  isEnding = true;
  stopWatching();
  for (const cron of crons) cron.stop();
  await Promise.race([new Promise((resolve) => front.close(resolve)), wait(ENDS_WITHIN_MS)]);
  await miniflare.dispose().catch(() => {});
  relay?.close();
  log("info", "ended");
  process.exit(0);
}
for (const signal of ["SIGTERM", "SIGINT"]) {
  // Miniflare would end at once.
  process.removeAllListeners(signal);
  process.once(signal, end);
}
