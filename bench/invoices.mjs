// Documents from their bytes to their facts, by the reader as it is deployed: one page when it is warm, many one after the
// other and side by side, and the memory that it takes with the documents that were made to fill it.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { ensureBuilt } from "../scripts/lib/build.mjs";
import { newStateDir, removeStateDir } from "../scripts/lib/copy.mjs";
import { readerWorker } from "../scripts/lib/reader-worker.mjs";
import { median, row } from "./lib.mjs";
import { peakMemory } from "./peak-memory.mjs";
import { findWorkerd, processorTime } from "./processor-time.mjs";

const WARM_UP = 20;
const SIDE_BY_SIDE = 8;
const MINUTE_MS = 60_000;

/** The documents of the tests, as they make them. */
async function makeDocuments(folder) {
  const outfile = path.join(folder, "documents.mjs");
  const contents = `export { HONEST } from "./honest"; export { PRODUCERS } from "./producers"; export { TRAPS } from "./traps"; export { HOSTILE } from "./hostile";`;
  await build({
    stdin: { contents, resolveDir: path.resolve("tests/support/documents"), loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    banner: {
      js: `import { createRequire } from "node:module"; const require = createRequire("${path.resolve("package.json")}"); const __dirname = "${path.resolve("node_modules/pdfkit/js")}";`,
    },
    logLevel: "error",
  });
  const { HONEST, PRODUCERS, TRAPS, HOSTILE } = await import(pathToFileURL(outfile));
  const honest = await Promise.all(HONEST.flatMap(({ sheet }) => Object.values(PRODUCERS).map((make) => make(sheet))));
  const traps = await Promise.all(TRAPS.map(({ bytes }) => bytes()));
  return { honest, traps, hostile: HOSTILE.map(([, make]) => make) };
}

const folder = newStateDir();
await ensureBuilt();
const { honest, traps, hostile } = await makeDocuments(folder);
const miniflare = new Miniflare({ workers: [readerWorker("build/reader")] });

async function read(body) {
  const started = performance.now();
  const response = await miniflare.dispatchFetch("http://reader/", { method: "POST", body });
  const answer = await response.json();
  return { answer, ms: performance.now() - started };
}

try {
  await miniflare.ready;
  const first = await read(honest[0]);
  for (const bytes of honest.slice(0, WARM_UP)) await read(bytes);
  const before = processorTime(findWorkerd(process.pid));
  const started = performance.now();
  const times = [];
  for (const bytes of honest) times.push((await read(bytes)).ms);
  const inTurn = performance.now() - started;
  const processor = processorTime(findWorkerd(process.pid)) - before;
  row("the first document, the engine started with it", `${Math.round(first.ms)} ms`);
  row(
    "a page of an honest invoice, warm, median",
    `${Math.round(median(times))} ms`,
    `${Math.round(processor / honest.length)} ms on the processor`,
  );
  row("one after the other, a minute", Math.round((honest.length / inTurn) * MINUTE_MS), `${honest.length} documents`);
  const began = performance.now();
  for (let at = 0; at < honest.length; at += SIDE_BY_SIDE)
    await Promise.all(honest.slice(at, at + SIDE_BY_SIDE).map(read));
  row(
    `${SIDE_BY_SIDE} side by side, a minute`,
    Math.round((honest.length / (performance.now() - began)) * MINUTE_MS),
    "they share one engine",
  );
  const trapTimes = [];
  for (const bytes of traps) trapTimes.push((await read(bytes)).ms);
  row(
    "a page that was made to deceive, median",
    `${Math.round(median(trapTimes))} ms`,
    `the longest ${Math.round(Math.max(...trapTimes))} ms`,
  );
  const usual = peakMemory(process.pid);
  const hostileTimes = [];
  for (const make of hostile) hostileTimes.push((await read(make())).ms);
  row(
    "a document that was made to fill it, the longest",
    `${Math.round(Math.max(...hostileTimes))} ms`,
    `median ${Math.round(median(hostileTimes))} ms`,
  );
  row(
    "memory of workerd at its highest, all of these",
    `${peakMemory(process.pid)} MB`,
    `${usual} MB before the hostile ones`,
  );
} finally {
  await miniflare.dispose();
  removeStateDir(folder);
}
