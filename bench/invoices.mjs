// Documents from their bytes to their facts, by the reader as it is deployed: one page when it is warm, many one after the
// other and side by side, and the memory that it takes with the documents that were made to fill it.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { ensureBuilt } from "../scripts/lib/build.mjs";
import { newStateDir, removeStateDir } from "../scripts/lib/copy.mjs";
import { READER, readerWorker } from "../scripts/lib/reader-worker.mjs";
import { median, row } from "./lib.mjs";
import { startApp } from "./local-app.mjs";
import { peakMemory } from "./peak-memory.mjs";
import { findWorkerd, processorTime } from "./processor-time.mjs";

const WARM_UP = 20;
const SIDE_BY_SIDE = 8;
const MINUTE_MS = 60_000;

/** The documents of the tests, as they make them. Inside the checkout, so that their packages are found. */
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

/** The bytes that the reader's isolate holds, garbage included: its heap, and buffers and the engine beside it. */
async function watchIsolate(miniflare) {
  const { host } = await miniflare.getInspectorURL();
  const socket = new WebSocket(`ws://${host}/${READER}`);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error("the inspector of the reader does not answer"));
  });
  const open = new Map();
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(data);
    open.get(id)?.(result);
  };
  let count = 0;
  const ask = (method) =>
    new Promise((resolve) => {
      count += 1;
      open.set(count, resolve);
      socket.send(JSON.stringify({ id: count, method }));
    });
  const held = async () => {
    const { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 } = await ask("Runtime.getHeapUsage");
    return (usedSize + embedderHeapUsedSize + backingStorageSize) / 1024 ** 2;
  };
  return { held, collect: () => ask("HeapProfiler.collectGarbage"), close: () => socket.close() };
}

/** An email of nearly ten megabytes: what holds the most copies of its bytes. */
function largeEmail() {
  const body = Buffer.alloc(7 * 1024 ** 2, 1)
    .toString("base64")
    .replace(/.{76}/g, "$&\r\n");
  return Buffer.from(
    `From: a@b.example\r\nTo: c@d.example\r\nSubject: Invoice\r\nMIME-Version: 1.0\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${body}`,
  );
}

await ensureBuilt();
const { honest, traps, hostile } = await makeDocuments();
const miniflare = new Miniflare({ inspectorPort: 0, workers: [readerWorker("build/reader")] });

async function read(body) {
  const started = performance.now();
  const response = await miniflare.dispatchFetch("http://reader/", { method: "POST", body });
  const answer = await response.json();
  return { answer, ms: performance.now() - started };
}

try {
  await miniflare.ready;
  const idle = peakMemory(process.pid);
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
  const isolate = await watchIsolate(miniflare);
  const [withGarbage, without] = [[], []];
  for (const make of [...hostile, largeEmail]) {
    const body = make();
    await Promise.all(Array.from({ length: SIDE_BY_SIDE / 2 }, () => read(body)));
    withGarbage.push(await isolate.held());
    await isolate.collect();
    without.push(await isolate.held());
  }
  isolate.close();
  row(
    "memory of the reader after four of each side by side, the most",
    `${Math.round(Math.max(...without))} MiB`,
    `${Math.round(Math.max(...withGarbage))} MiB with garbage; goal: 128 MiB`,
  );
  row(
    "memory of workerd at its highest, all of these",
    `${peakMemory(process.pid)} MB`,
    `${usual} MB before the hostile ones, ${idle} MB before the first document`,
  );
} finally {
  await miniflare.dispose();
}

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
