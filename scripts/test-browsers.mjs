// npm run test:browsers: what npm test tries in one browser, tried in Firefox and in WebKit, Safari's engine.
// npm run test:browsers -- PATH: only the test files whose path contains PATH.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { main, say } from "./lib/console.mjs";
import { findFirefox, findWebKit } from "./lib/drivers.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { runVitest } from "./lib/lanes.mjs";

const APT = "/usr/bin/apt-get";
const PACKAGES = ["firefox-esr", "webkit2gtk-driver", "xvfb"];
/** Firefox runs its scripts whatever the test library asks: the journeys without them are in tests/browsers. */
const WITH_SCRIPTS = "^(?!.*(without JavaScript|without scripts|scripts: false))";

const listMissing = () => [...(findFirefox() ? [] : ["Firefox"]), ...(findWebKit().missing ?? [])];

/** On Debian and its relatives, as root, a clean machine gets what is missing. */
function installMissing() {
  if (listMissing().length === 0 || process.getuid?.() !== 0 || !isDebian()) return;
  say("browsers", `apt-get install ${PACKAGES.join(" ")}`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const options = { env, stdio: "ignore", timeout: 180_000 };
  const install = () => spawnSync(APT, ["install", "-y", "--no-install-recommends", ...PACKAGES], options).status;
  if (install() !== 0 && spawnSync(APT, ["update"], options).status === 0) install();
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
    say("browsers", `not tested: ${missing.join(", ")} not found (apt-get install ${PACKAGES.join(" ")})`);
  }
  ensureInstalled();
  const { ensureBuilt } = await import("./lib/build.mjs");
  await ensureBuilt();
  const only = process.argv.slice(2);
  const results = await Promise.all([
    runVitest(["--project", "browsers", "--passWithNoTests", ...only]),
    ...(findFirefox() ? [runVitest(["--project", "firefox", "--passWithNoTests", "-t", WITH_SCRIPTS, ...only])] : []),
  ]);
  const sum = (outcome) => results.reduce((total, result) => total + result[outcome], 0);
  say("browsers", `took ${Math.round((Date.now() - started) / 1000)} s`);
  console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
  process.exit(sum("failed") > 0 ? 1 : 0);
});
