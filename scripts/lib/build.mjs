import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { ROOT, say } from "./console.mjs";
import { DEPLOYED, openLibsql, PRODUCTION, readVersion, runWrangler } from "./database.mjs";
import { cutPageFonts, writePrintFonts } from "./print-fonts.mjs";

const require = createRequire(import.meta.url);
const OUT = path.join(ROOT, "build");
const STAMP = path.join(OUT, ".built-from");
const LOCK = path.join(ROOT, ".cache", "build-lock.db");
const SOURCES = [
  "app",
  "db",
  "workers",
  "simulators",
  "remix.config.js",
  "scripts/lib/join-chunks.mjs",
  "scripts/lib/print-fonts.mjs",
  "scripts/verify-evidence.mjs",
  "postcss.config.js",
  "tsconfig.json",
  "package-lock.json",
];

function* filesOf(entry) {
  const full = path.join(ROOT, entry);
  if (!statSync(full).isDirectory()) return yield entry;
  for (const name of readdirSync(full).sort()) {
    if (!/\.test\.tsx?$/.test(name)) yield* filesOf(path.join(entry, name));
  }
}

/** Of everything that a build is made of. */
export function digestOfSources() {
  const hash = createHash("sha256");
  for (const source of SOURCES) {
    for (const file of filesOf(source))
      hash
        .update(file)
        .update("\0")
        .update(readFileSync(path.join(ROOT, file)));
  }
  return hash.digest("hex");
}

const isCurrent = (digest) => existsSync(STAMP) && readFileSync(STAMP, "utf8") === digest;

/**
 * Only one build at a time in a checkout, because two copies may start together. The lock is one of SQLite on a file, so
 * it lasts until its owner ends it or dies, however long the build takes.
 */
export async function withLock(work, file = LOCK) {
  mkdirSync(path.dirname(file), { recursive: true });
  const client = openLibsql(pathToFileURL(file).href);
  let held;
  while (!held) {
    held = await client.transaction("write").catch((error) => {
      if (error.code !== "SQLITE_BUSY") throw error;
      return wait(200);
    });
  }
  try {
    return await work();
  } finally {
    held.close();
  }
}

/** Builds the Worker, the browser's files and the simulators, unless nothing changed since the last time. */
export async function ensureBuilt({ force = false, sourceMaps = false } = {}) {
  await withLock(async () => {
    const digest = digestOfSources();
    if (!force && isCurrent(digest)) return;
    say("build", "the Worker and the browser's files");
    // A build that is broken off is not served.
    rmSync(STAMP, { force: true });
    await buildApp({ sourceMaps });
    const { joinChunks } = await import("./join-chunks.mjs");
    await joinChunks(ROOT);
    await cutPageFonts(path.join(ROOT, "public/build/_assets"));
    await writePrintFonts(path.join(ROOT, "public/build/print-fonts"));
    await buildReader();
    await buildSimulators();
    copyDownloads();
    writeFileSync(STAMP, digest);
  });
}

/** What `npm run deploy` uploads, in build/production. */
export async function buildForProduction() {
  await ensureBuilt({ force: true, sourceMaps: true });
  const { status, stdout, stderr } = runWrangler([
    "deploy",
    "--dry-run",
    "--env",
    "",
    ...DEPLOYED,
    "--outdir",
    PRODUCTION,
  ]);
  if (status !== 0) throw new Error(`wrangler could not bundle the Worker\n${stdout}${stderr}`);
  writeFileSync(path.join(PRODUCTION, "version"), readVersion());
}

/** The development compiler builds the app itself, and leaves a build that `npm start` must not serve. */
export async function buildForDevelopment() {
  await withLock(async () => {
    rmSync(STAMP, { force: true });
    await writePrintFonts(path.join(ROOT, "public/build/print-fonts"));
    await buildReader();
    await buildSimulators();
    copyDownloads();
  });
}

/** Files that anybody can download and use offline. */
function copyDownloads() {
  copyFileSync(path.join(ROOT, "scripts/verify-evidence.mjs"), path.join(ROOT, "public/verify-evidence.mjs"));
}

/** The Worker's source maps name its source files. Those of the browser's files are deleted, so not public. */
async function buildApp({ sourceMaps }) {
  const cli = require.resolve("@remix-run/dev/dist/cli.js");
  // Under vitest NODE_ENV is "test", and React would be built with its development code.
  const env = { ...process.env, NODE_ENV: "production" };
  const args = [cli, "build", ...(sourceMaps ? ["--sourcemap"] : [])];
  const compiler = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
  const stop = () => compiler.kill();
  process.once("exit", stop);
  let said = "";
  for (const stream of [compiler.stdout, compiler.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
  // The compiler sometimes prints a deadlock notice after a successful build, so only its exit code counts.
  const [code] = await once(compiler, "close");
  process.off("exit", stop);
  if (code !== 0) throw new Error(`the build failed\n${said}`);
  if (!sourceMaps) return;
  const published = path.join(ROOT, "public/build");
  for (const name of readdirSync(published, { recursive: true, encoding: "utf8" }))
    if (name.endsWith(".map")) rmSync(path.join(published, name));
}

/** The document reader: a separate Worker with the PDF rendering engine as WebAssembly. */
async function buildReader() {
  const { build } = await import("esbuild");
  await build({
    entryPoints: { index: path.join(ROOT, "workers/reader/worker.ts") },
    outdir: path.join(OUT, "reader"),
    bundle: true,
    format: "esm",
    target: "es2022",
    conditions: ["worker", "browser"],
    external: ["node:*"],
    loader: { ".wasm": "copy" },
    assetNames: "[name]",
    logLevel: "warning",
  });
}

/** The simulators run in Node, in a separate process. */
const SIMULATORS = {
  entryPoints: [path.join(ROOT, "simulators/server.ts")],
  outfile: path.join(OUT, "simulators.mjs"),
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  logLevel: "warning",
};

async function buildSimulators() {
  const { build } = await import("esbuild");
  await build(SIMULATORS);
}

/** Rebuilds the simulators at each change of a file. @param onRebuilt called after each build but the first */
export async function watchSimulators(onRebuilt) {
  const { context } = await import("esbuild");
  let isFirst = true;
  const tell = (build) =>
    build.onEnd(({ errors }) => {
      if (errors.length === 0 && !isFirst) onRebuilt();
      isFirst = false;
    });
  const watching = await context({ ...SIMULATORS, plugins: [{ name: "tell", setup: tell }] });
  await watching.watch();
}
