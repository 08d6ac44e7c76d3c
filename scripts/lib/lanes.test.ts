import { describe, expect, test, vi } from "vitest";
import { countOf, listToRunAgain, mergeRuns, run, type Test, testsOf } from "./lanes.mjs";

/** What becomes of a lane whose failed files were run once more. */

type Outcome = "passed" | "failed" | "skipped";
type Ran = Record<string, Outcome>;

const FILE = "a.test.ts";
const inFile = (name: string) => (name === FILE ? FILE : `${FILE} > ${name}`);
const laneOf = (ran: Ran, isOver = true) => ({
  name: "node",
  seconds: 1,
  args: [],
  passedOnce: [],
  isOver,
  tests: Object.entries(ran).map(([name, outcome]) => ({
    file: FILE,
    where: inFile(name),
    outcome,
    why: [`${name} says why`],
  })),
});

const CASES: [what: string, first: Ran, again: Ran, count: [number, number, number], once: string[]][] = [
  ["passes when run again", { one: "failed", two: "passed" }, { one: "passed", two: "passed" }, [2, 0, 0], ["one"]],
  ["fails twice", { one: "failed", two: "passed" }, { one: "failed", two: "passed" }, [1, 1, 0], []],
  [
    "fails only when run again",
    { one: "failed", two: "passed" },
    { one: "passed", two: "failed" },
    [2, 0, 0],
    ["one", "two"],
  ],
  ["is not there when run again", { one: "failed", two: "passed" }, { two: "passed" }, [1, 1, 0], []],
  ["is skipped when run again", { one: "failed" }, { one: "skipped" }, [0, 1, 0], []],
  ["was skipped because a hook failed", { one: "skipped", [FILE]: "failed" }, { one: "passed" }, [1, 0, 0], [FILE]],
  ["could not be loaded, and can", { [FILE]: "failed" }, { one: "passed", two: "passed" }, [2, 0, 0], [FILE]],
  ["can be loaded and fails", { [FILE]: "failed" }, { one: "failed" }, [0, 1, 0], [FILE]],
  ["can be loaded neither time", { [FILE]: "failed" }, { [FILE]: "failed" }, [0, 1, 0], []],
  ["is gone when run again", { [FILE]: "failed" }, {}, [0, 1, 0], []],
];

describe("a test that failed", () => {
  test.each(CASES)("and %s", (_what, first, again, [passed, failed, skipped], once) => {
    const merged = mergeRuns(laneOf(first), laneOf(again));
    expect(countOf(merged)).toMatchObject({ passed, failed, skipped });
    expect(merged.passedOnce.map(({ where }) => where)).toEqual(once.map(inFile));
    for (const { why } of merged.passedOnce) expect(why).toEqual([expect.stringMatching(/ says why$/)]);
  });

  test("and has the name of another is counted beside it", () => {
    const [one] = laneOf({ one: "passed" }).tests;
    const twice = (second: Outcome) => ({ ...laneOf({}), tests: [one, { ...one, outcome: second }] as Test[] });
    expect(countOf(mergeRuns(twice("failed"), twice("passed")))).toMatchObject({ passed: 2, failed: 0 });
    expect(countOf(mergeRuns(twice("failed"), twice("failed")))).toMatchObject({ passed: 1, failed: 1 });
  });
});

test("an error outside the tests fails the lane, in either run", () => {
  const passed = { one: "passed" } as const;
  expect(countOf(laneOf(passed, false))).toMatchObject({ passed: 1, failed: 1, failures: [{ where: "node" }] });
  expect(countOf(mergeRuns(laneOf({ one: "failed" }), laneOf(passed, false)))).toMatchObject({ passed: 1, failed: 1 });
});

test("a lane that ended before its first test is run whole, and named", () => {
  const merged = mergeRuns(laneOf({}, false), laneOf({ one: "passed", two: "failed" }));
  expect(countOf(merged)).toMatchObject({ passed: 1, failed: 1 });
  expect(merged.passedOnce).toMatchObject([{ where: "node", why: [expect.stringMatching(/outside its tests/)] }]);
  expect(countOf(mergeRuns(laneOf({}, false), laneOf({}, false)))).toMatchObject({ passed: 0, failed: 1 });
});

test("a lane that no test belongs to has nothing to run again, and passed nothing", () => {
  expect(listToRunAgain(laneOf({}))).toBeUndefined();
  expect(countOf(laneOf({}))).toMatchObject({ passed: 0, failed: 0 });
  expect(listToRunAgain(laneOf({}, false))).toEqual([]);
  expect(listToRunAgain(laneOf({ one: "passed", two: "skipped" }))).toBeUndefined();
  expect(listToRunAgain(laneOf({ one: "failed", two: "failed", three: "passed" }))).toEqual([FILE]);
});

test("a report names each test, and a file that failed without one", () => {
  const report = (status: string, message: string, ...outcomes: string[]) => ({
    name: `${process.cwd()}/${FILE}`,
    status,
    message,
    assertionResults: outcomes.map((each) => ({ fullName: each, status: each, failureMessages: ["Error: why\nat x"] })),
  });
  expect(testsOf([report("failed", "", "passed", "failed", "pending")])).toMatchObject([
    { where: inFile("passed"), outcome: "passed" },
    { where: inFile("failed"), outcome: "failed", why: ["Error: why", "at x"] },
    { where: inFile("pending"), outcome: "skipped" },
  ]);
  expect(testsOf([report("failed", "no such module")])).toEqual([
    { file: FILE, where: FILE, outcome: "failed", why: ["no such module"] },
  ]);
});

test("a program that stands still is ended, with what it started, and its busy thread is named", async () => {
  const said = vi.spyOn(console, "log").mockImplementation(() => {});
  const standStill = `const { spawn } = require("node:child_process");
    console.log(spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore" }).pid); for (;;);`;
  let printed = "";
  const onText = (text: string) => {
    printed += text;
  };
  const { code } = await run(["-e", standStill], { onText, limitMs: 1_000 });
  const told = said.mock.calls.flat().join("\n");
  said.mockRestore();
  expect(code).toBe(1);
  expect(told).toContain("nothing was printed for 1 s");
  if (process.platform === "linux") expect(told).toMatch(/ {2}R {2}node > node/);
  const isThere = () => process.kill(Number(printed), 0);
  await vi.waitFor(() => expect(isThere).toThrow("ESRCH"), { timeout: 60_000 });
});
