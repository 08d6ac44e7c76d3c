import { type CsvCell, toCsv } from "~/kernel/csv";

/** The Content-Disposition with a file name, without quotes and control characters. */
function dispositionOf(name: string): string {
  const plain = name.replace(/[^\w.() -]/g, "_");
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`;
}

type WholeFile = {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  type?: "application/octet-stream" | "application/pdf";
};

/** A file that the browser saves rather than opens. */
export function downloadAnswer({ name, bytes, type = "application/octet-stream" }: WholeFile): Response {
  return new Response(bytes, {
    headers: {
      "Content-Type": type,
      "Content-Disposition": dispositionOf(name),
      "Content-Length": String(bytes.length),
      "Cache-Control": "no-store",
    },
  });
}

/** A CSV table that is complete in memory. */
export function csvAnswer({
  name,
  head,
  rows,
}: {
  name: string;
  head: readonly string[];
  rows: CsvCell[][];
}): Response {
  return new Response(toCsv(head, rows), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": dispositionOf(name),
      "Cache-Control": "no-store",
    },
  });
}

type StreamedFile = { name: string; lines: AsyncGenerator<string>; type?: "text/csv" | "application/x-ndjson" };

/** The same for text that is generated while it is sent, so its length is unknown. */
export function streamedDownload({ name, lines, type = "text/csv" }: StreamedFile): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
  return new Response(body, {
    headers: {
      "Content-Type": `${type}; charset=utf-8`,
      "Content-Disposition": dispositionOf(name),
      "Cache-Control": "no-store",
    },
  });
}

const HOUR_SECONDS = 3600;

/** A public file that is generated on request, because it contains the site's address. */
export function textAnswer(body: string, contentType: string): Response {
  return new Response(body, {
    headers: {
      "Content-Type": `${contentType}; charset=utf-8`,
      "Cache-Control": `public, max-age=${HOUR_SECONDS}`,
    },
  });
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes text for the content or an attribute of an XML element. */
export function xmlText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** True for a browser's own post, which accepts a page; a script's accepts data. */
export const isDocumentPost = (request: Request) => (request.headers.get("Accept") ?? "").includes("text/html");
