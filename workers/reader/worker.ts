import pdfium from "@embedpdf/pdfium/pdfium.wasm";
import { MAX_BYTES } from "./limits";
import { PdfiumKeeper } from "./pdf/pdfium";
import { readDocument } from "./read-document";

/**
 * The document reader: bytes in, facts out. It has no database, no secrets and no network, so a document that exploits
 * it gains nothing. Only the app's Worker can call it, through its binding.
 */
const keeper = new PdfiumKeeper(pdfium);

async function read(request: Request): Promise<Response> {
  if (request.method !== "POST") return new Response(null, { status: 405 });
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.length > MAX_BYTES) return Response.json({ status: "unreadable", reason: "too_large" });
  const fileName = decodeURIComponent(request.headers.get("X-File-Name") ?? "");
  const contentType = request.headers.get("Content-Type") ?? "";
  return Response.json(await readDocument({ bytes, contentType, fileName }, keeper));
}

export default { fetch: read };
