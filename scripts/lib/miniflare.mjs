import { readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(import.meta.url);
const file = require.resolve("miniflare");

/**
 * On two processors V8 has one thread for work in the background. If it makes code there and waits for the main thread to
 * collect garbage, while the main thread waits for it to sweep, workerd stands still for ever. Miniflare has no option
 * for V8's flags, although workerd has.
 */
const FLAGS = ["--no-concurrent-sparkplug", "--no-maglev-build-code-on-background"];
const BEFORE = "services: servicesArray,";

/**
 * Miniflare's D1 counts a bookmark in the database for each call, reads too, and waits until the disk has it. Only
 * `withSession` of D1 uses bookmarks.
 */
const D1 = "esModule: database_worker_default()";
const BOOKMARK = "await this.state.storage.getCurrentBookmark()";

/** Whoever imports Miniflare after this gets it with the flags and without bookmarks, the pool of the tests in workerd too. */
function load() {
  const source = readFileSync(file, "utf8");
  const d1 = readFileSync(path.join(path.dirname(file), "workers/d1/database.worker.js"), "utf8");
  if (!source.includes(BEFORE)) throw new Error("Miniflare makes its configuration in another way");
  if (!source.includes(D1) || !d1.includes(BOOKMARK)) throw new Error("Miniflare makes its D1 in another way");
  const changed = source
    .replace(BEFORE, `${BEFORE} v8Flags: ${JSON.stringify(FLAGS)},`)
    .replace(D1, `${D1}.replace(${JSON.stringify(BOOKMARK)}, '""')`);
  const module = new Module(file);
  module.filename = file;
  module.paths = Module._nodeModulePaths(file);
  require.cache[file] = module;
  module._compile(changed, file);
  module.loaded = true;
  return module.exports;
}

export const { Log, LogLevel, Miniflare } = load();
