import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    app: { origin: string; simulators: string; stateDir: string };
  }
}

const READY_MS = 120_000;

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === "object" ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = "";
    const timer = setTimeout(() => reject(new Error(`not ready in time:\n${output}`)), READY_MS);
    child.stdout?.on("data", (chunk) => {
      output += chunk;
      if (/^Ready /m.test(output)) {
        clearTimeout(timer);
        resolve();
      }
    });
    child.stderr?.on("data", (chunk) => {
      output += chunk;
    });
    child.on("exit", () => reject(new Error(`npm start ended:\n${output}`)));
  });
}

/** Starts a copy of everything, as `npm start` does, with data of its own; ends it after the journeys. */
export default async function setup(project: TestProject) {
  const [port, simulatorsPort] = await Promise.all([freePort(), freePort()]);
  const stateDir = mkdtempSync(path.join(tmpdir(), "payeeproof-e2e-"));
  const child = spawn(process.execPath, ["scripts/local.mjs", "start"], {
    env: {
      ...process.env,
      PORT: String(port),
      SIMULATORS_PORT: String(simulatorsPort),
      STATE_DIR: stateDir,
      RATE_LIMIT_SCALE: "1000",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  await untilReady(child);
  project.provide("app", {
    origin: `http://127.0.0.1:${port}`,
    simulators: `http://127.0.0.1:${simulatorsPort}`,
    stateDir,
  });
  return async () => {
    const ended = new Promise((resolve) => child.on("exit", resolve));
    child.kill("SIGTERM");
    await ended;
    rmSync(stateDir, { recursive: true, force: true });
  };
}
