import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

const READY_MS = 120_000;

export type LocalApp = {
  origin: string;
  simulators: string;
  stateDir: string;
  /** Ends it as Ctrl-C does. */
  stop(): Promise<void>;
  /** SIGKILL to the app's own process and its workerd, as a crash would; everything else ends by itself. */
  crash(): Promise<void>;
};

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
    const hear = (chunk: Buffer) => {
      output += chunk;
      if (!/^Ready /m.test(output)) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.on("exit", () => reject(new Error(`npm start ended:\n${output}`)));
  });
}

export const newStateDir = () => mkdtempSync(path.join(tmpdir(), "payeeproof-e2e-"));

export const removeStateDir = (stateDir: string) => rmSync(stateDir, { recursive: true, force: true });

/** Starts a copy of everything, as `npm start` does, on free ports, with data of its own or those of an earlier copy. */
export async function startLocalApp(
  stateDir: string,
  ports?: { port: number; simulatorsPort: number },
): Promise<LocalApp & { ports: { port: number; simulatorsPort: number } }> {
  const chosen = ports ?? { port: await freePort(), simulatorsPort: await freePort() };
  const child = spawn(process.execPath, ["scripts/local.mjs", "start"], {
    env: {
      ...process.env,
      PORT: String(chosen.port),
      SIMULATORS_PORT: String(chosen.simulatorsPort),
      STATE_DIR: stateDir,
      RATE_LIMIT_SCALE: "1000",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  await untilReady(child);
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  return {
    ports: chosen,
    origin: `http://127.0.0.1:${chosen.port}`,
    simulators: `http://127.0.0.1:${chosen.simulatorsPort}`,
    stateDir,
    stop: () => end("SIGTERM"),
    async crash() {
      // The app's process leads a group of its own, workerd in it.
      process.kill(-appProcessOf(child), "SIGKILL");
      await ended;
    },
  };
}

function appProcessOf(supervisor: ChildProcess): number {
  const { stdout } = spawnSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" });
  const line = stdout
    .split("\n")
    .map((text) => text.trim().split(/\s+/))
    .find(([, ppid, ...args]) => ppid === String(supervisor.pid) && args.join(" ").includes("app-server.mjs"));
  if (!line?.[0]) throw new Error("the app's process was not found");
  return Number(line[0]);
}
