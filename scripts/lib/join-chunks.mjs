import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runInNewContext } from "node:vm";
import { transform } from "esbuild";
import { rollup } from "rollup";

/**
 * Joins the browser's files after the build. The compiler splits off a chunk for every set of routes that shares a
 * module: the sign-in page alone needed 50 files, many of one line. Here what every page needs becomes one chunk, what
 * several pages of one audience need another, and the two copies of the manifest learn the new names.
 */

const PUBLIC_PATH = "/build/";
/** Modules that at least this many of the hundred or more routes use go into a common chunk, which every page loads. */
const COMMON_ROUTES = 12;
const COMMON_SIGN_IN_ROUTES = 2;
const SIGN_IN_PAGE = "routes/_sign-in+/auth";
const LARGEST_PAGES = ["routes/_app+/verifications.$id", "routes/_app+/payees.$id"];
/** For a smaller file, the request costs more than the bytes. */
const TINY_BYTES = 200;
/** Leftovers of server modules in the compiled files, and how they are loaded; unused ones can be removed. */
const EMPTY_MODULE = /[\w$]+\(\([\w$]+,([\w$]+)\)=>\{\1\.exports=\{\}\}\)/g;
const UNWRAPPING = /(?<![\w$.])([\w$]+)\(([\w$]+)\(\),1\)/g;
/**
 * The framework's handling of a failed request, and its replacement (app/entry.client.tsx). Without it the framework
 * prints an error or reloads the page, even if the person has pressed something else meanwhile.
 */
