import pdfium from "@embedpdf/pdfium/pdfium.wasm";
import { MAX_BYTES, MAX_MS } from "./limits";
import { PdfiumKeeper } from "./pdf/pdfium";
import { readDocument } from "./read-document";

/**
 * The document reader: bytes in, facts out. It has no database, no secrets and no network, so a document that exploits
 * it gains nothing. Only the app's Worker can call it, through its binding.
 */
const keeper = new PdfiumKeeper(pdfium);

let last: Promise<unknown> = Promise.resolve();

/**
 * One document after the other: the next one's bytes are only taken once the one before is done, so that the memory of an
 * isolate holds one. A request that was broken off never ends, so the next one waits no longer than that one could take.
 */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const before = last;
  const turn = Promise.race([before, new Promise((resolve) => setTimeout(resolve, MAX_MS + 500))]).then(work);
  last = turn.catch(() => {});
  return turn;
}

async function read(request: Request): Promise<Response> {
  if (request.method !== "POST") return new Response(null, { status: 405 });
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.length > MAX_BYTES) return Response.json({ status: "unreadable", reason: "too_large" });
  const fileName = decodeURIComponent(request.headers.get("X-File-Name") ?? "");
  const contentType = request.headers.get("Content-Type") ?? "";
  return Response.json(await readDocument({ bytes, contentType, fileName }, keeper));
}

export default { fetch: (request: Request) => inTurn(() => read(request)) };
