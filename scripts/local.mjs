// npm start, npm run dev: installs what is missing, builds, migrates, seeds, serves; ends everything when it ends.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { main, ROOT, say } from "./lib/console.mjs";
import { freePort } from "./lib/copy.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { localEnv, providerVariables, readPlace, readSecrets, simulatorsEnv } from "./lib/local-env.mjs";

const PARENT_CHECK_MS = 1_000;
const isDev = process.argv[2] === "dev";
// Invented suppliers must not be sent to a real provider.
const hasExample = !process.argv.includes("--empty") && Object.keys(providerVariables()).length === 0;
const require = createRequire(import.meta.url);
const place = readPlace();
const children = new Set();
let isEnding = false;

/** Each child leads its own process group, so that its children end with it. */
function start(name, args, env) {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    detached: true,
  });
  return supervise(name, child);
}

/** When one child ends, everything ends. */
function supervise(name, child) {
  children.add(child);
  child.on("exit", (code) => {
    children.delete(child);
    if (isEnding) return;
    console.error(`\nfailed     ${name} ended (${code ?? "killed"})`);
    end(1);
  });
  const ready = new Promise((resolve) => child.on("message", (message) => message?.type === "ready" && resolve()));
  return { child, ready };
}

function signal(child, name) {
  try {
    process.kill(-child.pid, name);
  } catch {
    // It has already ended.
  }
}

function end(code) {
  if (isEnding) return;
  isEnding = true;
  for (const child of children) signal(child, "SIGTERM");
  const kill = () => {
    for (const child of children) signal(child, "SIGKILL");
    process.exit(code);
  };
  setTimeout(kill, 2_000);
  const exitOnceEnded = () => children.size === 0 && process.exit(code);
  exitOnceEnded();
  setInterval(exitOnceEnded, 50);
}

/** The parent of a process; undefined if it is not known. */
function parentOf(pid) {
  const result = spawnSync("ps", ["-o", "ppid=", "-p", String(pid)], { encoding: "utf8" });
  return result.status === 0 ? result.stdout.trim() : undefined;
}

/** npm does not forward every signal, and a shell may be in between: when either has ended, this program ends too. */
function watchParents() {
  const parent = process.ppid;
  const grandparent = process.env.npm_lifecycle_event ? parentOf(parent) : undefined;
  const isOrphan = () => process.ppid !== parent || (grandparent !== undefined && parentOf(parent) !== grandparent);
  setInterval(() => isOrphan() && end(0), PARENT_CHECK_MS).unref();
}

/** With DB_DRIVER=libsql and no server given, one is started, with its database beside the other data. */
async function startDatabase() {
  if (process.env.DB_DRIVER !== "libsql" || process.env.LIBSQL_URL) return;
  const { startSqld } = await import("./lib/libsql-server.mjs");
  const { child, url } = await startSqld({ folder: path.join(place.stateDir, "libsql"), port: await freePort() });
  supervise("the libSQL server", child);
  process.env.LIBSQL_URL = url;
  say("start", `libSQL on ${url}`);
}

/** A second copy would replace the files that the first one serves. */
async function checkPorts() {
  const ports = { PORT: place.port, SIMULATORS_PORT: place.simulatorsPort };
  for (const [name, port] of Object.entries(ports))
    await freePort(port).catch(({ message }) => {
      throw new Error(`set ${name} to a free port, or stop the other copy: ${message}`);
    });
}

async function seed() {
  const { DEMO_PASSWORD } = readSecrets(place.stateDir);
  const response = await fetch(`${place.appOrigin}/__local/seed`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ password: DEMO_PASSWORD, example: hasExample }),
  });
  if (!response.ok) throw new Error(`seeding answered ${response.status}: ${await response.text()}`);
  return { ...(await response.json()), password: DEMO_PASSWORD };
}

async function run() {
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => end(0));
  watchParents();
  await checkPorts();
  ensureInstalled();
  mkdirSync(place.stateDir, { recursive: true });
  const { buildForDevelopment, ensureBuilt, watchSimulators } = await import("./lib/build.mjs");
  await (isDev ? buildForDevelopment() : ensureBuilt());

  say(
    "start",
    `simulators on ${place.simulatorsOrigin}, data in ${path.relative(process.cwd(), place.stateDir) || "."}`,
  );
  const real = Object.keys(providerVariables());
  if (real.length > 0) say("start", `instead of the simulators' values, from your shell: ${real.join(", ")}`);
  await startDatabase();
  const env = localEnv(place, readSecrets(place.stateDir));
  let simulators = startSimulators(env);
  if (isDev) {
    await watchSimulators(async () => {
      say("simulators", "changed: starting again");
      await stop(simulators);
      simulators = startSimulators(env);
    });
  }
  say("start", `app on ${place.appOrigin}${isDev ? `, debugger on ${place.host}:${place.inspectorPort}` : ""}`);
  const server = [path.join(ROOT, "scripts/lib/app-server.mjs")];
  const app = isDev ? startDev(server) : start("the app", server, {}).ready;
  await Promise.all([waitFor(`${place.simulatorsOrigin}/healthz`), app]);
  say(
    "seed",
    hasExample ? "an organisation with ninety days of history (once)" : "an organisation to try things with (once)",
  );
  const demo = await seed();
  console.log("");
  for (const { role, email } of demo.people) say("sign in", `${email}  ${demo.password}  (${role})`);
  console.log(`\nReady ${place.appOrigin} (simulators: ${place.simulatorsOrigin})`);
}

function startSimulators(env) {
  return start("the simulators", ["build/simulators.mjs"], simulatorsEnv(place, env)).child;
}

/** Stops a child before it is replaced. */
function stop(child) {
  child.removeAllListeners("exit");
  const ended = new Promise((resolve) => child.once("exit", resolve));
  children.delete(child);
  signal(child, "SIGTERM");
  return ended;
}

/** The compiler starts the app itself and notifies the browser of every change. */
function startDev([server]) {
  const cli = require.resolve("@remix-run/dev/dist/cli.js");
  const command = `${process.execPath} ${server} --dev`;
  start("the compiler", [cli, "dev", "--manual", "-c", command], {});
  return waitFor(`${place.appOrigin}/healthz`);
}

async function waitFor(address) {
  for (;;) {
    const response = await fetch(address).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

await main(run);
