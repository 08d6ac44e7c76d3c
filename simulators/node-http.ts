import type { IncomingMessage, ServerResponse } from "node:http";

const MAX_BODY_BYTES = 2 * 1024 * 1024;

/** A request of node:http as the web's; its signal aborts when the caller hangs up. */
export async function toRequest(message: IncomingMessage, answer: ServerResponse, origin: string): Promise<Request> {
  const gone = new AbortController();
  answer.on("close", () => {
    if (!answer.writableFinished) gone.abort();
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    if (typeof value === "string") headers.set(name, value);
    else for (const part of value ?? []) headers.append(name, part);
  }
  const method = message.method ?? "GET";
  const body = method === "GET" || method === "HEAD" ? undefined : await readBody(message);
  return new Request(new URL(message.url ?? "/", origin), { method, headers, body, signal: gone.signal });
}

export async function sendResponse(response: Response, answer: ServerResponse): Promise<void> {
  answer.writeHead(response.status, Object.fromEntries(response.headers));
  answer.end(Buffer.from(await response.arrayBuffer()));
}

async function readBody(message: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error("The body is too large for a simulator");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
