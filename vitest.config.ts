import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectConfiguration } from "vitest/config";
import { readerWorker } from "./scripts/lib/reader-worker.mjs";
import { bundledSources, bundleOf } from "./tests/support/bundled-sources";
import { JOURNEYS_ON_LIBSQL, ON_LIBSQL } from "./tests/support/libsql-lane";
import OneOrder from "./tests/support/one-order";
import { TEST_ENV } from "./tests/support/test-env";

const root = path.dirname(fileURLToPath(import.meta.url));
const resolve = {
  alias: [
    { find: /^~\//, replacement: `${path.join(root, "app")}/` },
    { find: /^@db\//, replacement: `${path.join(root, "db")}/` },
    { find: /^@workers\//, replacement: `${path.join(root, "workers")}/` },
    { find: /^@simulators\//, replacement: `${path.join(root, "simulators")}/` },
  ],
};
const css = { postcss: { plugins: [] } };

/**
 * The first run of `npm test` has the lines of tests in its traces, and those of the product as they were compiled, which
 * spares a tenth of the work of loading it. A file that failed is run again with all of them.
 */
const isFirstRun = process.env.TRACES === "tests";
const traces = isFirstRun
  ? [
      {
        name: "traces-of-tests",
        enforce: "post" as const,
        transform: (code: string, id: string) =>
          /\.test\.tsx?$/.test(id) ? undefined : { code, map: { mappings: "" as const } },
      },
    ]
  : [];

/** Libraries of many files, of which each is read, compiled and sent into workerd by itself: one file each instead. */
const BUNDLED = [
  "@conform-to/zod/v4",
  "@libsql/client",
  "@remix-run/cloudflare",
  "@remix-run/react",
  "drizzle-orm",
  "drizzle-orm/d1",
  "drizzle-orm/libsql",
  "drizzle-orm/sqlite-core",
  "hono",
  "libphonenumber-js/max",
  "stripe",
  "zod",
];

/** The same; no source of the product uses it. */
const VALIDATOR = "html-validate";

/** The first run loads the sources as one file, except what no test imports and, in Node, what the reader is tested with. */
const sources = (name: string, libraries?: readonly string[]) =>
  isFirstRun
    ? [bundledSources({ name, libraries, except: libraries ? NOT_BUNDLED : /^workers\/(app\.ts|reader\/)/ })]
    : [];
const LOADED_AS_IT_IS = { deps: { external: [/\/build\/tests\//] } };
const NOT_BUNDLED = /^workers\/(app|reader\/worker)\.ts$/;

/** Limits of time end what hangs, and nothing else: on a busy machine everything takes ten times as long. */
const PATIENCE = { testTimeout: 300_000, hookTimeout: 300_000 };

/** Several browsers are driven at once, perhaps on a busy machine. */
const BROWSER_PATIENCE_MS = 120_000;

/** One test walks every page, which took ten minutes while seven others worked on the same two cores. */
const BROWSERS_PATIENCE = { testTimeout: 1_800_000, hookTimeout: 1_800_000 };

/** What is tried in Firefox as well, with scripts; without them it has journeys of its own in tests/browsers. */
const FIREFOX_JOURNEYS = ["journey", "navigation", "forms", "organization", "pay-run", "payee-link", "review", "rows"];

/** What all tests in browsers need: one copy of the app, and requests of their own that meet no closed connection. */
const ON_THE_LOCAL_APP = {
  globalSetup: ["./tests/support/fresh-build.ts", "./tests/e2e/global-setup.ts"],
  setupFiles: ["./tests/support/own-connections-setup.ts", "./tests/support/failed-pages-setup.ts"],
};

/** Loaded where it is asked for: its pool loads wrangler and Miniflare, which takes two seconds of a processor. */
async function workersProject() {
  await import("./scripts/lib/miniflare.mjs");
  const { cloudflareTest, readD1Migrations } = await import("@cloudflare/vitest-pool-workers");
  return {
    resolve,
    css,
    plugins: [
      ...traces,
      ...sources("workers", BUNDLED),
      cloudflareTest(async () => ({
        main: "./build/index.js",
        wrangler: { configPath: "./wrangler.toml" },
        miniflare: {
          // A database before it was restored, and after: the tests of restores have them to themselves.
          d1Databases: { BEFORE_DB: "before-restore", AFTER_DB: "after-restore" },
          // The built Worker is loaded as it is: 6 MB are not read and compiled once more.
          modulesRules: [{ type: "ESModule", include: ["/build/index.js", bundleOf("workers")] }],
          workers: [readerWorker(path.join(root, "build/reader"))],
          bindings: {
            ...TEST_ENV,
            TEST_MIGRATIONS: await readD1Migrations(path.join(root, "db/migrations")),
            ROUTE_FILES: readRouteFiles(),
            API_REQUESTS: process.env.API_REQUESTS ?? "",
          },
        },
      })),
    ],
    test: {
      name: "workers",
      deps: { optimizer: { ssr: { enabled: true, include: isFirstRun ? [VALIDATOR] : [...BUNDLED, VALIDATOR] } } },
      isolate: false,
      maxWorkers: 1,
      sequence: { groupOrder: 1 },
      globalSetup: ["./tests/support/fresh-build.ts"],
      ...PATIENCE,
      include: ["{app,db,workers,tests}/**/*.workers.test.ts"],
      setupFiles: ["./tests/support/workers-setup.ts"],
    },
  } satisfies TestProjectConfiguration;
}

/** Nothing inside workerd reads files, and imported one by one these two hundred take two seconds. */
function readRouteFiles(): Record<string, string> {
  const folder = path.join(root, "app/routes");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .sort();
  return Object.fromEntries(
    names.map((name) => [name.split(path.sep).join("/"), readFileSync(path.join(folder, name), "utf8")]),
  );
}

/** Whether this project may run: none is named with `--project`, or this one, or a pattern. */
function isAsked(project: string): boolean {
  const named = process.argv.filter((_, at, all) => all[at - 1] === "--project");
  return named.length === 0 || named.some((name) => name === project || /[*!]/.test(name));
}

// *.test.ts          pure rules and the data layer on libSQL, in Node
// *.workers.test.ts  commands, routes, consumers and cron, inside workerd with a real D1
// tests/e2e          journeys in a real browser against the built app, several files at a time on one copy of it
// tests/browsers     the same app in other browsers by their own drivers, and journeys in Firefox: npm run test:browsers
export default defineConfig({
  css,
  test: {
    sequence: { sequencer: OneOrder },
    projects: [
      {
        resolve,
        css,
        plugins: [...traces, ...sources("node")],
        test: {
          name: "node",
          environment: "node",
          server: LOADED_AS_IT_IS,
          ...PATIENCE,
          // One process for all files: nothing here keeps state in a module, and starting 100 processes took 40 s.
          isolate: false,
          maxWorkers: 1,
          sequence: { groupOrder: 0 },
          include: ["{app,db,workers,simulators,scripts,tests}/**/*.test.{ts,tsx}"],
          exclude: ["**/*.workers.test.ts", "tests/e2e/**", "tests/browsers/**", "**/node_modules/**"],
        },
      },
      ...(isAsked("workers") ? [await workersProject()] : []),
      {
        resolve: {
          alias: [
            ...resolve.alias,
            { find: "cloudflare:workers", replacement: path.join(root, "tests/support/libsql-env.ts") },
          ],
        },
        css,
        plugins: [...traces, ...sources("node")],
        test: {
          name: "libsql",
          environment: "node",
          server: LOADED_AS_IT_IS,
          include: [...ON_LIBSQL, ...JOURNEYS_ON_LIBSQL],
          env: { DB_DRIVER: "libsql" },
          expect: { poll: { timeout: BROWSER_PATIENCE_MS } },
          globalSetup: ["./tests/support/fresh-build.ts", "./tests/support/libsql-lane.ts"],
          setupFiles: ON_THE_LOCAL_APP.setupFiles,
          ...PATIENCE,
          isolate: false,
          maxWorkers: 1,
          sequence: { groupOrder: 5 },
        },
      },
      {
        resolve,
        css,
        plugins: [...traces, ...sources("node")],
        test: {
          name: "e2e",
          environment: "node",
          server: LOADED_AS_IT_IS,
          include: ["tests/e2e/**/*.test.ts"],
          expect: { poll: { timeout: BROWSER_PATIENCE_MS } },
          ...ON_THE_LOCAL_APP,
          ...PATIENCE,
          // Processes with one browser each for all their files. More of them than cores make every wait longer, and a
          // page that is waited for works too: it draws, and is asked again and again.
          isolate: false,
          maxWorkers: Math.min(4, availableParallelism()),
          sequence: { groupOrder: 2 },
        },
      },
      {
        resolve,
        css,
        test: {
          name: "firefox",
          environment: "node",
          env: { TEST_BROWSER: "firefox" },
          expect: { poll: { timeout: BROWSER_PATIENCE_MS } },
          include: FIREFOX_JOURNEYS.map((name) => `tests/e2e/${name}.test.ts`),
          ...ON_THE_LOCAL_APP,
          ...BROWSERS_PATIENCE,
          isolate: false,
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
        },
      },
      {
        resolve,
        css,
        test: {
          name: "browsers",
          environment: "node",
          expect: { poll: { timeout: BROWSER_PATIENCE_MS } },
          include: ["tests/browsers/**/*.test.ts"],
          ...ON_THE_LOCAL_APP,
          ...BROWSERS_PATIENCE,
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
