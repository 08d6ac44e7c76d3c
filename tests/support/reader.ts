import type { DocumentRead, ReadFacts } from "~/ports/document-reader";
import { ensureBuilt } from "../../scripts/lib/build.mjs";
import { Miniflare } from "../../scripts/lib/miniflare.mjs";
import { readerWorker } from "../../scripts/lib/reader-worker.mjs";

// A build may take longer than a test's time limit.
await ensureBuilt();

let running: Promise<Miniflare> | undefined;

/** The reader as it is deployed, in workerd: one for all files of a run, which ends with the process that runs them. */
async function start(): Promise<Miniflare> {
  const miniflare = new Miniflare({ workers: [readerWorker("build/reader")] });
  await miniflare.ready;
  return miniflare;
}

/** @param until breaks the request off, as the app does when it stops waiting */
export async function read(
  bytes: Uint8Array | string,
  until: AbortSignal = new AbortController().signal,
): Promise<DocumentRead> {
  running ??= start();
  const miniflare = await running;
  const body = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
  const response = await miniflare.dispatchFetch("http://reader/", {
    method: "POST",
    headers: { "X-File-Name": "invoice.pdf" },
    body,
    signal: until,
  });
  return (await response.json()) as DocumentRead;
}

/** The facts, if the document could be read. */
export async function readFacts(bytes: Uint8Array | string): Promise<ReadFacts> {
  const answer = await read(bytes);
  if (answer.status !== "read") throw new Error(`unreadable: ${answer.reason}`);
  return answer;
}
