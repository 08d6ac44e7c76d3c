// npm run test:browsers: what npm test tries in one browser, tried in others by their own drivers.
// npm run test:browsers -- PATH: only the test files whose path contains PATH.
import { main, say } from "./lib/console.mjs";
import { findWebKit } from "./lib/drivers.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { runVitest } from "./lib/lanes.mjs";

/** How to get what is missing, on Debian and its relatives. */
const PACKAGES = "apt-get install webkit2gtk-driver xvfb";

await main(async () => {
  const { missing } = findWebKit();
  if (missing) {
    say("browsers", `WebKit was not tested: ${missing.join(", ")} not found (${PACKAGES})`);
    return;
  }
  ensureInstalled();
  const { ensureBuilt } = await import("./lib/build.mjs");
  await ensureBuilt();
  const started = Date.now();
  const { passed, failed, skipped } = await runVitest(["--project", "browsers", ...process.argv.slice(2)]);
  say("browsers", `took ${Math.round((Date.now() - started) / 1000)} s`);
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  process.exit(failed > 0 ? 1 : 0);
});
