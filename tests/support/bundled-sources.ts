import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin as EsbuildPlugin } from "esbuild";
import type { Plugin } from "vite";
import { ssrExportAllKey } from "vite/module-runner";
import { digestOfSources, withLock } from "../../scripts/lib/build.mjs";

/**
 * The product's sources as one file that the runtime loads by itself. Vitest reads, compiles, sends and evaluates each
 * file that a test imports, which takes about 15 ms of a processor for each of a thousand. Each module runs when a test
 * imports it, as before, and traces name the lines of that one file.
 */

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const FOLDERS = ["app", "db", "workers", "simulators"];
const ASSET = /\.(css|svg|woff2)$/;
const OF_SOURCES = /^@(db|workers|simulators)\//;
const BUILTIN = new RegExp(`^(${builtinModules.filter((name) => !name.startsWith("_")).join("|")})$`);

type Options = {
  /** Names the file. Projects with the same name share it: the first of a run makes it, and the others wait. */
  name: string;
  /** Sources that Vitest loads as before. */
  except?: RegExp;
  /** Libraries that go into the file, because tests and sources share their state. Without them all stay outside. */
  libraries?: readonly string[];
};

const OWN = "bundled-sources";
/** What Vite's other plugins make of an import. */
const AS_OTHERS = { custom: { [OWN]: true } };

/** Where the file of a project is, from the root. */
export const bundleOf = (name: string) => `/build/tests/${name}.js`;

export function bundledSources({ name, except, libraries }: Options): Plugin {
  const modules = FOLDERS.flatMap(listSources).filter((file) => !except?.test(file));
  const named = new Map(
    [...modules.map((file) => path.join(ROOT, file)), ...(libraries ?? [])].map((id, at) => [id, at]),
  );
  let isBuilt: Promise<unknown> | undefined;
  return {
    name: "bundled-sources",
    enforce: "pre",
    async resolveId(source, importer, { custom }) {
      if (custom?.[OWN] || source.startsWith("\0") || source.includes("?")) return;
      // Programs that prepare a run, such as the build, run in Node.
      const isOfTest = !importer?.startsWith(path.join(ROOT, "scripts"));
      const library = isOfTest && libraries?.includes(source) ? source : undefined;
      const id = library ?? (await this.resolve(source, importer, AS_OTHERS))?.id;
      if (id === undefined || !named.has(id)) return;
      const bundling: Bundling = {
        outfile: path.join(ROOT, bundleOf(name)),
        isAlone: libraries !== undefined,
        resolve: async (path, from) => (await this.resolve(path, from, AS_OTHERS))?.id.replace(/\?v=\w+$/, ""),
      };
      isBuilt ??= withLock(() => bundle(named, bundling), path.join(ROOT, `.cache/${name}-tests-lock.db`));
      await isBuilt;
      return `\0bundled:${id}`;
    },
    load(id) {
      if (!id.startsWith("\0bundled:")) return;
      const file = id.slice("\0bundled:".length);
      const hasDefault = !path.isAbsolute(file) || /export default|as default/.test(readFileSync(file, "utf8"));
      return [
        `import { load${named.get(file)} } from ${JSON.stringify(bundleOf(name))};`,
        `const loaded = await load${named.get(file)}();`,
        `${ssrExportAllKey}(loaded);`,
        ...(hasDefault ? ["export default loaded.default;"] : []),
      ].join("\n");
    },
  };
}

const listSources = (folder: string) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\.d\.ts$/.test(file))
    .map((file) => path.join(folder, file));

type Bundling = {
  outfile: string;
  isAlone: boolean;
  resolve(path: string, importer: string): Promise<string | undefined>;
};

/**
 * An import of each module that is called later: esbuild keeps each as a function that runs once. The first line says what
 * the file was made of. It is moved to its place when it is whole.
 */
async function bundle(named: ReadonlyMap<string, number>, { outfile, isAlone, resolve }: Bundling): Promise<void> {
  const contents = [...named]
    .map(([id, at]) => `export const load${at} = () => import(${JSON.stringify(id)});`)
    .join("\n");
  const itself = readFileSync(fileURLToPath(import.meta.url));
  const madeOf = `// ${createHash("sha256").update(digestOfSources()).update(contents).update(itself).digest("hex")}`;
  if (existsSync(outfile) && readFileSync(outfile, "utf8").startsWith(madeOf)) return;
  const unfinished = `${outfile}.${process.pid}`;
  const known = new Map<string, string>();
  const asVitest: EsbuildPlugin = {
    name: "as-vitest",
    setup(build) {
      // A module of the platform that a library requires is imported first.
      build.onResolve({ filter: BUILTIN }, ({ path, kind }) =>
        kind === "require-call" ? { path, namespace: "required" } : { path: `node:${path}`, external: true },
      );
      build.onLoad({ filter: /./, namespace: "required" }, ({ path }) => ({
        contents: `export * from "node:${path}"; export { default } from "node:${path}";`,
      }));
      build.onResolve({ filter: /^(node|cloudflare):/ }, ({ path }) => ({ path, external: true }));
      // Names of sources are in tsconfig.json. Libraries are those that Vite finds for tests.
      build.onResolve({ filter: /^[^./~]/ }, async ({ path: library, importer, kind }) => {
        if (kind === "entry-point" || importer.includes("node_modules") || OF_SOURCES.test(library)) return undefined;
        const file = known.get(library) ?? (await resolve(library, importer || outfile));
        if (file === undefined) return undefined;
        known.set(library, file);
        return { path: file, external: !isAlone && file.includes("/node_modules/") && !ASSET.test(file) };
      });
      build.onLoad({ filter: ASSET }, ({ path: file }) => ({
        contents: `export default ${JSON.stringify(`/${path.relative(ROOT, file)}`)};`,
      }));
    },
  };
  await build({
    stdin: { contents, resolveDir: ROOT, sourcefile: "sources.ts" },
    outfile: unfinished,
    banner: { js: madeOf },
    bundle: true,
    format: "esm",
    platform: isAlone ? "neutral" : "node",
    ...(isAlone && {
      define: { "import.meta.url": JSON.stringify(pathToFileURL(outfile).href) },
      conditions: ["workerd", "worker", "module", "browser"],
      mainFields: ["browser", "module", "jsnext:main", "jsnext", "main"],
    }),
    target: "es2022",
    jsx: "automatic",
    ignoreAnnotations: true,
    logLevel: "error",
    plugins: [asVitest],
  });
  renameSync(unfinished, outfile);
}
