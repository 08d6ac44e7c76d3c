// Time from `npm start` to Ready when everything is installed, against the time the same Node needs to start workerd
// with an empty Worker.
import { spawn } from "node:child_process";
import { Miniflare } from "miniflare";
import { freePort, newStateDir, removeStateDir } from "../scripts/lib/copy.mjs";
import { median, row } from "./lib.mjs";

const RUNS = Number(process.argv[2] ?? 5);
const stateDir = newStateDir();

async function startApp() {
  const env = {
    ...process.env,
    PORT: String(await freePort()),
    SIMULATORS_PORT: String(await freePort()),
    STATE_DIR: stateDir,
  };
  const begun = performance.now();
  const child = spawn("npm", ["start"], { env, stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve) => child.stdout.on("data", (chunk) => /^Ready /m.test(chunk) && resolve()));
  const seconds = (performance.now() - begun) / 1000;
  const ended = new Promise((resolve) => child.on("exit", resolve));
  child.kill("SIGTERM");
  await ended;
  return seconds;
}

async function startEmpty() {
  const begun = performance.now();
  const script = "export default { fetch: () => new Response() }";
  const miniflare = new Miniflare({ modules: true, script, cf: false });
  await miniflare.ready;
  const seconds = (performance.now() - begun) / 1000;
  await miniflare.dispose();
  return seconds;
}

await startApp(); // installs, builds, migrates and seeds
const app = [];
const empty = [];
for (let run = 0; run < RUNS; run++) {
  app.push(await startApp());
  empty.push(await startEmpty());
}
removeStateDir(stateDir);
row(
  "npm start to Ready, warm install",
  `${median(app).toFixed(2)} s`,
  `${(median(app) / median(empty)).toFixed(1)} x an empty Worker`,
);
process.exit(0);
