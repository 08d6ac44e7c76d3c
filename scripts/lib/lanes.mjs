import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { constants, setPriority, tmpdir } from "node:os";
import path from "node:path";
import { ROOT, say } from "./console.mjs";

const VITEST = path.join(ROOT, "node_modules/vitest/vitest.mjs");

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 4 * 1024 ** 3;

/** Databases of tests live in memory where the system offers enough of it: they write often, and a disk confirms slowly. */
function findTemporaryFolder() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ENOUGH_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/**
 * Runs a Node program and waits for its end.
 * @param onText told of everything it prints, as it prints it
 * @param givesWay leaves the processor to the others when they want it
 * @returns its exit code
 */
function run(args, onText, givesWay) {
  const env = { ...process.env, TMPDIR: findTemporaryFolder() };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
  if (givesWay && child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", onText);
  return new Promise((resolve) => child.on("close", (code) => resolve(code ?? 1)));
}

/** One static check; what it prints is shown when it fails. */
export async function runCheck({ name, bin, args }, { givesWay = false } = {}) {
  let output = "";
  const code = await run(
    [path.join(ROOT, "node_modules", bin), ...args],
    (text) => {
      output += text;
    },
    givesWay,
  );
  say("check", `${name}: ${code === 0 ? "passed" : "failed"}`);
  if (code !== 0) console.error(output);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

/** Vitest with these arguments. Output appears a file at a time, because two runs share the terminal. */
export async function runVitest(args, { givesWay = false } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "payeeproof-test-"));
  const outputFile = path.join(folder, "result.json");
  const code = await run(
    [VITEST, "run", "--reporter=default", "--reporter=json", `--outputFile.json=${outputFile}`, ...args],
    (text) => process.stdout.write(text),
    givesWay,
  );
  try {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(outputFile, "utf8"));
    // A file that cannot be loaded fails no test of its own; the exit code still knows.
    const unloaded = code !== 0 && numFailedTests === 0 ? 1 : 0;
    return { passed: numPassedTests, failed: numFailedTests + unloaded, skipped: numPendingTests };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
