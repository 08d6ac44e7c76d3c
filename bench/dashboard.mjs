// Requests per second of the dashboard, against the health check: a trivial route of the same build that reads nothing.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import autocannon from "autocannon";
import { median, row } from "./lib.mjs";
import { startApp } from "./local-app.mjs";

const RUNS = 5;
const SECONDS = 3;
const CONNECTIONS = 8;

const stateDir = mkdtempSync(path.join(tmpdir(), "payeeproof-rps-"));
const app = await startApp(stateDir);
const load = async (address, duration = SECONDS) => {
  const result = await autocannon({
    url: app.origin + address,
    connections: CONNECTIONS,
    duration,
    headers: { Cookie: app.cookie },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${address}: ${result.non2xx} refused, ${result.errors} errors`);
  return result.requests.average;
};

await load("/healthz", 2);
await load("/dashboard", 2);
const trivial = [];
const dashboard = [];
for (let run = 0; run < RUNS; run++) {
  trivial.push(await load("/healthz"));
  dashboard.push(await load("/dashboard"));
}
await app.stop();
rmSync(stateDir, { recursive: true, force: true });
row("requests per second, a trivial route", Math.round(median(trivial)));
row(
  "requests per second, the dashboard",
  Math.round(median(dashboard)),
  `${(median(dashboard) / median(trivial)).toFixed(2)} x the trivial route`,
);
