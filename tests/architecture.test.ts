import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { ensureBuilt } from "../scripts/lib/build.mjs";

/** What the project promises about itself, read from the build and from the sources. */

type Metafile = {
  inputs: Record<string, unknown>;
  outputs: Record<string, { entryPoint?: string; inputs: Record<string, { bytesInOutput: number }> }>;
};

await ensureBuilt();
const client = JSON.parse(readFileSync("build/metafile.js.json", "utf8")) as Metafile;

/** Server things that the compiler would ship to the browser without a word. */
const SERVER_ONLY =
  /^(db|workers)\/|\.server\.|node_modules\/(drizzle-orm|@libsql|stripe|zod|@conform-to\/zod|libphonenumber-js|standardwebhooks|remix-auth|uuidv7)\//;

test("nothing that belongs to the server reached the browser's files", () => {
  const shipped = Object.values(client.outputs).flatMap((output) =>
    Object.entries(output.inputs).filter(([input, { bytesInOutput }]) => bytesInOutput > 0 && SERVER_ONLY.test(input)),
  );
  expect(shipped.map(([input]) => input)).toEqual([]);
});

const KIB = 1024;
const gzipped = (file: string) => gzipSync(readFileSync(file)).length;

test("the browser gets at most 130 KiB of script for the sign-in page, compressed", () => {
  const entry = Object.entries(client.outputs).filter(([, output]) =>
    /entry\.client|browser-route-module:(root|routes\/_sign-in\+\/auth)\.tsx/.test(output.entryPoint ?? ""),
  );
  expect(entry).toHaveLength(3);
  const files = new Set(entry.map(([file]) => file));
  for (const file of files) {
    const imports = readFileSync(file, "utf8").matchAll(/from\s*"(\/build\/[^"]+)"|import\s*"(\/build\/[^"]+)"/g);
    for (const [, from, bare] of imports) files.add(`public${from ?? bare}`);
  }
  const total = [...files].reduce((sum, file) => sum + gzipped(file), 0);
  expect(total).toBeLessThan(130 * KIB);
});

test("the Worker stays under a megabyte, compressed", () => {
  expect(gzipped("build/index.js")).toBeLessThan(1024 * KIB);
});

function* sourcesUnder(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* sourcesUnder(full);
    else if (/\.tsx?$/.test(entry.name)) yield full;
  }
}

const sources = ["app", "db", "workers"].flatMap((folder) => [...sourcesUnder(folder)]);
const read = (file: string) => readFileSync(file, "utf8");

test("nobody opens an interactive transaction: D1 has none", () => {
  expect(sources.filter((file) => /\.transaction\(/.test(read(file)))).toEqual([]);
});

test("zod is imported whole: the named import drags every language along", () => {
  expect(sources.filter((file) => /import \{[^}]*\bz\b[^}]*\} from "zod"/.test(read(file)))).toEqual([]);
});

test("every loader and action is marked pure, so that none of it reaches the browser", () => {
  const routes = sources.filter((file) => /^app\/(routes\/|root)/.test(file) && !file.endsWith(".test.ts"));
  expect(routes.filter((file) => /= page\(/.test(read(file)))).toEqual([]);
});

test("no page styles itself: the content security policy refuses style attributes", () => {
  const drawn = sources.filter((file) => /^app\/(components|routes|root)/.test(file) && !file.endsWith(".test.ts"));
  expect(drawn.filter((file) => /\sstyle=\{/.test(read(file)))).toEqual([]);
});

test("a circle or a forbidden import is found by the boundary check", () => {
  const folder = mkdtempSync("app/kernel/boundary-");
  try {
    writeFileSync(
      path.join(folder, "wrong.ts"),
      'import { openD1 } from "@db/client";\nexport const wrong = openD1;\n',
    );
    const bin = "node_modules/dependency-cruiser/bin/dependency-cruise.mjs";
    const result = spawnSync(process.execPath, [bin, folder], { encoding: "utf8" });
    expect(result.stdout).toContain("kernel-sees-nothing");
    expect(result.status).not.toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("every migration is in the book of migrations", () => {
  const journal = JSON.parse(read("db/migrations/meta/_journal.json")) as { entries: { tag: string }[] };
  const files = readdirSync("db/migrations").filter((name) => name.endsWith(".sql"));
  expect(files.sort()).toEqual(journal.entries.map((entry) => `${entry.tag}.sql`).sort());
});
