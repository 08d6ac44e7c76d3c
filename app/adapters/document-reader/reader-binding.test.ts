import { expect, test } from "vitest";
import { createDocumentReader } from "./reader-binding";

const DOCUMENT = {
  bytes: new Uint8Array([1, 2, 3]),
  contentType: "application/pdf",
  fileName: "Rechnung für \ud800 Café.pdf",
};
const READ = { status: "unreadable", reason: "picture", kind: "pdf" } as const;

function readerOver(fetch: (request: Request) => Promise<Response>) {
  const warnings: unknown[] = [];
  const log = { warn: (event: string, fields?: Record<string, unknown>) => void warnings.push({ event, ...fields }) };
  return { reader: createDocumentReader({ binding: { fetch }, log, timeoutMs: 50 }), warnings };
}

test("the bytes and the name go to the reader, and its answer comes back", async () => {
  const seen: unknown[] = [];
  const { reader, warnings } = readerOver(async (request) => {
    seen.push(
      [...new Uint8Array(await request.arrayBuffer())],
      decodeURIComponent(request.headers.get("X-File-Name") ?? ""),
    );
    return Response.json(READ);
  });
  expect(await reader.read(DOCUMENT)).toEqual(READ);
  expect(seen).toEqual([[1, 2, 3], "Rechnung für \ufffd Café.pdf"]);
  expect(warnings).toEqual([]);
});

test("a reader that fails says nothing about the document", async () => {
  const { reader, warnings } = readerOver(async () => new Response("no", { status: 500 }));
  expect(await reader.read(DOCUMENT)).toEqual({ status: "unreadable", reason: "reader_down" });
  expect(warnings).toEqual([{ event: "document_reader.failed", status: 500 }]);
});

test("so does one that is not there, or answers what is no JSON", async () => {
  const gone = readerOver(() => Promise.reject(new TypeError("gone")));
  expect(await gone.reader.read(DOCUMENT)).toEqual({ status: "unreadable", reason: "reader_down" });
  const torn = readerOver(async () => new Response("{"));
  expect(await torn.reader.read(DOCUMENT)).toEqual({ status: "unreadable", reason: "reader_down" });
});

test("a document that takes too long is too slow", async () => {
  const { reader } = readerOver(
    (request) =>
      new Promise((_, reject) => request.signal.addEventListener("abort", () => reject(request.signal.reason))),
  );
  expect(await reader.read(DOCUMENT)).toEqual({ status: "unreadable", reason: "too_slow" });
  const stopped = readerOver(() => Promise.reject(new Error("Worker exceeded CPU time limit.")));
  expect(await stopped.reader.read(DOCUMENT)).toEqual({ status: "unreadable", reason: "too_slow" });
});
