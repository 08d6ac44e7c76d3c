import { type ChildProcess, spawnSync } from "node:child_process";
import { type Copy, type Ports, startCopy } from "../../scripts/lib/copy.mjs";

/** A copy of the app that can be killed as a crash would. */
export type LocalApp = Copy & {
  /** SIGKILL to the app's own process and its workerd; everything else ends by itself. */
  crash(): Promise<void>;
};

export async function startLocalApp(stateDir: string, ports?: Ports, env?: Record<string, string>): Promise<LocalApp> {
  // The journeys press the buttons themselves; automatic bank questions have their own tests.
  const copy = await startCopy(stateDir, { ports, env: { COP_ASKS: "when_pressed", APP_ENV: "test", ...env } });
  return {
    ...copy,
    async crash() {
      // The app's process leads a group of its own, workerd in it.
      process.kill(-appProcessOf(copy.supervisor), "SIGKILL");
      await copy.ended;
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
