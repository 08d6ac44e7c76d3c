import pdfium from "@embedpdf/pdfium/pdfium.wasm";
import { MAX_BYTES, MAX_MS } from "./limits";
import { PdfiumKeeper } from "./pdf/pdfium";
import { readDocument } from "./read-document";

/**
 * The document reader: bytes in, facts out. It has no database, no secrets and no network, so a document that exploits
 * it gains nothing. Only the app's Worker can call it, through its binding.
 */
const keeper = new PdfiumKeeper(pdfium);

/** How long a document can take, and how long the next one waits for it. */
const LONGEST_MS = MAX_MS + 500;
const PAUSE_MS = 50;

/** The document being read, and when that began. */
let current: { since: number } | undefined;

/**
 * One document after the other: the bytes of the next one are only taken when the one before is done, so that an
 * isolate holds one. A request that the app broke off may never end, so its turn ends when the longest time for a
 * document is over. A document that gets no turn in time is answered with 503, because that says nothing about it, and
 * the app tries it again.
 */
async function inTurn(work: () => Promise<Response>): Promise<Response> {
  const came = Date.now();
  while (current && Date.now() - current.since < LONGEST_MS) {
    if (Date.now() - came > LONGEST_MS) return new Response(null, { status: 503 });
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  const own = { since: Date.now() };
  current = own;
  try {
    return await work();
  } finally {
    if (current === own) current = undefined;
  }
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
