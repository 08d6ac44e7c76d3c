// npm run test:browsers: what npm test tries in one browser, tried in Firefox and in WebKit, Safari's engine.
// npm run test:browsers -- PATH: only the test files whose path contains PATH.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { main, say } from "./lib/console.mjs";
import { newStateDir, removeStateDir, startCopy } from "./lib/copy.mjs";
import { findFirefox, findWebKit } from "./lib/drivers.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { runVitest } from "./lib/lanes.mjs";

const APT = "/usr/bin/apt-get";
/** A machine without a network is told at once, and one that installs something else is waited for. */
const APT_OPTIONS = [
  "-q",
  "-o",
  "Acquire::Retries=1",
  "-o",
  "Acquire::http::Timeout=20",
  "-o",
  "DPkg::Lock::Timeout=60",
];
/** Each browser with what it needs. */
const PACKAGES = [["firefox-esr"], ["webkit2gtk-driver", "xvfb"]];

const listMissing = () => [...(findFirefox() ? [] : ["Firefox"]), ...(findWebKit().missing ?? [])];

/** On Debian and its relatives, as root, a clean machine gets what is missing. */
function installMissing() {
  if (listMissing().length === 0 || process.getuid?.() !== 0 || !isDebian()) return;
  say("browsers", `apt-get install ${PACKAGES.flat().join(" ")}`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (timeout, ...args) => spawnSync(APT, [...APT_OPTIONS, ...args], { env, stdio: "ignore", timeout });
  apt(120_000, "update");
  for (const packages of PACKAGES) apt(300_000, "install", "-y", "--no-install-recommends", ...packages);
}

function isDebian() {
  try {
    return readFileSync("/etc/os-release", "utf8").includes("debian");
  } catch {
    return false;
  }
}

await main(async () => {
  const started = Date.now();
  installMissing();
  const missing = listMissing();
  if (missing.length > 0) {
    say("browsers", `not tested: ${missing.join(", ")} not found (apt-get install ${PACKAGES.flat().join(" ")})`);
  }
  if (!findFirefox() && !findWebKit().found) {
    console.log("\n0 passed, 0 failed");
    return;
  }
  ensureInstalled();
  const { ensureBuilt } = await import("./lib/build.mjs");
  await ensureBuilt();
  const only = process.argv.slice(2);
  const stateDir = newStateDir();
  const copy = await startCopy(stateDir, { env: { COP_ASKS: "when_pressed" } });
  const { origin, simulators } = copy;
  process.env.APP_UNDER_TEST = JSON.stringify({ origin, simulators, stateDir });
  const results = await Promise.all([
    runVitest(["--project", "browsers", "--passWithNoTests", ...only]),
    ...(findFirefox() ? [runVitest(["--project", "firefox", "--passWithNoTests", ...only])] : []),
  ]).finally(async () => {
    await copy.stop();
    removeStateDir(stateDir);
  });
  const sum = (outcome) => results.reduce((total, result) => total + result[outcome], 0);
  say("browsers", `took ${Math.round((Date.now() - started) / 1000)} s`);
  console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
  process.exit(sum("failed") > 0 ? 1 : 0);
});
