// Weights: the sign-in page's script, the Worker, and the CPU time the Worker needs to start.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { ensureBuilt } from "../scripts/lib/build.mjs";
import { row } from "./lib.mjs";

const KIB = 1024;
const gzipped = (file) => gzipSync(readFileSync(file)).length;
const kib = (bytes) => `${(bytes / KIB).toFixed(1)} KiB gz`;

await ensureBuilt();
const [manifestFile] = readdirSync("public/build").filter((file) => file.startsWith("manifest-"));
const { entry, routes } = JSON.parse(/=(.*);/s.exec(readFileSync(`public/build/${manifestFile}`, "utf8"))[1]);

/** The script files that a page loads: its own, those of its layouts, and the browser's entry. */
function filesOf(id) {
  const files = new Set([entry.module, ...entry.imports]);
  for (let part = routes[id]; part; part = routes[part.parentId])
    for (const file of [part.module, ...part.imports]) files.add(file);
  return files;
}

const total = (files) => [...files].reduce((sum, file) => sum + gzipped(`public${file}`), 0);
const signIn = filesOf("routes/_sign-in+/auth");
const shared = total([entry.module, ...entry.imports]);
row(
  "script of the sign-in page",
  `${kib(total(signIn))}, ${signIn.size} files`,
  `${(total(signIn) / shared).toFixed(2)} x what every page shares`,
);
const pages = Object.keys(routes).filter((id) => /^routes\/(_|\$)/.test(id));
const [largest] = pages.map((id) => ({ id, bytes: total(filesOf(id)) })).sort((one, other) => other.bytes - one.bytes);
row("script of the page with the most of it", kib(largest.bytes), largest.id);

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
