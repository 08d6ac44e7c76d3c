// The app as a process of its own: workerd through Miniflare, with D1, queues, assets and cron as wrangler.toml says.
// scripts/local.mjs starts it and is its supervisor: when that ends, the app ends.

import { appendFileSync, cpSync, createWriteStream, readFileSync, rmSync, watch } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { ROOT } from "./console.mjs";
import { openLibsql } from "./database.mjs";
import { localEnv, readPlace, readSecrets } from "./local-env.mjs";
import { applyMigrations, asMigrated } from "./migrate.mjs";
import { Log, LogLevel, Miniflare } from "./miniflare.mjs";
import { startSchedules, watchAnswers, workersOf } from "./runtime.mjs";
import { createStackMapper } from "./source-maps.mjs";

const SOURCE_MAP = path.join(ROOT, "build/index.js.map");
const isDev = process.argv.includes("--dev");
const place = readPlace();
const secrets = readSecrets(place.stateDir);
const LOG = path.join(place.stateDir, "app.log");
const logFile = createWriteStream(LOG, { flags: "a" });

// The terminal says what is wrong; the log also says where.
process.on("uncaughtException", (error) => {
  appendFileSync(LOG, `${error.stack}\n`);
  console.error(error.message);
  process.exit(1);
});

const isLibsql = process.env.DB_DRIVER === "libsql";

async function migrate() {
  if (!isLibsql) return applyMigrations(await miniflare.getD1Database("DB"));
  const client = openLibsql(process.env.LIBSQL_URL);
  return applyMigrations(asMigrated(client)).finally(() => client.close());
}

/** This copy's own files, so that a later build in the same checkout does not change a running app. */
const served = isDev ? ROOT : path.join(place.stateDir, "served");

function takeBuild() {
  if (isDev) return;
  rmSync(served, { recursive: true, force: true });
  for (const part of ["build/index.js", "build/reader", "public"])
    cpSync(path.join(ROOT, part), path.join(served, part), { recursive: true });
}

function options() {
  return {
    host: place.host,
    port: place.port,
    log: new Log(LogLevel.ERROR),
    cf: false,
    defaultPersistRoot: path.join(place.stateDir, "v3"),
    // For the debugger of an editor or of a browser (chrome://inspect).
    ...(isDev ? { inspectorPort: place.inspectorPort } : {}),
    handleRuntimeStdio,
    workers: workersOf({
      app: path.join(served, "build/index.js"),
      reader: path.join(served, "build/reader"),
      assets: path.join(served, "public"),
      variables: localEnv(place, secrets),
    }),
  };
}

/** Only the development compiler writes a source map. */
let mapStack = isDev ? createStackMapper(SOURCE_MAP) : (text) => text;

/** What the app reports when all is well. */
const IS_INFO = /"level":"info"/;

/** The app's console goes to app.log, warnings and errors also to the terminal. Stacks name source files. */
function handleRuntimeStdio(stdout, stderr) {
  for (const stream of [stdout, stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      const text = `${mapStack(line)}\n`;
      logFile.write(text);
      if (!IS_INFO.test(text)) process.stdout.write(text);
    });
  }
}

const trigger = (cron) =>
  fetch(`${place.appOrigin}/__scheduled?cron=${encodeURIComponent(cron)}`).then(
    (response) => response.ok || console.error(`cron ${cron}: ${response.status}`),
    () => {},
  );

/** Tells the compiler that its new build is being served. */
async function tellCompiler() {
  const origin = process.env.REMIX_DEV_ORIGIN;
  if (!origin) return;
  const buildHash = readFileSync(path.join(ROOT, "build/version.txt"), "utf8").trim();
  await fetch(new URL("ping", origin), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ buildHash }),
  }).catch(() => {});
}

takeBuild();
const miniflare = new Miniflare(options());

async function end() {
  await miniflare.dispose().catch(() => {});
  process.exit(0);
}
process.on("disconnect", end);
process.on("SIGTERM", end);
process.on("SIGINT", end);

const ask = () => fetch(`${place.appOrigin}/healthz`);
await miniflare.ready;
await migrate();
await ask().then(async (response) => {
  if (!response.ok) throw new Error(`the health check answers ${response.status}: ${await response.text()}`);
});
// The Worker runs the every-minute schedule twice, half a minute apart; a test of one run must not wait for the second.
const localTimes = (cron) => (cron === "* * * * *" ? "*/30 * * * * *" : cron);
await startSchedules(trigger, localTimes).ran;
await tellCompiler();

// In development it may stand at a breakpoint.
if (!isDev)
  watchAnswers(
    async () => (await ask()).text(),
    () => {
      console.error("the app has answered nothing for two minutes");
      process.exit(1);
    },
  );

if (isDev) {
  let timer;
  watch(path.join(ROOT, "build"), (_event, file) => {
    if (file !== "version.txt") return;
    clearTimeout(timer);
    timer = setTimeout(async () => {
      mapStack = createStackMapper(SOURCE_MAP);
      await miniflare.setOptions(options());
      await migrate();
      await tellCompiler();
    }, 100);
  });
}

process.send?.({ type: "ready" });
