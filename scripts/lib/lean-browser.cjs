/**
 * Loaded before Remix's compiler (`node --require`). It keeps the browser's build lean in two ways.
 *
 * The compiler bundles `react-router-dom/server`, of which the browser needs nothing, from its CommonJS file; that one
 * `require` keeps esbuild from dropping the unused half of the router. The browser's build is given the other file.
 *
 * React comes as CommonJS, so that each file unwraps it and each drawn element is `(0, runtime.jsx)(...)`. With the same
 * functions as named exports (`browser/`) it is `jsx(...)`, which every file of script then says with one letter.
 *
 * Both builds are given the changes in `patches.cjs`.
 */
const path = require("node:path");
const { patchedBrowser, patchedServer } = require("./patches.cjs");

const compiler = require.resolve("@remix-run/dev");
const file = require.resolve("esbuild", { paths: [compiler] });
const esbuild = require(file);
const server = path.join(path.dirname(require.resolve("react-router-dom/package.json")), "server.mjs");

const NAMED = { react: "react.mjs", "react/jsx-runtime": "jsx-runtime.mjs" };

const namedExports = {
  name: "named-exports-of-react",
  setup(build) {
    build.onResolve({ filter: /^react(\/jsx-runtime)?$/ }, ({ path: name }) => ({
      path: path.join(__dirname, "browser", NAMED[name]),
      sideEffects: false,
    }));
  },
};

const leanFor = (options) =>
  options.platform === "browser"
    ? {
        ...options,
        alias: { ...options.alias, "react-router-dom/server": server },
        plugins: [namedExports, patchedBrowser, ...(options.plugins ?? [])],
      }
    : { ...options, plugins: [patchedServer, ...(options.plugins ?? [])] };

require.cache[file].exports = { ...esbuild, context: (options) => esbuild.context(leanFor(options)) };
