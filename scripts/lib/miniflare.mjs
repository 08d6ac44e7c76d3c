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
const BEFORE = "services: servicesArray,";

/** Whoever imports Miniflare after this gets it with the flags, the pool of the tests in workerd too. */
function load() {
  const source = readFileSync(file, "utf8");
  if (!source.includes(BEFORE)) throw new Error("Miniflare makes its configuration in another way");
  const module = new Module(file);
  module.filename = file;
  module.paths = Module._nodeModulePaths(file);
  require.cache[file] = module;
  module._compile(source.replace(BEFORE, `${BEFORE} v8Flags: ${JSON.stringify(FLAGS)},`), file);
  module.loaded = true;
  return module.exports;
}

export const { Log, LogLevel, Miniflare } = load();
