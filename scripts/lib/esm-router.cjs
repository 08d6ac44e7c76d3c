/**
 * Loaded before Remix's compiler (`node --require`). The compiler bundles `react-router-dom/server`, of which the browser
 * needs nothing, from its CommonJS file; that one `require` keeps esbuild from dropping the unused half of the router.
 * Here the browser's build is given the module's other file.
 */
const path = require("node:path");

const compiler = require.resolve("@remix-run/dev");
const file = require.resolve("esbuild", { paths: [compiler] });
const esbuild = require(file);
const server = path.join(path.dirname(require.resolve("react-router-dom/package.json")), "server.mjs");

const leanFor = (options) =>
  options.platform === "browser"
    ? { ...options, alias: { ...options.alias, "react-router-dom/server": server } }
    : options;

require.cache[file].exports = { ...esbuild, context: (options) => esbuild.context(leanFor(options)) };
