import { createHash } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Cron } from "croner";
import { ROOT } from "./console.mjs";
import { READER, readerWorker } from "./reader-worker.mjs";

const CONFIG = path.join(ROOT, "wrangler.toml");
const KEPT = path.join(ROOT, ".cache/wrangler.json");

// Node ends a connection that is idle for six seconds. If the Worker is busy for that long, Miniflare's queue cannot
// write its line to Miniflare's log, fails, and delivers nothing more until Miniflare is started again.
subscribe("http.server.request.start", ({ server }) => {
  server.keepAliveTimeout = 0;
});

/**
 * wrangler.toml as wrangler reads it. Loading wrangler takes a second, so the result is kept until the file, wrangler or
 * the environment that is chosen changes.
 * @returns {Promise<{ config: any, workerOptions: any }>} the top level, and the same for Miniflare
 */
async function readConfigFile() {
  const wrangler = readFileSync(path.join(ROOT, "node_modules/wrangler/package.json"));
  const digest = createHash("sha256")
    .update(`${process.env.CLOUDFLARE_ENV ?? ""}\n`)
    .update(readFileSync(CONFIG))
    .update(wrangler)
    .digest("hex");
  const kept = readKept();
  if (kept?.digest === digest) return kept;
  // Wrangler prints that it uses .dev.vars.
  process.env.WRANGLER_LOG ??= "warn";
  const { experimental_readRawConfig: readRaw, unstable_getMiniflareWorkerOptions: readOptions } = await import(
    "wrangler"
  );
  const { rawConfig: config } = readRaw({ config: CONFIG });
  // Its bindings are the variables of .dev.vars, which is for plain `wrangler dev` only.
  const { bindings: _, ...workerOptions } = readOptions(CONFIG).workerOptions;
  keep({ digest, config, workerOptions });
  return { config, workerOptions };
}

function readKept() {
  try {
    return JSON.parse(readFileSync(KEPT, "utf8"));
  } catch {
    return undefined;
  }
}

/** Writes another file first, because several copies may start together. If nothing can be written, nothing is kept. */
function keep(found) {
  try {
    mkdirSync(path.dirname(KEPT), { recursive: true });
    writeFileSync(`${KEPT}.${process.pid}`, JSON.stringify(found));
    renameSync(`${KEPT}.${process.pid}`, KEPT);
  } catch {
    // The next start reads wrangler.toml again.
  }
}

const read = await readConfigFile();

/** The top level of wrangler.toml. */
export const { config } = read;

/** A restart that takes less is not noticed by the app, which then calls late what should have run meanwhile. */
const RESTART_MS = 5 * 60_000;

/**
 * Runs each schedule of wrangler.toml at its times, and at once if the last of them is so near that the app may have been
 * starting then.
 * @param {(cron: string) => Promise<void>} run
 * @param {(cron: string) => string} timesOf other times for a schedule
 */
export function startSchedules(run, timesOf = (cron) => cron) {
  const crons = config.triggers.crons.map((cron) => new Cron(timesOf(cron), { timezone: "UTC" }, () => run(cron)));
  const isMissed = (_, at) => Date.now() - crons[at].previousRuns(1)[0] < RESTART_MS;
  const ran = Promise.all(config.triggers.crons.filter(isMissed).map(run));
  return { ran, crons };
}

const LOOK_EVERY_MS = 10_000;
const LOOKS = 12;

/**
 * On Cloudflare's machines a Worker that stands still with a busy processor is ended. Here nothing would end it: workerd
 * has one thread, and answers nobody while one request keeps it.
 * @param {() => Promise<unknown>} ask sends a request to the app; any answer will do
 * @param {() => void} onStill called once nothing was answered for two minutes in which this machine was awake
 * @returns stops watching
 */
export function watchAnswers(ask, onStill) {
  let looks = 0;
  let isAsked = false;
  const timer = setInterval(() => {
    if (!isAsked) {
      isAsked = true;
      looks = 0;
      const answered = () => {
        isAsked = false;
      };
      ask().then(answered, answered);
    } else if (++looks === LOOKS) onStill();
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

/**
 * Miniflare's options for both Workers, with the bindings of wrangler.toml.
 * @param {{ app: string, reader: string, assets: string, variables: Record<string, string> }} given the app's file, the
 *   folders of the others, and the app's variables and secrets
 */
export function workersOf({ app, reader, assets, variables }) {
  return [
    {
      ...read.workerOptions,
      // D1 is not bound when a different database is used.
      ...(variables.DB_DRIVER === "libsql" ? { d1Databases: {} } : {}),
      name: "payeeproof",
      modules: [{ type: "ESModule", path: app }],
      modulesRoot: path.dirname(app),
      assets: { ...read.workerOptions.assets, directory: assets },
      bindings: variables,
      serviceBindings: { READER },
    },
    readerWorker(reader),
  ];
}
