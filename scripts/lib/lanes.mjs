import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdir, rmSync, statfsSync, writeFileSync } from "node:fs";
import { constants, setPriority, tmpdir } from "node:os";
import path from "node:path";
import { ROOT, say } from "./console.mjs";

const VITEST = path.join(ROOT, "node_modules/vitest/vitest.mjs");

/** Linux counts in hundredths of a second on every machine that Node supports. */
const TICKS_A_SECOND = 100;

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 4 * 1024 ** 3;

/** Test databases are stored in memory if there is enough of it, because tests write often and disks confirm slowly. */
function findTemporaryFolder() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ENOUGH_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/**
 * Processor seconds of all finished child processes and their children; undefined if the system does not report them.
 */
function workOfChildren() {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    const [user, system] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(13, 15);
    return (Number(user) + Number(system)) / TICKS_A_SECOND;
  } catch {
    return undefined;
  }
}

/** Control groups of Linux (version 2); some systems also mount version 1. */
const GROUPS = ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"];

let counted = workOfChildren();

/** The processor time of the child that has just ended. */
function workSince() {
  if (counted === undefined) return undefined;
  const before = counted;
  counted = workOfChildren();
  return counted - before;
}

/**
 * A control group in which the kernel counts what a process and everything it starts work: browsers too, which end without
 * anybody waiting for them. Undefined where this user may not make one.
 */
function openGroup(pid) {
  try {
    const own = /^0::(.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1] ?? "/";
    const parent = GROUPS.map((root) => path.join(root, own)).find((at) => existsSync(path.join(at, "cgroup.procs")));
    const folder = path.join(parent, `payeeproof-test-${pid}`);
    mkdirSync(folder);
    writeFileSync(path.join(folder, "cgroup.procs"), String(pid));
    return { close: () => closeGroup(folder) };
  } catch {
    return undefined;
  }
}

/** Processor seconds of the group, which ends with its last process; a lingering process keeps it. */
function closeGroup(folder) {
  try {
    const [, micros] = /^usage_usec (\d+)$/m.exec(readFileSync(path.join(folder, "cpu.stat"), "utf8"));
    return Number(micros) / 1_000_000;
  } catch {
    return undefined;
  } finally {
    rmdir(folder, () => {});
  }
}

/**
 * Runs a Node program and waits for its end.
 * @param onText told of everything it prints, as it prints it
 * @param givesWay leaves the processor to the others when they want it
 * @returns its exit code, how long it took, and how long a processor worked for it
 */
function run(args, onText, givesWay) {
  const started = Date.now();
  const env = { ...process.env, TMPDIR: findTemporaryFolder() };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
  const group = openGroup(child.pid);
  if (givesWay && child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", onText);
  return new Promise((resolve) => {
    let worked;
    child.on("exit", () => {
      const waitedFor = workSince();
      worked = group?.close() ?? waitedFor;
    });
    child.on("close", (code) => resolve({ code: code ?? 1, seconds: (Date.now() - started) / 1000, worked }));
  });
}

/** Runs one static check; its output is shown if it fails. */
export async function runCheck({ name, bin, args }, { givesWay = false } = {}) {
  let output = "";
  const { code, ...took } = await run(
    [path.join(ROOT, "node_modules", bin), ...args],
    (text) => {
      output += text;
    },
    givesWay,
  );
  say("check", `${name}: ${code === 0 ? "passed" : "failed"}`);
  if (code !== 0) console.error(output);
  return { name, ...took, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0, failures: [] };
}

/** Every failed test of Vitest's report: its file, its name, and the first lines of why. */
function failuresOf(testResults) {
  return testResults.flatMap(({ name: file, message, assertionResults }) => {
    const where = path.relative(ROOT, file);
    const failed = assertionResults.filter(({ status }) => status === "failed");
    if (failed.length === 0 && message) return [{ where, why: firstLines(message) }];
    return failed.map(({ fullName, failureMessages }) => ({
      where: `${where} > ${fullName}`,
      why: firstLines(failureMessages.join("\n")),
    }));
  });
}

const LINES_OF_A_FAILURE = 6;

const firstLines = (text) => text.split("\n", LINES_OF_A_FAILURE);

/** Vitest with these arguments. Output appears a file at a time, because two runs share the terminal. */
export async function runVitest(args, { name = "tests", givesWay = false } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "payeeproof-test-"));
  const outputFile = path.join(folder, "result.json");
  const { code, ...took } = await run(
    [VITEST, "run", "--reporter=default", "--reporter=json", `--outputFile.json=${outputFile}`, ...args],
    (text) => process.stdout.write(text),
    givesWay,
  );
  try {
    const report = JSON.parse(readFileSync(outputFile, "utf8"));
    const { numPassedTests, numFailedTests, numPendingTests } = report;
    // A file that cannot be loaded reports no failed test, so the exit code counts too.
    const unloaded = code !== 0 && numFailedTests === 0 ? 1 : 0;
    return {
      name,
      ...took,
      passed: numPassedTests,
      failed: numFailedTests + unloaded,
      skipped: numPendingTests,
      failures: failuresOf(report.testResults),
    };
  } catch {
    return { name, ...took, passed: 0, failed: 1, skipped: 0, failures: [] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
