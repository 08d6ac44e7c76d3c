import type { DocumentRead, DocumentReader } from "~/ports/document-reader";
import type { Log } from "~/services-and-actor";

/** A document waits up to 8.5 seconds for its turn, and the reader gives up 8 seconds later; this is for one that hangs. */
const TIMEOUT_MS = 18_000;
/** The reader has no address: only the binding knows where it is. */
const ADDRESS = "http://reader/";

/** Headers may only contain ASCII, and an unpaired surrogate cannot be encoded at all. */
const headerName = (name: string) => encodeURIComponent(new TextDecoder().decode(new TextEncoder().encode(name)));

/** The reader in a Worker of its own, reached by its binding. */
type Options = { binding: { fetch(request: Request): Promise<Response> }; log: Pick<Log, "warn">; timeoutMs?: number };

export function createDocumentReader({ binding, log, timeoutMs = TIMEOUT_MS }: Options): DocumentReader {
  const isTooSlow = (error: unknown) =>
    error instanceof Error && /TimeoutError|exceeded.*(?:CPU|time)/i.test(`${error.name} ${error.message}`);
  return {
    async read({ bytes, contentType, fileName }) {
      const request = new Request(ADDRESS, {
        method: "POST",
        headers: {
          "Content-Type": contentType || "application/octet-stream",
          "X-File-Name": headerName(fileName),
        },
        body: bytes.slice(),
        signal: AbortSignal.timeout(timeoutMs),
      });
      try {
        const response = await binding.fetch(request);
        if (response.ok) return (await response.json()) as DocumentRead;
        log.warn("document_reader.failed", { status: response.status });
      } catch (error) {
        if (isTooSlow(error)) return { status: "unreadable", reason: "too_slow" };
        log.warn("document_reader.failed", { error: error instanceof Error ? error.name : "unknown" });
      }
      return { status: "unreadable", reason: "reader_down" };
    },
  };
}
