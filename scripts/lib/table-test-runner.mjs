// A test runner for mutation tests: plain table tests, run in the process of the runner itself. Each mutant gets the
// tests that reach it, one after the other until one fails; Vitest takes twenty times as long to begin.
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import vm from "node:vm";
import { chai, GLOBAL_EXPECT, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from "@vitest/expect";
import { restoreAllMocks, spyOn } from "@vitest/spy";
import { build } from "esbuild";
import fastCheck from "fast-check";

for (const matchers of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(matchers);
globalThis[GLOBAL_EXPECT] ??= chai.expect;

const FOLDER = "app/modules/name-match";
/** Of generated names this many are tried, the same for every mutant. */
const GENERATED = { numRuns: 40, seed: 42, endOnFailure: true };
const generator = {
  ...fastCheck,
  assert: (property, options) => fastCheck.assert(property, { ...options, ...GENERATED }),
};

/** Files whose objects keep what they made: a mutant of theirs can outlive its run. */
const KEEPS = /fold-characters/;

const findTests = (folder) =>
  readdirSync(folder, { recursive: true })
    .map((file) => path.resolve(folder, file))
    .filter((file) => file.endsWith(".test.ts"))
    .sort();

/** What the tests import of Vitest; the tests that they declare are added to `registry`. */
function testing(registry) {
  let prefix = "";
  let number = 0;
  const add = (name, run) => registry.push({ id: `${number++}`, name: `${prefix}${name}`, run });
  const describe = (name, declare) => {
    const before = prefix;
    prefix += `${name} > `;
    declare();
    prefix = before;
  };
  const eachOf = (declare) => (rows) => (name, run) =>
    rows.forEach((row, k) => {
      declare(`${name} (${k + 1})`, () => (Array.isArray(row) ? run(...row) : run(row)));
    });
  describe.each = eachOf(describe);
  const test = (name, run) => add(name, run);
  test.each = eachOf(test);
  return {
    describe,
    test,
    it: test,
    expect: chai.expect,
    vi: { spyOn, restoreAllMocks },
    afterEach: () => undefined,
    generator,
  };
}

/** What stands for packages in the bundle. */
const FAST_CHECK = "export default globalThis.tableTests.generator;";
const VITEST =
  "const { describe, test, it, expect, vi, afterEach } = globalThis.tableTests; export { describe, test, it, expect, vi, afterEach };";

const inPlaceOfPackages = {
  name: "in place of packages",
  setup(bundler) {
    bundler.onResolve({ filter: /^(?:vitest|fast-check)$/ }, ({ path: name }) => ({
      path: name,
      namespace: "in-place",
    }));
    bundler.onLoad({ filter: /.*/, namespace: "in-place" }, ({ path: name }) => ({
      contents: name === "vitest" ? VITEST : FAST_CHECK,
    }));
  },
};

/** What Stryker wrote into the files: whether a mutant is chosen, and which were reached. */
const CHOSEN = /stryMutAct_\w+\("(\d+)"\)/g;
const REACHED = /(?<!function )stryCov_\w+\([^()]*\)/g;
/** In place of these: a comparison of two numbers, and a step counted. Every turn of a loop is at least one step. */
const quicker = (source) =>
  source.replace(CHOSEN, "(mutantChosen === $1 && countedStep())").replace(REACHED, "countedStep()");

const COUNTER = `
let mutantChosen = -1, stepsLeft = Infinity;
const countedStep = () => stepsLeft-- > 0 || endless();
const endless = () => { throw new Error("more steps than any test takes"); };
globalThis.tableTests.choose = (mutant, steps) => { mutantChosen = mutant; stepsLeft = steps; };
globalThis.tableTests.stepsLeft = () => stepsLeft;
`;

const withoutCoverage = {
  name: "without coverage",
  setup(bundler) {
    bundler.onLoad({ filter: /\.ts$/ }, async ({ path: file }) => ({
      contents: quicker(await readFile(file, "utf8")),
      loader: "ts",
    }));
  },
};

/** All test files and what they test as one script. */
async function bundle(banner, plugins) {
  const contents = findTests(FOLDER)
    .map((file) => `import ${JSON.stringify(file)};`)
    .join("\n");
  const folder = path.resolve(FOLDER);
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder, loader: "ts" },
    bundle: true,
    format: "iife",
    write: false,
    logLevel: "error",
    ignoreAnnotations: true,
    treeShaking: false,
    platform: "node",
    alias: { "~": path.resolve("app") },
    plugins: [...plugins, inPlaceOfPackages],
  });
  return new vm.Script(`(() => {${banner}\n${outputFiles[0].text}})()`);
}

/** The numbers that Stryker has for how a test ended. */
const Status = { Success: 0, Failed: 1 };
const NO_MUTANT = -1;
/** A test with a mutant may take so many times its own steps, and so many more. */
const TIMES_STEPS = 10;
const MORE_STEPS = 20_000;

