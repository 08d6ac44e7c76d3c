// npm test: installs what is missing, builds, then every check and every test, the browser ones included.
// npm test -- PATH: only the test files whose path contains PATH.
import { availableParallelism } from "node:os";
import { main, say } from "./lib/console.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { endWithSignals, runBuild, runCheck, runFailedAgain, runVitest, sumUp } from "./lib/lanes.mjs";
import { findSqld } from "./lib/libsql-server.mjs";

// TypeScript 7 checks types in a third of the time. It refuses the `baseUrl` that the compiler of the app asks for, and
// has no interface for the tools that read sources, so version 5 stays installed too. What a check found in files that
// did not change since is kept.
const CHECKS = [
  {
    name: "types",
    bin: "typescript-native/bin/tsc",
    args: ["-p", "tsconfig.check.json", "--singleThreaded", "--incremental", "--tsBuildInfoFile", ".cache/types.json"],
  },
  { name: "style", bin: "@biomejs/biome/bin/biome", args: ["check", "--error-on-warnings", "."] },
  {
    name: "boundaries",
    bin: "dependency-cruiser/bin/dependency-cruise.mjs",
    args: ["--cache", ".cache/boundaries", "--cache-strategy", "content", "app", "db", "workers"],
  },
  { name: "dead code", bin: "knip/bin/knip.js", args: ["--cache", "--cache-location", ".cache/knip"] },
];

/** Set for vitest.config.ts, so that errors name source lines. Failed tests run again without it. */
const FIRST_RUN = { TRACES: "tests" };

/**
 * The checks run beside the build, which they do not need, and are told even where it fails. Then the tests in workerd
 * run one after another on one core; beside them the tests in Node fill a second one, and then the journeys, whose
 * browsers keep both busy until the end. More cores run all of it at once; on two that takes longer.
 */
async function runEverything(build) {
  const checks = runChecks();
  const failed = await runBuild(build);
  if (failed) return [failed, ...(await checks)];
  const lanes = await Promise.all([
    runVitest(["--project", "workers"], { name: "workers", env: FIRST_RUN }),
    availableParallelism() > 2 ? Promise.all([checks, runNode(), runJourneys()]) : thenTheOthers(checks),
  ]);
  // A test that fails by chance on a busy machine is named, and does not fail the run.
  const results = [];
  for (const lane of lanes.flat(2)) results.push(lane.args ? await runFailedAgain(lane) : lane);
  return results;
}

async function runChecks() {
  const results = [];
  for (const check of CHECKS) results.push(await runCheck(check, { givesWay: true }));
  return results;
}

const runNode = () => runVitest(["--project", "node"], { name: "node", givesWay: true, env: FIRST_RUN });

const runJourneys = () =>
  Promise.all([
    runVitest(["--project", "e2e"], { name: "e2e", givesWay: true, env: FIRST_RUN }),
    ...(findSqld() ? [runVitest(["--project", "libsql"], { name: "on libSQL", givesWay: true, env: FIRST_RUN })] : []),
  ]);

const thenTheOthers = async (checks) => [await checks, await runNode(), await runJourneys()];

async function runOnly(paths, build) {
  await build();
  return runVitest(paths, { name: "these files" });
}

/** Processor seconds, if the system counts them: they do not depend on what else runs on this machine. */
const inWork = (seconds) => (seconds === undefined ? "" : `, ${`${seconds.toFixed(0)} s`.padStart(6)} of a processor`);

await main(async () => {
  const started = Date.now();
  endWithSignals();
  ensureInstalled();
  const { ensureBuilt } = await import("./lib/build.mjs");
  const only = process.argv.slice(2);
  say(
    "test",
    only.length > 0 ? only.join(" ") : "static checks, rules in Node and commands in workerd; journeys beside",
  );
  const lanes = only.length > 0 ? [await runOnly(only, ensureBuilt)] : await runEverything(ensureBuilt);
  for (const { name, seconds, worked } of lanes)
    say("took", `${`${seconds.toFixed(0)} s`.padStart(6)}${inWork(worked)}  ${name}`);
  const seconds = Math.round((Date.now() - started) / 1000);
  const isCounted = lanes.every(({ worked }) => worked !== undefined);
  const worked = isCounted ? lanes.reduce((total, lane) => total + lane.worked, 0) : undefined;
  say("took", `${`${seconds} s`.padStart(6)}${inWork(worked)}  all of it; the time with the build`);
  sumUp(lanes);
});
