import { readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const file = require.resolve("miniflare");

/**
 * On two processors V8 has one thread for work in the background. If it makes code there and waits for the main thread to
 * collect garbage, while the main thread waits for it to sweep, workerd stands still for ever. Miniflare has no option
 * for V8's flags, although workerd has.
 */
const FLAGS = ["--no-concurrent-sparkplug", "--no-maglev-build-code-on-background"];

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
  ["esModule: database_worker_default()", "esModule: module.changeD1(database_worker_default())"],
];

/**
 * Its D1 counts a bookmark in the database for each call, reads too, and waits until the disk has it. Only `withSession`
 * of D1 uses bookmarks.
 */
const D1_CHANGES = [["await this.state.storage.getCurrentBookmark()", '""']];

function change(source, changes) {
  for (const [from, to] of changes) {
    if (!source.includes(from)) throw new Error(`Miniflare is made in another way: it has no ${from}`);
    source = source.replace(from, () => to);
  }
  return source;
}

/** Whoever imports Miniflare after this gets it with these changes, the pool of the tests in workerd too. */
function load() {
  const source = change(readFileSync(file, "utf8"), CHANGES);
  const module = new Module(file);
  module.filename = file;
  module.changeD1 = (d1) => change(d1, D1_CHANGES);
  module.paths = Module._nodeModulePaths(file);
  require.cache[file] = module;
  module._compile(source, file);
  module.loaded = true;
  return module.exports;
}

export const { Log, LogLevel, Miniflare } = load();
