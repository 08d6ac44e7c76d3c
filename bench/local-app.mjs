import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { freePorts } from "./lib.mjs";

/** Starts the app as `npm start` does, on data of its own, and signs in as the demo's admin. */
export async function startApp(stateDir, env = {}) {
  const [port, simulatorsPort] = await freePorts(2);
  const child = spawn(process.execPath, ["scripts/local.mjs", "start"], {
    env: {
      ...process.env,
      PORT: port,
      SIMULATORS_PORT: simulatorsPort,
      STATE_DIR: stateDir,
      RATE_LIMIT_SCALE: "1000000",
      ...env,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  await new Promise((resolve, reject) => {
    child.stdout.on("data", (chunk) => /^Ready /m.test(chunk) && resolve());
    ended.then(() => reject(new Error("the app did not start")));
  });
  const origin = `http://127.0.0.1:${port}`;
  const { DEMO_PASSWORD: password } = JSON.parse(readFileSync(path.join(stateDir, "secrets.json"), "utf8"));
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify({ email: "alex@harbour.example", password });
  const signedIn = await fetch(`${origin}/api/login`, { method: "POST", headers, body });
  if (!signedIn.ok) throw new Error(`sign-in answered ${signedIn.status}`);
  const cookie = signedIn.headers.getSetCookie()[0].split(";")[0];
  return {
    origin,
    cookie,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
