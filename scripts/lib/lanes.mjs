import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdir,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
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
 * A control group in which the kernel counts the processor time of a process and everything it starts, including
 * browsers that nobody waits for. Undefined if this user may not make one.
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

/** What runs at the moment. */
const running = new Set();

/** From now on a signal that ends this run ends what it has started too, and whoever started it sees the signal. */
export function endWithSignals() {
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.once(name, () => {
      for (const child of running) signal(child, name);
      process.kill(process.pid, name);
    });
}

/** To a child and everything of its process group. */
function signal(child, name) {
  try {
    process.kill(-child.pid, name);
  } catch {
    // It has already ended.
  }
}

/** Tests print a line for each file; this long without one they stand still. Far more than the slowest file takes. */
const STANDS_STILL_MS = 20 * 60_000;

/** Ends what has printed nothing for so long, and says which of its threads were busy then. */
function watchOver(child, limitMs) {
  let timer;
  const end = () => {
    say(
      "ended",
      `nothing was printed for ${limitMs / 1000} s; what its threads have worked:\n${listThreads(child.pid)}`,
    );
    signal(child, "SIGKILL");
  };
  const hear = () => {
    clearTimeout(timer);
    timer = setTimeout(end, limitMs);
  };
  hear();
  child.on("exit", () => clearTimeout(timer));
  return hear;
}

const MOST_THREADS = 8;

/** What the system says of a process or thread: its name and the fields after it. Empty if it has ended. */
function statOf(folder) {
  try {
    const stat = readFileSync(`${folder}/stat`, "utf8");
    return [
      stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")")),
      ...stat.slice(stat.lastIndexOf(")") + 2).split(" "),
    ];
  } catch {
    return [];
  }
}

const namesIn = (folder) => (existsSync(folder) ? readdirSync(folder) : []);

/** The threads of a process group that have worked most, each with its state and processor seconds; Linux only. */
function listThreads(group) {
  return namesIn("/proc")
    .map((name) => `/proc/${name}`)
    .filter((process) => Number(statOf(process)[3]) === group)
    .flatMap((process) =>
      namesIn(`${process}/task`).map((id) => {
        const [thread, state, ...fields] = statOf(`${process}/task/${id}`);
        const worked = (Number(fields[10]) + Number(fields[11])) / TICKS_A_SECOND;
        return { worked, text: `  ${worked.toFixed(1)} s  ${state}  ${statOf(process)[0]} > ${thread}` };
      }),
    )
    .sort((a, b) => b.worked - a.worked)
    .slice(0, MOST_THREADS)
    .map(({ text }) => text)
    .join("\n");
}

/**
 * Runs a Node program and waits for its end.
 * @param onText told of everything it prints, as it prints it
 * @param givesWay runs only while no other program needs the processor
 * @param env more variables
 * @param limitMs ends it after so long without a word
 * @returns its exit code, how long it took, and how long a processor worked for it
 */
export function run(args, { onText, givesWay = false, env: more = {}, limitMs = STANDS_STILL_MS }) {
  const started = Date.now();
  const env = { ...process.env, TMPDIR: findTemporaryFolder(), ...more };
  // A process group of its own, so that its children end with it.
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  running.add(child);
  const hear = watchOver(child, limitMs);
  const group = openGroup(child.pid);
  if (givesWay && child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", onText).on("data", hear);
  return new Promise((resolve) => {
    let worked;
    child.on("exit", () => {
      running.delete(child);
      const waitedFor = workSince();
      worked = group?.close() ?? waitedFor;
    });
    child.on("close", (code) => resolve({ code: code ?? 1, seconds: (Date.now() - started) / 1000, worked }));
  });
}

/** A lane of one thing that passed or failed. */
const laneOfOne = (name, outcome, output, took) => ({
  name,
  ...took,
  tests: [{ where: name, outcome, why: firstLines(output) }],
  passedOnce: [],
  isOver: true,
});

/** Builds. @returns a lane that failed, or undefined: a successful build does not count as a passed test */
export async function runBuild(build) {
  const started = Date.now();
  try {
    await build();
  } catch (error) {
    console.error(error.message);
    return laneOfOne("build", "failed", error.message, { seconds: (Date.now() - started) / 1000 });
  }
}

/** Runs one static check; its output is shown if it fails. */
export async function runCheck({ name, bin, args }, { givesWay = false } = {}) {
  let output = "";
  const { code, ...took } = await run([path.join(ROOT, "node_modules", bin), ...args], {
    onText: (text) => {
      output += text;
    },
    givesWay,
  });
  say("check", `${name}: ${code === 0 ? "passed" : "failed"}`);
  if (code !== 0) console.error(output);
  return laneOfOne(name, code === 0 ? "passed" : "failed", output, took);
}

const LINES_OF_A_FAILURE = 6;

const OUTSIDE = "ended in an error outside its tests, shown above";

const firstLines = (text) => text.split("\n", LINES_OF_A_FAILURE);

/**
 * Every test of Vitest's report: its file, how it ended and, if it failed, the first lines of the error. A file that
 * failed without a failed test, such as one that could not be loaded, counts as a test.
 */
export function testsOf(testResults) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = path.relative(ROOT, name);
    const tests = assertionResults.map((test) => ({
      file,
      where: `${file} > ${test.fullName}`,
      outcome: { passed: "passed", failed: "failed" }[test.status] ?? "skipped",
      why: firstLines(test.failureMessages?.join("\n") ?? ""),
    }));
    const isBroken = status === "failed" && tests.every(({ outcome }) => outcome !== "failed");
    return isBroken ? [...tests, { file, where: file, outcome: "failed", why: firstLines(message) }] : tests;
  });
}

