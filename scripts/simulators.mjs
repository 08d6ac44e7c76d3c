// npm run simulators: only the simulators of the outside parties, for an app that plain `wrangler dev` serves with
// .dev.vars.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { main, ROOT } from "./lib/console.mjs";
import { parseSecrets } from "./lib/deploy-checks.mjs";
import { readPlace, simulatorsEnv } from "./lib/local-env.mjs";

await main(async () => {
  const file = path.join(ROOT, ".dev.vars");
  if (!existsSync(file)) throw new Error("there is no .dev.vars: cp .dev.vars.example .dev.vars");
  const { ensureBuilt } = await import("./lib/build.mjs");
  await ensureBuilt();
  const place = readPlace();
  mkdirSync(place.stateDir, { recursive: true });
  const env = { ...process.env, ...simulatorsEnv(place, parseSecrets(readFileSync(file, "utf8"))) };
  const child = spawn(process.execPath, [path.join(ROOT, "build/simulators.mjs")], { env, stdio: "inherit" });
  for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => child.kill(name));
  child.on("exit", (code) => process.exit(code ?? 0));
});
