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

/**
 * Miniflare's D1 counts a bookmark in the database for each call, reads too, and waits until the disk has it. Only
 * `withSession` of D1 uses bookmarks.
 */
const BOOKMARK = "await this.state.storage.getCurrentBookmark()";
const D1 = "esModule: database_worker_default()";

/**
 * Miniflare writes its configuration, which holds the whole Worker, into a buffer that it copies for every 4 KiB more:
 * hundreds of copies of 8 MB. Here the buffer doubles instead.
 */
const CHANGES = [
  ["services: servicesArray,", `services: servicesArray, v8Flags: ${JSON.stringify(FLAGS)},`],
  [
    "minSize < MIN_SINGLE_SEGMENT_GROWTH ?",
    "minSize < srcBuffer.byteLength ? srcBuffer.byteLength : minSize < MIN_SINGLE_SEGMENT_GROWTH ?",
  ],
  [D1, `${D1}.replace(${JSON.stringify(BOOKMARK)}, '""')`],
];

/** Whoever imports Miniflare after this gets it with these changes, the pool of the tests in workerd too. */
function load() {
  let source = readFileSync(file, "utf8");
  for (const [from, to] of CHANGES) {
    if (!source.includes(from)) throw new Error("Miniflare makes its configuration in another way");
    source = source.replace(from, to);
  }
  const d1 = readFileSync(path.join(path.dirname(file), "workers/d1/database.worker.js"), "utf8");
  if (!d1.includes(BOOKMARK)) throw new Error("Miniflare's D1 counts its bookmarks in another way");
  const module = new Module(file);
  module.filename = file;
  module.paths = Module._nodeModulePaths(file);
  require.cache[file] = module;
  module._compile(source, file);
  module.loaded = true;
  return module.exports;
}

export const { Log, LogLevel, Miniflare } = load();
