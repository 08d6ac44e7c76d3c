const { readFileSync } = require("node:fs");

/**
 * Changes to the framework's files as they are built. The texts stand for the versions in package-lock.json; where one is
 * not found exactly once, the build fails and says so.
 */

const ROUTER = /@remix-run[\\/]router[\\/]dist[\\/]router\.js$/;

/** A hint for people who write routes: the browser of a visitor has no use for it. */
const IN_BROWSER = [
  {
    file: ROUTER,
    changes: [
      [
        `  warning(path === "*" || !path.endsWith("*") || path.endsWith("/*"), "Route path \\"" + path + "\\" will be treated as if it were " + ("\\"" + path.replace(/\\*$/, "/*") + "\\" because the \`*\` character must ") + "always follow a \`/\` in the pattern. To get rid of this warning, " + ("please change the route path to \\"" + path.replace(/\\*$/, "/*") + "\\"."));
`,
        "",
      ],
    ],
  },
];

/** What the framework does anew in every request although the answer cannot differ. */
const ON_SERVER = [
  {
    // Each loader is given a copy of the request without two parameters, made twice, with an address read twice.
    file: /@remix-run[\\/]server-runtime[\\/]dist[\\/]esm[\\/]data\.js$/,
    changes: ["stripIndexParam", "stripRoutesParam"].map((name) => [
      `function ${name}(request) {`,
      `function ${name}(request) {
  if (request.method === "GET" && !request.url.includes("?")) return request;`,
    ]),
  },
  {
    // The routes are put in order, and each path made into an expression, whenever a path is looked up.
    file: ROUTER,
    changes: [
      [
        `  let branches = flattenRoutes(routes);
  rankRouteBranches(branches);`,
        `  let branches = rankedBranches.get(routes);
  if (branches === undefined) {
    branches = flattenRoutes(routes);
    rankRouteBranches(branches);
    rankedBranches.set(routes, branches);
  }`,
      ],
      [
        "function matchRoutesImpl(routes, locationArg, basename, allowPartial) {",
        `const rankedBranches = new WeakMap();
function matchRoutesImpl(routes, locationArg, basename, allowPartial) {`,
      ],
      [
        "function compilePath(path, caseSensitive, end) {",
        `const compiledPaths = new Map();
function compilePath(path, caseSensitive, end) {
  const key = \`\${caseSensitive} \${end} \${path}\`;
  const compiled = compiledPaths.get(key) ?? compilePathAnew(path, caseSensitive, end);
  compiledPaths.set(key, compiled);
  return compiled;
}
function compilePathAnew(path, caseSensitive, end) {`,
      ],
    ],
  },
];

function changed(text, file, changes) {
  return changes.reduce((before, [from, to]) => {
    const times = before.split(from).length - 1;
    if (times !== 1) throw new Error(`${file} has ${times} times what scripts/lib/patches.cjs changes: ${from}`);
    return before.replace(from, () => to);
  }, text);
}

const pluginOf = (name, patches) => ({
  name,
  setup(build) {
    for (const { file, changes } of patches) {
      build.onLoad({ filter: file }, ({ path }) => ({ contents: changed(readFileSync(path, "utf8"), path, changes) }));
    }
  },
});

module.exports = {
  patchedBrowser: pluginOf("patched-browser", IN_BROWSER),
  patchedServer: pluginOf("patched-server", ON_SERVER),
};
