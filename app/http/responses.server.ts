import { type CsvCell, toCsv } from "~/kernel/csv";

/** The name a browser saves under. Quotes and control characters leave it. */
function dispositionOf(name: string): string {
  const plain = name.replace(/[^\w.() -]/g, "_");
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`;
}

type WholeFile = {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  type?: "application/octet-stream" | "application/pdf";
};

/** A file that the browser saves and never opens by itself. */
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

/** A table that is made in one go. */
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

/** The same for text that is made while it is sent: its length is not known yet. */
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

/** A public file that is made on request, because it names the site's own address. */
export function textAnswer(body: string, contentType: string): Response {
  return new Response(body, {
    headers: {
      "Content-Type": `${contentType}; charset=utf-8`,
      "Cache-Control": `public, max-age=${HOUR_SECONDS}`,
    },
  });
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text as the content or attribute of an XML element. */
export function xmlText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** A browser's own post asks for a page; a script's asks for data. */
export const isDocumentPost = (request: Request) => (request.headers.get("Accept") ?? "").includes("text/html");
