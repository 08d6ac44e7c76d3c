// Weights: the sign-in page's script, the Worker, and the CPU time the Worker needs to start.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { ensureBuilt } from "../scripts/lib/build.mjs";
import { row } from "./lib.mjs";

const KIB = 1024;
const gzipped = (file) => gzipSync(readFileSync(file)).length;
const kib = (bytes) => `${(bytes / KIB).toFixed(1)} KiB gz`;

await ensureBuilt();
const client = JSON.parse(readFileSync("build/metafile.js.json", "utf8"));

/** A route's files: its own, the root's, the entry's, and all they import. */
function filesOf(...entries) {
  const files = new Set(
    Object.keys(client.outputs).filter((file) => entries.includes(client.outputs[file].entryPoint)),
  );
  for (const file of files) {
    for (const imported of client.outputs[file].imports)
      if (imported.kind !== "dynamic-import") files.add(imported.path);
  }
  return [...files].filter((file) => file.endsWith(".js"));
}

const module = (route) => `browser-route-module:${route}?browser`;
const shared = filesOf("app/entry.client.tsx");
const signIn = filesOf("app/entry.client.tsx", module("root.tsx"), module("routes/_sign-in+/auth.tsx"));
const total = (files) => files.reduce((sum, file) => sum + gzipped(file), 0);
row(
  "script of the sign-in page",
  kib(total(signIn)),
  `${(total(signIn) / total(shared)).toFixed(2)} x React and Remix alone`,
);

const out = mkdtempSync(path.join(tmpdir(), "payeeproof-size-"));
const wrangler = (...args) =>
  spawnSync(process.execPath, ["node_modules/wrangler/bin/wrangler.js", ...args], { encoding: "utf8" });
const deploy = wrangler("deploy", "--dry-run", "--minify", "--outdir", out);
const worker = /gzip: ([\d.]+ KiB)/.exec(deploy.stdout)?.[1];
if (!worker) throw new Error(`wrangler said no size:\n${deploy.stdout}${deploy.stderr}`);
row(
  "the Worker, minified",
  `${worker} gz`,
  `${((Number.parseFloat(worker) / KIB) * 100).toFixed(0)} % of the goal of 1 MiB`,
);

const profileFile = path.join(out, "startup.cpuprofile");
const startup = wrangler("check", "startup", "--outfile", profileFile);
if (startup.status !== 0) throw new Error(`wrangler check startup failed:\n${startup.stdout}${startup.stderr}`);
const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(profileFile, "utf8"));
const idle = new Set(nodes.filter((node) => node.callFrame.functionName === "(idle)").map((node) => node.id));
const busy = samples.reduce((sum, id, i) => sum + (idle.has(id) ? 0 : timeDeltas[i]), 0) / 1000;
row(
  "CPU to start the Worker",
  `${busy.toFixed(0)} ms`,
  `${((busy / 1000) * 100).toFixed(1)} % of the platform's limit of 1 s`,
);
rmSync(out, { recursive: true, force: true });
