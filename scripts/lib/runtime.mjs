import { subscribe } from "node:diagnostics_channel";
import path from "node:path";
import {
  experimental_readRawConfig as readRawConfig,
  unstable_getMiniflareWorkerOptions as readWorkerOptions,
} from "wrangler";
import { ROOT } from "./console.mjs";
import { READER, readerWorker } from "./reader-worker.mjs";

const CONFIG = path.join(ROOT, "wrangler.toml");

// Node ends a connection that is idle for six seconds. If the Worker is busy for that long, Miniflare's queue cannot
// write its line to Miniflare's log, fails, and delivers nothing more until Miniflare is started again.
subscribe("http.server.request.start", ({ server }) => {
  server.keepAliveTimeout = 0;
});

/** The top level of wrangler.toml. */
export const readConfig = () => readRawConfig({ config: CONFIG }).rawConfig;

/**
 * Miniflare's options for both Workers, with the bindings of wrangler.toml.
 * @param {{ app: string, reader: string, assets: string, variables: Record<string, string> }} given the app's file, the
 *   folders of the others, and the app's variables and secrets
 */
export function workersOf({ app, reader, assets, variables }) {
  // Wrangler prints that it uses .dev.vars.
  process.env.WRANGLER_LOG ??= "warn";
  const { workerOptions } = readWorkerOptions(CONFIG);
  return [
    {
      ...workerOptions,
      // D1 is not bound when a different database is used.
      ...(variables.DB_DRIVER === "libsql" ? { d1Databases: {} } : {}),
      name: "payeeproof",
      modules: [{ type: "ESModule", path: app }],
      modulesRoot: path.dirname(app),
      assets: { ...workerOptions.assets, directory: assets },
      // Not the variables that wrangler finds by itself: .dev.vars is for plain `wrangler dev` only.
      bindings: variables,
      serviceBindings: { READER },
    },
    readerWorker(reader),
  ];
}