/**
 * A lane whose failed files were run once more by themselves. A test that passed in one of the two runs passed, and is
 * named with what it said when it failed; one that passed in neither failed.
 */
export function mergeRuns(first, again) {
  if (first.tests.length === 0 && again.isOver)
    return { ...again, passedOnce: [{ where: first.name, why: [OUTSIDE], isOfAgain: false }] };
  const before = numbered(first.tests);
  const after = numbered(again.tests);
  const tests = [];
  const passedOnce = [];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const runs = [before.get(key), after.get(key)].filter(Boolean);
    const failed = runs.find(({ outcome }) => outcome === "failed");
    const passed = runs.find(({ outcome }) => outcome === "passed");
    const isWhole = failed && failed.where === failed.file && isLoaded(again, failed.file);
    if (failed && (passed || isWhole)) passedOnce.push({ ...failed, isOfAgain: failed === after.get(key) });
    if (isWhole) continue;
    tests.push(passed ?? failed ?? runs[0]);
  }
  return { ...first, tests, passedOnce, isOver: first.isOver && again.isOver };
}

/** A file that the first run could not load, and the second could. */
const isLoaded = ({ tests }, file) =>
  tests.some((test) => test.file === file) && tests.every(({ where }) => where !== file);

/** Tests by name; those with one name are told apart by their order. */
function numbered(tests) {
  const byKey = new Map();
  for (const test of tests) {
    let at = 0;
    while (byKey.has(`${test.where} ${at}`)) at++;
    byKey.set(`${test.where} ${at}`, test);
  }
  return byKey;
}

/**
 * Vitest with these arguments. Output appears a file at a time, because two runs share the terminal.
 * @param env more variables, e.g. those of vitest.config.ts
 */
export async function runVitest(args, { name = "tests", givesWay = false, env } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "payeeproof-test-"));
  const outputFile = path.join(folder, "result.json");
  let isOver = true;
  const { code, ...took } = await run(
    [VITEST, "run", "--reporter=default", "--reporter=json", `--outputFile.json=${outputFile}`, ...args],
    {
      onText: (text) => {
        process.stdout.write(text);
        if (/Vitest caught \d+ unhandled error/.test(text)) isOver = false;
      },
      givesWay,
      env,
    },
  );
  const ended = { name, ...took, args, passedOnce: [] };
  try {
    const tests = testsOf(JSON.parse(readFileSync(outputFile, "utf8")).testResults);
    isOver &&= code === 0 || tests.some(({ outcome }) => outcome === "failed");
    return { ...ended, tests, isOver };
  } catch {
    return { ...ended, tests: [], isOver: false };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The files of a lane that failed; none of one that ended before its first test, which is run whole. */
export function listToRunAgain({ tests, isOver }) {
  if (tests.length === 0) return isOver ? undefined : [];
  const files = new Set(tests.filter(({ outcome }) => outcome === "failed").map(({ file }) => file));
  return files.size === 0 ? undefined : [...files];
}

/**
 * Runs the failed files of a lane once more, with a server and data of their own, while nothing else runs. A lane that
 * ended before its first test, as where its server did not start, is run whole; one that no test belongs to has nothing
 * to run.
 */
export async function runFailedAgain(lane) {
  const files = listToRunAgain(lane);
  if (!files) return lane;
  say("again", `${lane.name}: ${files.length > 0 ? files.join(", ") : "all of it"}`);
  const again = await runVitest([...lane.args, ...files], lane);
  const worked = lane.worked === undefined || again.worked === undefined ? undefined : lane.worked + again.worked;
  return { ...mergeRuns(lane, again), seconds: lane.seconds + again.seconds, worked };
}

/**
 * How many tests ended in each way, and what failed. A lane that ended in an error outside its tests counts as one more
 * failure.
 */
export function countOf({ name, tests, isOver }) {
  const failures = tests.filter(({ outcome }) => outcome === "failed");
  if (!isOver) failures.push({ where: name, why: [OUTSIDE] });
  const count = (sought) => tests.filter(({ outcome }) => outcome === sought).length;
  return { passed: count("passed"), failed: failures.length, skipped: count("skipped"), failures };
}

/**
 * The summary of a run, which also sets its exit code: what failed and what passed only once, because their output is
 * far above and a log may be cut, and in the last line the counts.
 */
export function sumUp(lanes) {
  const counts = lanes.map(countOf);
  const tell = (step, text, why) => say(step, `${text}\n  ${why.join("\n  ")}`);
  for (const [at, { failures }] of counts.entries())
    for (const { where, why } of failures) tell("failed", `${lanes[at].name}: ${where}`, why);
  for (const { name, passedOnce } of lanes)
    for (const { where, why, isOfAgain } of passedOnce)
      tell("mend this", `${name}: passed only when run ${isOfAgain ? "first" : "again"}: ${where}`, why);
  const sum = (outcome) => counts.reduce((total, count) => total + count[outcome], 0);
  const skipped = sum("skipped") > 0 ? `, ${sum("skipped")} skipped` : "";
  console.log(`\n${sum("passed")} passed, ${sum("failed")} failed${skipped}`);
  process.exit(sum("failed") > 0 ? 1 : 0);
}
