import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import { ensureBuilt } from "../scripts/lib/build.mjs";

/** Checks the project's rules in the build and in the source files. */

type Metafile = {
  inputs: Record<string, unknown>;
  outputs: Record<string, { entryPoint?: string; inputs: Record<string, { bytesInOutput: number }> }>;
};

await ensureBuilt();
const client = JSON.parse(readFileSync("build/metafile.js.json", "utf8")) as Metafile;

/** Server modules that the compiler would bundle for the browser without a warning. */
const SERVER_ONLY =
  /^(db|workers)\/|\.server\.|node_modules\/(drizzle-orm|@libsql|stripe|zod|@conform-to\/zod|libphonenumber-js|standardwebhooks|remix-auth|uuidv7)\//;

test("nothing that belongs to the server reached the browser's files", () => {
  const shipped = Object.values(client.outputs).flatMap((output) =>
    Object.entries(output.inputs).filter(([input, { bytesInOutput }]) => bytesInOutput > 0 && SERVER_ONLY.test(input)),
  );
  expect(shipped.map(([input]) => input)).toEqual([]);
});

const KIB = 1024;
const known = new Map<string, number>();
/** Most files belong to many pages. */
function gzipped(file: string): number {
  const size = known.get(file) ?? gzipSync(readFileSync(file)).length;
  known.set(file, size);
  return size;
}

type Part = { id: string; parentId?: string; module: string; imports?: string[] };
type Manifest = { entry: Part; routes: Record<string, Part> };

function readManifest(): Manifest {
  const [name] = readdirSync("public/build").filter((file) => file.startsWith("manifest-"));
  return JSON.parse(/=(.*);/s.exec(readFileSync(`public/build/${name}`, "utf8"))?.[1] ?? "null") as Manifest;
}

/** The script files of a page: its own, its layouts', and the browser entry. */
function scriptsOf({ entry, routes }: Manifest, id: string): Set<string> {
  const files = new Set([entry.module, ...(entry.imports ?? [])]);
  for (let part = routes[id]; part; part = routes[part.parentId ?? ""]) {
    for (const file of [part.module, ...(part.imports ?? [])]) files.add(file);
  }
  return files;
}

const sizeOf = (files: Set<string>) => [...files].reduce((sum, file) => sum + gzipped(`public${file}`), 0) / KIB;

test("the sign-in page needs at most 10 files of script and 100 KiB of it, compressed", () => {
  const files = scriptsOf(readManifest(), "routes/_sign-in+/auth");
  expect(files.size).toBeLessThanOrEqual(10);
  expect(sizeOf(files)).toBeLessThanOrEqual(100);
});

test("no page needs more than 115 KiB of script, compressed", () => {
  const manifest = readManifest();
  const pages = Object.keys(manifest.routes).filter((id) => /^routes\/(_|\$)/.test(id));
  expect(pages.length).toBeGreaterThan(40);
  const large = pages.map((id) => [id, sizeOf(scriptsOf(manifest, id))] as const).filter(([, kib]) => kib > 115);
  expect(large).toEqual([]);
});

test("the Worker stays under 1,105 KiB as it is deployed: minified and compressed", () => {
  // Comments are a tenth of the build, and `npm run deploy` leaves them out, and the endpoints of a developer's machine too.
  const deployed = { minify: true, treeShaking: true, define: { "process.env.DEPLOYED": '"true"' } };
  const { code } = transformSync(readFileSync("build/index.js", "utf8"), { ...deployed, format: "esm" });
  expect(["__local", "Karri Floors"].filter((text) => code.includes(text))).toEqual([]);
  expect(gzipSync(code).length).toBeLessThan(1_105 * KIB);
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
      'import { isConstraintError } from "@db/errors";\nexport const wrong = isConstraintError;\n',
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

test("tokens in the addresses of links are kept out of the platform's logs", () => {
  expect(read("wrangler.toml")).toMatch(/\[observability\.logs\]\nenabled = true\ninvocation_logs = false/);
});
