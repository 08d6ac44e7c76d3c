// Documents read from bytes to facts by the reader as deployed: one page when the reader is warm, many one after the
// other and at the same time, and the memory that the reader uses for the documents that were made to exhaust it.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { concatTransformationMatrix, drawObject, PDFDocument, popGraphicsState, pushGraphicsState } from "pdf-lib";
import { ensureBuilt } from "../scripts/lib/build.mjs";
import { newStateDir, removeStateDir } from "../scripts/lib/copy.mjs";
import { readerWorker } from "../scripts/lib/reader-worker.mjs";
import { median, row } from "./lib.mjs";
import { startApp } from "./local-app.mjs";
import { forgetPeak, peakMemory } from "./peak-memory.mjs";
import { findWorkerd, processorTime } from "./processor-time.mjs";

const WARM_UP = 20;
const SIDE_BY_SIDE = 8;
const MINUTE_MS = 60_000;

/** The tests' own documents. Their code is built inside the checkout, so that its packages are found. */
async function makeDocuments() {
  const outfile = path.resolve(".cache/bench-documents.mjs");
  const contents = `export { HONEST } from "./honest"; export { PRODUCERS } from "./producers"; export { TRAPS } from "./traps"; export { HOSTILE } from "./hostile";`;
  await build({
    stdin: { contents, resolveDir: path.resolve("tests/support/documents"), loader: "ts" },
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  const { HONEST, PRODUCERS, TRAPS, HOSTILE } = await import(pathToFileURL(outfile));
  const honest = await Promise.all(HONEST.flatMap(({ sheet }) => Object.values(PRODUCERS).map((make) => make(sheet))));
  const traps = await Promise.all(TRAPS.map(({ bytes }) => bytes()));
  return { honest, traps, hostile: HOSTILE.map(([, make]) => make) };
}

await ensureBuilt();
const { honest, traps, hostile } = await makeDocuments();
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
  const hostileTimes = [];
  for (const make of hostile) hostileTimes.push((await read(make())).ms);
  row(
    "a document that was made to fill it, the longest",
    `${Math.round(Math.max(...hostileTimes))} ms`,
    `median ${Math.round(median(hostileTimes))} ms`,
  );
} finally {
  await miniflare.dispose();
}

/** A page whose picture has the largest number of pixels that are painted, and a page that is a scan. */
async function largePictures() {
  const of = async (width, height) => {
    const pdf = await PDFDocument.create();
    const raw = pdf.context.flateStream(new Uint8Array(width * height), {
      ...{ Type: "XObject", Subtype: "Image", Width: width, Height: height },
      ...{ ColorSpace: "DeviceGray", BitsPerComponent: 8 },
    });
    const page = pdf.addPage([595, 842]);
    const name = page.node.newXObject("X", pdf.context.register(raw));
    page.pushOperators(
      pushGraphicsState(),
      concatTransformationMatrix(595, 0, 0, 842, 0, 0),
      drawObject(name),
      popGraphicsState(),
    );
    return pdf.save();
  };
  return [await of(6_300, 6_300), await of(2_480, 3_508)];
}

/**
 * In a workerd that has read nothing before: each document that was made to exhaust it, one after the other, and large
 * ones.
 */
async function benchMemory() {
  const empty = new Miniflare({ modules: true, script: "export default { fetch: () => new Response() }", cf: false });
  await empty.ready;
  const floor = peakMemory(process.pid);
  await empty.dispose();
  const reader = new Miniflare({ workers: [readerWorker("build/reader")] });
  try {
    await reader.ready;
    let added = 0;
    const all = [...hostile.map((make) => () => make()), ...(await largePictures()).map((bytes) => () => bytes)];
    for (const make of all) {
      forgetPeak(process.pid);
      const before = peakMemory(process.pid);
      const response = await reader.dispatchFetch("http://reader/", { method: "POST", body: make() });
      await response.arrayBuffer();
      added = Math.max(added, peakMemory(process.pid) - before);
    }
    row(
      "memory that one document adds, the most",
      `${added} MiB`,
      `${all.length} that were made to fill it, one after the other; an isolate has 128 MiB`,
    );
    row(
      "memory of workerd above an empty one, after all of these",
      `${peakMemory(process.pid) - floor} MiB`,
      "with engines that were thrown away and not yet collected",
    );
  } finally {
    await reader.dispose();
  }
}
await benchMemory();

/** The whole way: a document is sent to the app, kept, read by the reader, judged, and the answer has the verdict. */
const stateDir = newStateDir();
const app = await startApp(stateDir);

async function drop(body) {
  const started = performance.now();
  const response = await fetch(`${app.origin}/api/invoices`, {
    method: "POST",
    headers: { Cookie: app.cookie, "Content-Type": "application/pdf", "x-file-name": "bench.pdf", Connection: "close" },
    body,
  });
  const answer = await response.json();
  if (response.status !== 201 && response.status !== 202) throw new Error(`${response.status}: ${answer.message}`);
  return { ms: performance.now() - started, isRead: response.status === 201 };
}

try {
  for (const bytes of honest.slice(0, WARM_UP)) await drop(bytes);
  const rest = honest.slice(WARM_UP);
  const alone = rest.slice(0, Math.floor(rest.length / 2));
  const times = [];
  for (const bytes of alone) times.push(await drop(bytes));
  const began = performance.now();
  const bulk = rest.slice(alone.length);
  const read = [];
  for (let at = 0; at < bulk.length; at += SIDE_BY_SIDE)
    read.push(...(await Promise.all(bulk.slice(at, at + SIDE_BY_SIDE).map(drop))));
  const minute = Math.round((bulk.length / (performance.now() - began)) * MINUTE_MS);
  const late = [...times, ...read].filter(({ isRead }) => !isRead).length;
  row("from the drop to the verdict, one page, warm, median", `${Math.round(median(times.map(({ ms }) => ms)))} ms`);
  row(`${SIDE_BY_SIDE} dropped side by side, a minute`, minute, `${late} not read within four seconds`);
} finally {
  await app.stop();
  removeStateDir(stateDir);
}