const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** @returns undefined when the test passes, else why it fails */
async function failureOf(test) {
  try {
    await test.run();
    return undefined;
  } catch (error) {
    return messageOf(error);
  } finally {
    restoreAllMocks();
  }
}

/** The tests declared by a script. */
function declaredBy(script) {
  const registry = [];
  globalThis.tableTests = testing(registry);
  script.runInThisContext();
  return registry;
}

class TableTestRunner {
  /** What each test takes without a mutant: milliseconds and steps. */
  cost = new Map();
  /** How many mutants of a file each test has killed. */
  kills = new Map();

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    this.instrumentation = globalThis.__stryker__ ??= {};
    this.script = await bundle(COUNTER, [withoutCoverage]);
  }

  /** Runs every test once and notes which mutants it reaches. */
  async dryRun() {
    const { instrumentation } = this;
    instrumentation.mutantCoverage = { static: {}, perTest: {} };
    instrumentation.currentTestId = undefined;
    const tests = [];
    for (const test of declaredBy(await bundle("", []))) {
      instrumentation.currentTestId = test.id;
      const began = performance.now();
      const failureMessage = await failureOf(test);
      const timeSpentMs = performance.now() - began;
      const status = failureMessage === undefined ? Status.Success : Status.Failed;
      tests.push({ id: test.id, name: test.name, timeSpentMs, status, failureMessage });
    }
    return { status: "complete", tests, mutantCoverage: instrumentation.mutantCoverage };
  }

  async load() {
    this.tests = declaredBy(this.script);
    this.switch = globalThis.tableTests;
    if (this.cost.size > 0) return;
    // Twice: the second time, most of what is tested has been compiled.
    for (let round = 0; round < 2; round++) for (const test of this.tests) await this.measure(test);
  }

  async measure(test) {
    const most = Number.MAX_SAFE_INTEGER;
    this.switch.choose(NO_MUTANT, most);
    const began = performance.now();
    await failureOf(test);
    this.cost.set(test.id, { time: performance.now() - began, steps: most - this.switch.stepsLeft() });
  }

  async mutantRun({ activeMutant, testFilter }) {
    const mutant = Number(activeMutant.id);
    if (!this.tests || KEEPS.test(activeMutant.fileName)) await this.load();
    const chosen = new Set(testFilter);
    const order = this.inOrder(activeMutant.fileName, chosen);
    let result = await this.runUntilFailure(mutant, order);
    // A mutant may leave something behind. Does the test fail without it too? Then everything is made anew.
    if (result.status !== "survived" && !(await this.passes(result.by))) {
      await this.load();
      result = await this.runUntilFailure(mutant, this.inOrder(activeMutant.fileName, chosen));
      if (result.status !== "survived" && !(await this.passes(result.by))) this.tests = undefined;
    }
    if (KEEPS.test(activeMutant.fileName)) this.tests = undefined;
    if (result.status === "killed") this.noteKill(activeMutant.fileName, result.by);
    const { by, ...told } = result;
    return told;
  }

  async passes(test) {
    this.switch.choose(NO_MUTANT, Number.MAX_SAFE_INTEGER);
    return (await failureOf(test)) === undefined;
  }

  killsOf(file) {
    if (!this.kills.has(file)) this.kills.set(file, new Map());
    return this.kills.get(file);
  }

  noteKill(file, { id }) {
    const kills = this.killsOf(file);
    kills.set(id, (kills.get(id) ?? 0) + 1);
  }

  /** The tests that reach a mutant: first those that have killed most in its file for the time they take. */
  inOrder(file, chosen) {
    const kills = this.killsOf(file);
    const worth = ({ id }) => ((kills.get(id) ?? 0) + 0.2) / (this.cost.get(id).time + 0.05);
    const weighed = this.tests.filter(({ id }) => chosen.has(id)).map((test) => ({ test, worth: worth(test) }));
    return weighed.sort((a, b) => b.worth - a.worth).map(({ test }) => test);
  }

  async runUntilFailure(mutant, tests) {
    let nrOfTests = 0;
    for (const test of tests) {
      nrOfTests++;
      this.switch.choose(mutant, this.cost.get(test.id).steps * TIMES_STEPS + MORE_STEPS);
      const failureMessage = await failureOf(test);
      if (this.switch.stepsLeft() < 0) return { status: "timeout", by: test };
      if (failureMessage !== undefined)
        return { status: "killed", killedBy: [test.id], failureMessage, nrOfTests, by: test };
    }
    return { status: "survived", nrOfTests };
  }
}

export const strykerPlugins = [{ kind: "TestRunner", name: "tables", injectableClass: TableTestRunner }];
