// The app as a process of its own: workerd through Miniflare, with D1, queues, assets and cron as wrangler.toml says.
// The supervisor (scripts/local.mjs) starts it, and ending the supervisor ends it.

import { subscribe } from "node:diagnostics_channel";
import { cpSync, createWriteStream, readFileSync, rmSync, watch } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { createClient } from "@libsql/client";
import { Cron } from "croner";
import { Log, LogLevel, Miniflare } from "miniflare";
import {
  experimental_readRawConfig as readRawConfig,
  unstable_getMiniflareWorkerOptions as readWorkerOptions,
} from "wrangler";
import { ROOT } from "./console.mjs";
import { localEnv, readPlace, readSecrets } from "./local-env.mjs";
import { applyMigrations, asMigrated } from "./migrate.mjs";
import { READER, readerWorker } from "./reader-worker.mjs";
import { createStackMapper } from "./source-maps.mjs";

const CONFIG = path.join(ROOT, "wrangler.toml");
const SOURCE_MAP = path.join(ROOT, "build/index.js.map");
const isDev = process.argv.includes("--dev");
const place = readPlace();
const secrets = readSecrets(place.stateDir);
const logFile = createWriteStream(path.join(place.stateDir, "app.log"), { flags: "a" });

const isLibsql = process.env.DB_DRIVER === "libsql";

async function migrate() {
  if (!isLibsql) return applyMigrations(await miniflare.getD1Database("DB"));
  const client = createClient({ url: process.env.LIBSQL_URL, authToken: process.env.LIBSQL_AUTH_TOKEN });
  return applyMigrations(asMigrated(client)).finally(() => client.close());
}

/** What this copy serves: its own, so that a later build in the same checkout does not change it under a running app. */
const served = isDev ? ROOT : path.join(place.stateDir, "served");

function takeBuild() {
  if (isDev) return;
  rmSync(served, { recursive: true, force: true });
  for (const part of ["build/index.js", "build/reader", "public"])
    cpSync(path.join(ROOT, part), path.join(served, part), { recursive: true });
}

function options() {
  const { workerOptions } = readWorkerOptions(CONFIG);
  return {
    host: place.host,
    port: place.port,
    log: new Log(LogLevel.ERROR),
    cf: false,
    defaultPersistRoot: path.join(place.stateDir, "v3"),
    // For the debugger of an editor or of a browser (chrome://inspect).
    ...(isDev ? { inspectorPort: place.inspectorPort } : {}),
    handleRuntimeStdio,
    workers: [
      {
        ...workerOptions,
        // Nothing of D1 is there when the database is another.
        ...(isLibsql ? { d1Databases: {} } : {}),
        name: "payeeproof",
        modules: [{ type: "ESModule", path: path.join(served, "build/index.js") }],
        modulesRoot: path.join(served, "build"),
        assets: { ...workerOptions.assets, directory: path.join(served, "public") },
        bindings: { ...workerOptions.bindings, ...localEnv(place, secrets) },
        serviceBindings: { READER },
      },
      readerWorker(path.join(served, "build/reader")),
    ],
  };
}

/** Only the development compiler writes a source map. */
let mapStack = isDev ? createStackMapper(SOURCE_MAP) : (text) => text;

/** The line that each request leaves in the log. */
const IS_REQUEST = /"event":"request"/;

/** The app's console is kept in app.log, and but for the line of each request shown in the terminal. Stack traces name the sources. */
function handleRuntimeStdio(stdout, stderr) {
  for (const stream of [stdout, stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      const text = `${mapStack(line)}\n`;
      logFile.write(text);
      if (!IS_REQUEST.test(text)) process.stdout.write(text);
    });
  }
}

function crons() {
  const { rawConfig } = readRawConfig({ config: CONFIG });
  return rawConfig.triggers?.crons ?? [];
}

const trigger = (cron) =>
  fetch(`${place.appOrigin}/__scheduled?cron=${encodeURIComponent(cron)}`).then(
    (response) => response.ok || console.error(`cron ${cron}: ${response.status}`),
    () => {},
  );

/** The compiler waits to hear that its new build is being served. */
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

// Node ends a connection that is idle for six seconds. Where the Worker is busy for so long meanwhile, the queue of this machine loses
// the line that it writes to Miniflare's log, and with it its place: it delivers nothing any more until it is started again.
subscribe("http.server.request.start", ({ server }) => {
  server.keepAliveTimeout = 0;
});

takeBuild();
const miniflare = new Miniflare(options());

async function end() {
  await miniflare.dispose().catch(() => {});
  process.exit(0);
}
process.on("disconnect", end);
process.on("SIGTERM", end);
process.on("SIGINT", end);

await miniflare.ready;
await migrate();
await fetch(`${place.appOrigin}/healthz`).then((response) => {
  if (!response.ok) throw new Error(`the app answers ${response.status} to its health check`);
});
// The Worker repeats the schedule of every minute after half of it; a test of one run must not wait for the second.
const localTimes = (cron) => (cron === "* * * * *" ? "*/30 * * * * *" : cron);
for (const cron of crons()) new Cron(localTimes(cron), { timezone: "UTC" }, () => trigger(cron));
await trigger("* * * * *");
await tellCompiler();

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
