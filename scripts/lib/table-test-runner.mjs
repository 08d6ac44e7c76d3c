// A test runner for mutation tests: plain table tests, run in the process of the runner itself. Each mutant gets the
// tests that reach it, one after the other until one fails; Vitest takes twenty times as long to begin.
import { readdirSync } from "node:fs";
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
const KEEPS = /fold-characters|vocabulary|prepared-name|matcher|match-names|context/;

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

/** All test files and what they test as one script. */
async function bundle() {
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
    plugins: [inPlaceOfPackages],
  });
  return new vm.Script(outputFiles[0].text);
}

/** The numbers that Stryker has for how a test ended. */
const Status = { Success: 0, Failed: 1 };

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

class TableTestRunner {
  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    this.instrumentation = globalThis.__stryker__ ??= {};
    this.script = await bundle();
    this.tests = undefined;
    this.timeOf = new Map();
  }

  /** The tests as they were declared; anew after a mutant that may have left something behind. */
  fresh() {
    this.tests ??= this.load();
    return this.tests;
  }

  load() {
    const registry = [];
    globalThis.tableTests = testing(registry);
    this.script.runInThisContext();
    return registry;
  }

  async dryRun() {
    const { instrumentation } = this;
    instrumentation.mutantCoverage = { static: {}, perTest: {} };
    instrumentation.currentTestId = undefined;
    instrumentation.activeMutant = undefined;
    const tests = [];
    for (const test of this.load()) {
      instrumentation.currentTestId = test.id;
      const began = performance.now();
      const failureMessage = await failureOf(test);
      const timeSpentMs = performance.now() - began;
      const status = failureMessage === undefined ? Status.Success : Status.Failed;
      tests.push({ id: test.id, name: test.name, timeSpentMs, status, failureMessage });
      this.timeOf.set(test.id, timeSpentMs);
    }
    instrumentation.currentTestId = undefined;
    return { status: "complete", tests, mutantCoverage: instrumentation.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, mutantActivation }) {
    const { instrumentation } = this;
    instrumentation.mutantCoverage = undefined;
    instrumentation.currentTestId = undefined;
    instrumentation.hitCount = hitLimit === undefined ? undefined : 0;
    instrumentation.hitLimit = hitLimit;
    instrumentation.activeMutant = mutantActivation === "static" ? activeMutant.id : undefined;
    const chosen = testFilter && new Set(testFilter);
    if (mutantActivation === "static" || KEEPS.test(activeMutant.fileName)) this.tests = undefined;
    const tests = this.fresh();
    instrumentation.activeMutant = activeMutant.id;
    const reaching = tests.filter(({ id }) => !chosen || chosen.has(id));
    const quickestFirst = reaching.sort((a, b) => (this.timeOf.get(a.id) ?? 0) - (this.timeOf.get(b.id) ?? 0));
    const result = await this.runUntilFailure(quickestFirst);
    instrumentation.activeMutant = undefined;
    // An expectation that is not met leaves nothing half done; anything else may.
    if (result.status === "timeout" || !(result.failureMessage ?? "expected").startsWith("expected"))
      this.tests = undefined;
    if (KEEPS.test(activeMutant.fileName)) this.tests = undefined;
    return result;
  }

  async runUntilFailure(tests) {
    const { instrumentation } = this;
    let nrOfTests = 0;
    for (const test of tests) {
      nrOfTests++;
      const failureMessage = await failureOf(test);
      const { hitCount, hitLimit } = instrumentation;
      if (hitLimit !== undefined && hitCount > hitLimit) return { status: "timeout" };
      if (failureMessage !== undefined) return { status: "killed", killedBy: [test.id], failureMessage, nrOfTests };
    }
    return { status: "survived", nrOfTests };
  }
}

export const strykerPlugins = [{ kind: "TestRunner", name: "tables", injectableClass: TableTestRunner }];
