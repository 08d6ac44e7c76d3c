import path from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// The table tests of this folder only: mutation runs need neither a database nor a browser, and the random ones
// would take most of the time.
export default defineConfig({
  css: { postcss: { plugins: [] } },
  resolve: {
    alias: [{ find: /^~\//, replacement: `${path.resolve(fileURLToPath(import.meta.url), "../../..")}/` }],
  },
  test: {
    environment: "node",
    include: ["app/modules/name-match/**/*.test.ts"],
    exclude: ["**/properties.test.ts", "**/explanation.test.ts"],
  },
});
