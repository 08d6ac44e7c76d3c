// npm run test:browsers: the browser tests of npm test, in Firefox and in WebKit, Safari's engine.
// npm run test:browsers -- PATH: only the test files whose path contains PATH.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { main, say } from "./lib/console.mjs";
import { newStateDir, removeStateDir, startCopy } from "./lib/copy.mjs";
import { findFirefox, findWebKit, leaveOut, whyNotFirefox, whyNotWebKit } from "./lib/drivers.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { endWithSignals, runFailedAgain, runVitest, sumUp } from "./lib/lanes.mjs";

const APT = "/usr/bin/apt-get";
/** Without a network the test stops at once; a running package installation is waited for. */
const APT_OPTIONS = [
  ...["-q", "-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=10", "-o", "Acquire::https::Timeout=10"],
  ...["-o", "DPkg::Lock::Timeout=60", "-o", "APT::Update::Error-Mode=any"],
];
/** The packages that each browser needs. */
const PACKAGES = [["firefox-esr"], ["webkit2gtk-driver", "xvfb"]];

const listMissing = () => [...(findFirefox() ? [] : ["Firefox"]), ...(findWebKit().missing ?? [])];

/**
 * On Debian and its derivatives, as root, missing packages are installed. Downloads have a time limit; an installation
 * that has started is completed.
 */
function installMissing() {
  if (listMissing().length === 0 || process.getuid?.() !== 0 || !isDebian()) return;
  say("browsers", `apt-get install ${PACKAGES.flat().join(" ")}`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (timeout, ...args) =>
    spawnSync(APT, [...APT_OPTIONS, ...args], { env, stdio: "ignore", timeout }).status === 0;
  const install = ["install", "-y", "--no-install-recommends"];
  if (!apt(60_000, "update")) return;
  for (const packages of PACKAGES)
    if (apt(180_000, ...install, "--download-only", ...packages))
      apt(300_000, ...install, "--no-download", ...packages);
}

function isDebian() {
  try {
    return readFileSync("/etc/os-release", "utf8").includes("debian");
  } catch {
    return false;
  }
}

/** The browsers in which nothing is tested, and why. One that is installed but does not start counts as missing. */
async function listUntested() {
  const untested = [];
  const browsers = [
    { name: "Firefox", missing: findFirefox() ? [] : ["firefox"], whyNot: whyNotFirefox },
    { name: "WebKit", missing: findWebKit().missing ?? [], whyNot: whyNotWebKit },
  ];
  for (const { name, missing, whyNot } of browsers) {
    const reason = missing.length > 0 ? `${missing.join(", ")} not found` : await whyNot();
    if (!reason) continue;
    leaveOut(name);
    untested.push(`${name} (${reason.replace(/\s+/g, " ").trim().slice(0, 300)})`);
  }
  return untested;
}

await main(async () => {
  const started = Date.now();
  installMissing();
  endWithSignals();
  const untested = await listUntested();
  const finish = (lanes) => {
    const hint = `on Debian: apt-get install ${PACKAGES.flat().join(" ")}`;
    if (untested.length > 0) say("browsers", `not tested: ${untested.join(" and ")}; ${hint}`);
    const worked = lanes.reduce((total, lane) => total + lane.worked, 0);
    const work = worked ? `, ${Math.round(worked)} s of a processor without the app's` : "";
    say("browsers", `took ${Math.round((Date.now() - started) / 1000)} s${work}`);
    sumUp(lanes);
  };
  if (!findFirefox() && !findWebKit().found) finish([]);
  ensureInstalled();
  const { ensureBuilt } = await import("./lib/build.mjs");
  await ensureBuilt();
  const only = process.argv.slice(2);
  const stateDir = newStateDir();
  const copy = await startCopy(stateDir, { env: { COP_ASKS: "when_pressed" } });
  const { origin, simulators } = copy;
  process.env.APP_UNDER_TEST = JSON.stringify({ origin, simulators, stateDir });
  const results = [];
  try {
    const lanes = await Promise.all([
      runVitest(["--project", "browsers", "--passWithNoTests", ...only], { name: "browsers" }),
      ...(findFirefox()
        ? [runVitest(["--project", "firefox", "--passWithNoTests", ...only], { name: "journeys in Firefox" })]
        : []),
    ]);
    if (only.length > 0 && lanes.every(({ tests, isOver }) => tests.length === 0 && isOver))
      throw new Error(`no test file's path contains ${only.join(" or ")}`);
    // A driver or browser that ends by itself is reported by name, and does not stop the run.
    for (const lane of lanes) results.push(await runFailedAgain(lane));
  } finally {
    await copy.stop();
    removeStateDir(stateDir);
  }
  finish(results);
});