const INTERRUPTIONS = [
  [
    /return console\.error\(`Error loading route module \\`\$\{([\w$]+)\.module\}.*?window\.location\.reload\(\),new Promise\(\(\)=>\{\}\)/s,
    "return interruptions.lose($1.id)",
  ],
  [
    /await fetch\(([\w$]+),([\w$]+)\)(;.{0,400}?let ([\w$]+)=await [\w$]+\([\w$]+\.body,window\);)(.{0,80}?)throw console\.error\(([\w$]+)\),(?=new Error\(`Unable to decode turbo-stream)/s,
    // The person left the page after the data arrived and before its stream ended.
    "await interruptions.wait(fetch($1,$2))$3$4.done.catch(e=>interruptions.report(e,$2.signal));$5throw interruptions.report($6,$2.signal),",
  ],
  [/await (fetch\([\w$]+,\{signal:[\w$]+\}\))/, "await interruptions.wait($1)"],
  // The person pointed at a link before its route was known.
  [/console\.warn\(`Tried to prefetch \$\{[\w$]+\} but no routes matched\.`\)/, "void 0"],
  [/console\.error\("Failed to fetch manifest patches",([\w$]+)\)/, "interruptions.report($1)"],
];
const SERVER_MANIFEST = /^var assets_manifest_default = (.*);$/m;

export async function joinChunks(root) {
  const folder = path.join(root, "public/build");
  const serverFile = path.join(root, "build/index.js");
  const manifest = readServerManifest(serverFile);
  const fileOf = (url) => path.join(folder, url.slice(PUBLIC_PATH.length));
  const modules = [manifest.entry.module, ...Object.values(manifest.routes).map((route) => route.module)];
  const output = await bundle(modules.map(fileOf), folder, chooseChunks(manifest, folder, fileOf));
  const licences = collectLicences(folder);
  rename(manifest, output, fileOf);
  removeOld(folder);
  writeFileSync(path.join(folder, "licences.txt"), licences);
  writeChunks(output, folder);
  writeManifests(manifest, folder, serverFile);
}

function readServerManifest(file) {
  const [, text] = SERVER_MANIFEST.exec(readFileSync(file, "utf8")) ?? [];
  if (!text) throw new Error("the build's manifest is not in the expected form");
  return runInNewContext(`(${text})`);
}

/** All files that these files import, directly or indirectly. */
function staticImports(folder, files) {
  const found = new Set();
  const visit = (file) => {
    if (found.has(file)) return;
    found.add(file);
    const source = readFileSync(file, "utf8");
    for (const [, from] of source.matchAll(/(?:from|import)\s*"\/build\/([^"]+)"/g)) visit(path.join(folder, from));
  };
  for (const file of files) visit(file);
  return found;
}

/** A route's module and those of its layouts. */
function partsOf(routes, route) {
  const parts = [];
  for (let part = route; part; part = routes[part.parentId]) parts.push(part.module);
  return parts;
}

/** The chunk that each shared file goes to: for every page, for one audience (`_app+`, `_public+`), or for several. */
function chooseChunks(manifest, folder, fileOf) {
  // The not-found route uses the layouts of several audiences and would split each of them.
  const { root, "routes/$": unknownPath, ...routes } = manifest.routes;
  const chunks = new Map();
  const users = new Map();
  for (const route of Object.values(routes)) {
    for (const file of staticImports(folder, partsOf(routes, route).map(fileOf))) {
      users.set(file, [...(users.get(file) ?? []), route.id]);
    }
  }
  for (const [file, ids] of users) {
    if (readFileSync(file).length < TINY_BYTES) chunks.set(file, "everywhere");
    else if (ids.length >= leastRoutes(ids)) chunks.set(file, chunkOf(ids));
  }
  for (const file of staticImports(folder, [manifest.entry.module, root.module].map(fileOf)))
    chunks.set(file, "everywhere");
  for (const route of [manifest.entry, unknownPath, ...Object.values(routes)]) chunks.delete(fileOf(route.module));
  return chunks;
}

const leastRoutes = (ids) => (ids.includes(SIGN_IN_PAGE) ? COMMON_SIGN_IN_ROUTES : COMMON_ROUTES);

/**
 * The chunk of a shared module: by whether the sign-in page needs it, which is the first that people wait for, whether
 * the review or payee page does, which have the most script of their own, and by audience. What the sign-in page and
 * many signed-in pages need is for every page.
 */
function chunkOf(ids) {
  const isOfSignIn = ids.includes(SIGN_IN_PAGE);
  if (isOfSignIn && ids.filter((id) => audienceOf(id) === "_app+").length >= COMMON_ROUTES) return "everywhere";
  const isOfLargest = LARGEST_PAGES.some((page) => ids.includes(page));
  const [audience, ...others] = new Set(ids.map(audienceOf));
  return `${isOfSignIn} ${isOfLargest} ${others.length === 0 && audience}`;
}

const audienceOf = (id) => id.split("/")[1];

async function bundle(input, folder, chunks) {
  const waiting = new Set(INTERRUPTIONS);
  const nameOf = (file) => path.relative(folder, file).replace(/-[A-Z0-9]{8}\.js$/, "");
  const built = await rollup({
    input: Object.fromEntries(input.map((file) => [nameOf(file), file])),
    preserveEntrySignatures: "strict",
    treeshake: { moduleSideEffects: false },
    plugins: [
      {
        // These files run in a browser, so the libraries' server code is left out.
        name: "in-a-browser",
        transform: (code) =>
          interrupted(code, waiting)
            .replace(/typeof (?:document|window)>"u"/g, "false")
            .replace(/typeof (?:document|window)<"u"/g, "true")
            // As in remix.config.js: one response for all loaders, and server-rendered pages.
            .replace(/window\.__remixContext\.isSpaMode/g, "false")
            .replace(/window\.__remixContext\.future\.v3_singleFetch/g, "true")
            // Its scripts' elements, which only the server writes (app/root.tsx), in its own error page.
            .replace(/(padding:"2rem"\}\},[\w$]+),[\w$]+\?[\w$]+\.createElement\([\w$]+,null\):null/, "$1")
            // Developer hints in inline scripts, which the content security policy blocks.
            .replace(/`\s*console\.log\([^`]*?Hey developer(?:[^`\\]|\\.)*`/g, '""')
            // Notices of the router's next version, which it prints nowhere but on a developer's machine.
            .replace(/&&[\w$]+\("v7_\w+",("[^"]*",?){2}\)/g, "")
            .replace(EMPTY_MODULE, "/*#__PURE__*/$&")
            .replace(UNWRAPPING, "/*#__PURE__*/$1(/*#__PURE__*/$2(),1)"),
      },
      {
        name: "public-path",
        resolveId: (id) => (id.startsWith(PUBLIC_PATH) ? path.join(folder, id.slice(PUBLIC_PATH.length)) : null),
      },
      {
        name: "minify",
        renderChunk: async (code) =>
          (await transform(code, { minify: true, format: "esm", target: "es2022", legalComments: "none" })).code,
      },
    ],
  });
  const { output } = await built.generate({
    format: "es",
    entryFileNames: "[name]-[hash].js",
    chunkFileNames: "_shared/chunk-[hash].js",
    hashCharacters: "hex",
    manualChunks: (id) => chunks.get(id),
  });
  await built.close();
  if (waiting.size > 0) throw new Error(`the framework is not in the expected form: ${[...waiting].join(", ")}`);
  return output;
}

/** Inserts the app's handling of interruptions into the framework's file. */
function interrupted(code, waiting) {
  let changed = code;
  for (const each of INTERRUPTIONS) {
    const [pattern, replacement] = each;
    const next = changed.replace(pattern, replacement);
    if (next !== changed) waiting.delete(each);
    changed = next;
  }
  return changed;
}

/** Writes the new files' names and imports into the manifest. */
function rename(manifest, output, fileOf) {
  const byEntry = new Map(output.filter((chunk) => chunk.isEntry).map((chunk) => [chunk.facadeModuleId, chunk]));
  const byName = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const allImports = (chunk, seen = new Set()) => {
    for (const name of chunk.imports) {
      if (seen.has(name)) continue;
      seen.add(name);
      allImports(byName.get(name), seen);
    }
    return seen;
  };
  for (const part of [manifest.entry, ...Object.values(manifest.routes)]) {
    const chunk = byEntry.get(fileOf(part.module));
    part.module = PUBLIC_PATH + chunk.fileName;
    part.imports = [...allImports(chunk)].map((name) => PUBLIC_PATH + name);
  }
}

/** The licence notices of the libraries, which must be distributed with them, in one file. */
function collectLicences(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".js"));
  const notices = files.flatMap((name) => [
    ...readFileSync(path.join(folder, name), "utf8").matchAll(/\/\*! Bundled license information:\s*([\s\S]*?)\*\//g),
  ]);
  return [...new Set(notices.map(([, notice]) => notice.trim()))].join("\n\n");
}

/** Everything except styles, fonts and images. */
function removeOld(folder) {
  for (const name of readdirSync(folder)) {
    if (name !== "_assets") rmSync(path.join(folder, name), { recursive: true });
  }
}

function writeChunks(output, folder) {
  for (const { fileName, code } of output) {
    const file = path.join(folder, fileName);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
}

/** One copy for the browser and one for the Worker, with a version that is a hash of their contents. */
function writeManifests(manifest, folder, serverFile) {
  const { version: _, url: __, ...said } = manifest;
  const version = createHash("sha256").update(JSON.stringify(said)).digest("hex").slice(0, 8);
  const name = `manifest-${version.toUpperCase()}.js`;
  const text = JSON.stringify({ ...said, version, url: PUBLIC_PATH + name });
  writeFileSync(path.join(folder, name), `window.__remixManifest=${text};`);
  const server = readFileSync(serverFile, "utf8");
  writeFileSync(
    serverFile,
    server.replace(SERVER_MANIFEST, () => `var assets_manifest_default = ${text};`),
  );
}
