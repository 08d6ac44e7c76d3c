import { subscribe } from "node:diagnostics_channel";
import path from "node:path";
import {
  experimental_readRawConfig as readRawConfig,
  unstable_getMiniflareWorkerOptions as readWorkerOptions,
} from "wrangler";
import { ROOT } from "./console.mjs";
import { READER, readerWorker } from "./reader-worker.mjs";

const CONFIG = path.join(ROOT, "wrangler.toml");

// Node ends a connection that is idle for six seconds. Where the Worker is busy for so long meanwhile, the queue of this machine loses
// the line that it writes to Miniflare's log, and with it its place: it delivers nothing any more until it is started again.
subscribe("http.server.request.start", ({ server }) => {
  server.keepAliveTimeout = 0;
});

/** The top level of wrangler.toml. */
export const readConfig = () => readRawConfig({ config: CONFIG }).rawConfig;

/**
 * Both Workers for Miniflare, with the bindings of wrangler.toml.
 * @param {{ app: string, reader: string, assets: string, variables: Record<string, string> }} given the app's file, the folders of
 *   the others, and the app's variables and secrets
 */
export function workersOf({ app, reader, assets, variables }) {
  // It says that it uses .dev.vars.
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
      // None of those that wrangler finds by itself: .dev.vars is for plain `wrangler dev` only.
      bindings: variables,
      serviceBindings: { READER },
    },
    readerWorker(reader),
  ];
}
