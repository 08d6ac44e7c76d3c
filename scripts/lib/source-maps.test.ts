import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { createStackMapper } from "./source-maps.mjs";

const folder = mkdtempSync(path.join(tmpdir(), "payeeproof-maps-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a place in the build becomes a place in the sources", async () => {
  writeFileSync(path.join(folder, "payee.ts"), "type A = 1;\ntype B = 2;\nexport const fail = () => Math.trunc(1);\n");
  const outfile = path.join(folder, "index.js");
  await build({
    entryPoints: [path.join(folder, "payee.ts")],
    outfile,
    sourcemap: true,
    format: "esm",
    logLevel: "silent",
  });
  const line = `    at fail (file://${outfile}:1:14)`;
  expect(createStackMapper(`${outfile}.map`)(line)).toMatch(/at fail \(.*payee\.ts:3:\d+\)/);
});

test("without a source map a text stays as it is", () => {
  expect(createStackMapper(path.join(folder, "none.map"))("at x (index.js:1:1)")).toBe("at x (index.js:1:1)");
});
