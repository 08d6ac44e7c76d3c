// npm test: installs what is missing, builds, then every check and every test, the browser ones included.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { main, ROOT, say } from "./lib/console.mjs";
import { ensureInstalled } from "./lib/install.mjs";

/** Each check is one command; what it prints is shown when it fails. */
const CHECKS = [
  { name: "types", bin: "typescript/bin/tsc", args: [] },
  { name: "style", bin: "@biomejs/biome/bin/biome", args: ["check", "--error-on-warnings", "."] },
  { name: "boundaries", bin: "dependency-cruiser/bin/dependency-cruise.mjs", args: ["app", "db", "workers"] },
  { name: "dead code", bin: "knip/bin/knip.js", args: [] },
];

function runCheck({ name, bin, args }) {
  say("check", name);
  const result = spawnSync(process.execPath, [path.join(ROOT, "node_modules", bin), ...args], {
    cwd: ROOT,
    encoding: "utf8",
  });
  if (result.status !== 0) console.error(`${result.stdout}${result.stderr}`);
  return result.status === 0;
}

function runVitest(extra) {
  const folder = mkdtempSync(path.join(tmpdir(), "payeeproof-test-"));
  const outputFile = path.join(folder, "result.json");
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${outputFile}`, ...extra];
  const bin = path.join(ROOT, "node_modules/vitest/vitest.mjs");
  const { status } = spawnSync(process.execPath, [bin, ...args], {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
  });
  try {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(outputFile, "utf8"));
    // A file that cannot be loaded fails no test of its own; the exit code still knows.
    const unloaded = status !== 0 && numFailedTests === 0 ? 1 : 0;
    return { passed: numPassedTests, failed: numFailedTests + unloaded, skipped: numPendingTests };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main(async () => {
  ensureInstalled();
  const { ensureBuilt } = await import("./lib/build.mjs");
  await ensureBuilt();
  const only = process.argv.slice(2);
  const checks = only.length > 0 ? [] : CHECKS.map(runCheck);
  say("test", "rules in Node, rooms in workerd, journeys in a browser");
  const { passed, failed, skipped } = runVitest(only);
  const passedAll = passed + checks.filter(Boolean).length;
  const failedAll = failed + checks.filter((ok) => !ok).length;
  console.log(`\n${passedAll} passed, ${failedAll} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  process.exit(failedAll > 0 ? 1 : 0);
});
