// Requests per second of the dashboard with rows waiting, against a trivial page of the same build and visitor.
import autocannon from "autocannon";
import { newStateDir, removeStateDir } from "../scripts/lib/copy.mjs";
import { fill } from "./fill.mjs";
import { median, row } from "./lib.mjs";
import { startApp } from "./local-app.mjs";

const RUNS = 5;
const SECONDS = 3;
const CONNECTIONS = 8;
const PAYEES = 1_000;
const TRIVIAL = "/logout";

const stateDir = newStateDir();
await (await startApp(stateDir)).stop();
await fill(stateDir, 0, PAYEES);
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

await load(TRIVIAL, 2);
await load("/dashboard", 2);
const trivial = [];
const dashboard = [];
for (let run = 0; run < RUNS; run++) {
  trivial.push(await load(TRIVIAL));
  dashboard.push(await load("/dashboard"));
}
await app.stop();
removeStateDir(stateDir);
row("requests per second, a trivial page", Math.round(median(trivial)));
row(
  "requests per second, the dashboard",
  Math.round(median(dashboard)),
  `${(median(dashboard) / median(trivial)).toFixed(2)} x the trivial page`,
);
