// Documents from their bytes to their facts, by the reader as it is deployed: one page when it is warm, many one after the
// other and side by side, and the memory that it takes with the documents that were made to fill it.
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

await ensureBuilt();
const { hostile } = await makeDocuments();
/** A page whose picture has as many pixels as are painted at most, and one that is a scan. */
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

/** In a workerd that has read nothing before: each document that was made to fill it, one after the other, and large ones. */
async function benchMemory() {
  const empty = new Miniflare({ modules: true, script: "export default { fetch: () => new Response() }", cf: false });
  await empty.ready;
  const floor = peakMemory(process.pid);
  await empty.dispose();
  const reader = new Miniflare({ workers: [readerWorker("build/reader")] });
  try {
    await reader.ready;
    let most = 0;
    const all = [...hostile.map((make) => () => make()), ...(await largePictures()).map((bytes) => () => bytes)];
    for (const make of all) {
      forgetPeak(process.pid);
      const response = await reader.dispatchFetch("http://reader/", { method: "POST", body: make() });
      await response.arrayBuffer();
      console.log(peakMemory(process.pid) - floor); most = Math.max(most, peakMemory(process.pid) - floor);
    }
    row(
      "memory of workerd above an empty one, at its highest",
      `${most} MiB`,
      `${all.length} documents that were made to fill it, one after the other; the bound is 128 MiB`,
    );
  } finally {
    await reader.dispose();
  }
}
await benchMemory();

