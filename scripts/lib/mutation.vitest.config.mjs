import { statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/** Mutants stop at the first failing test. Small files first, because exhaustive ones take seconds. */
class SmallFirst extends BaseSequencer {
  async sort(files) {
    const sizeOf = ({ moduleId }) => statSync(moduleId).size;
    return [...files].sort((a, b) => sizeOf(a) - sizeOf(b));
  }
}

/** The tests that run in Node: each mutant runs the tests that reach it, without a database or browser. */
export default defineConfig({
  root,
  resolve: {
    alias: [
      { find: /^~\//, replacement: `${path.join(root, "app")}/` },
      { find: /^@db\//, replacement: `${path.join(root, "db")}/` },
      { find: /^@workers\//, replacement: `${path.join(root, "workers")}/` },
      { find: /^@simulators\//, replacement: `${path.join(root, "simulators")}/` },
    ],
  },
  test: {
    include: ["app/{kernel,modules}/**/*.test.ts"],
    exclude: ["**/*.workers.test.ts", "**/node_modules/**"],
    isolate: false,
    testTimeout: 30_000,
    sequence: { sequencer: SmallFirst },
  },
});
