import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { ROOT } from "./console.mjs";
import { providerVariables } from "./local-env.mjs";

/** Long enough that only a copy that hangs is ended. */
const READY_MS = 600_000;

/** A complete copy of the app, as `npm start` starts it, for tests, benchmarks and screenshots. */

export const newStateDir = () => mkdtempSync(path.join(tmpdir(), "payeeproof-"));

export const removeStateDir = (stateDir) => rmSync(stateDir, { recursive: true, force: true });

/** A port that nothing listens on. @throws Error if something listens on the one that is named */
export function freePort(port = 0) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function untilReady(child) {
  return new Promise((resolve, reject) => {
    let output = "";
    const timer = setTimeout(() => reject(new Error(`not ready in time:\n${output}`)), READY_MS);
    const hear = (chunk) => {
      output += chunk;
      if (!/^Ready /m.test(output)) return;
      clearTimeout(timer);
      for (const stream of [child.stdout, child.stderr]) stream.off("data", hear).resume();
      resolve();
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("exit", () => reject(new Error(`npm start ended:\n${output}`)));
  });
}

/** The shell's variables without those of outside parties, so that a copy never calls a real one. */
function withoutProviders() {
  const env = { ...process.env };
  for (const name of Object.keys(providerVariables())) delete env[name];
  return env;
}

/**
 * Starts a copy on free ports (or those of an earlier one) and waits until it is ready. Limits per address are
 * disabled; limits per account are not. `hasExample`: with the organisation that has ninety days of history.
 */
export async function startCopy(stateDir, { ports, env = {}, hasExample = false } = {}) {
  const chosen = ports ?? { port: await freePort(), simulatorsPort: await freePort() };
  const child = spawn(process.execPath, ["scripts/local.mjs", "start", ...(hasExample ? [] : ["--empty"])], {
    cwd: ROOT,
    env: {
      ...withoutProviders(),
      PORT: String(chosen.port),
      SIMULATORS_PORT: String(chosen.simulatorsPort),
      STATE_DIR: stateDir,
      RATE_LIMIT_SCALE: "1000000",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise((resolve) => child.on("exit", () => resolve()));
  await untilReady(child);
  return {
    supervisor: child,
    ended,
    ports: chosen,
    stateDir,
    origin: `http://${env.APP_HOST ?? "127.0.0.1"}:${chosen.port}`,
    simulators: `http://127.0.0.1:${chosen.simulatorsPort}`,
    /** Stops it as Ctrl-C does. */
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
