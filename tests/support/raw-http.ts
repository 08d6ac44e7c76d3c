import { Agent, request } from "node:http";

export type RawAnswer = { status: number; headers: Record<string, string | string[] | undefined>; text: string };

export type RawRequest = {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  agent?: Agent;
};

/** One connection that is kept: what a request leaves on it, the next one meets. */
export const oneConnection = () => new Agent({ keepAlive: true, maxSockets: 1 });

/** A request as it is, without what `fetch` corrects: paths, hosts and headers go out as they are written. */
export function rawRequest(
  origin: string,
  { method = "GET", path, headers = {}, body, agent }: RawRequest,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  // Node frames the body of a DELETE only when it is told how long it is.
  const isFramed = body === undefined || headers["transfer-encoding"] !== undefined;
  const framed = isFramed ? headers : { ...headers, "content-length": String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers: framed, agent: agent ?? false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.on("error", reject);
    if (body !== undefined) sent.write(body);
    sent.end();
  });
}
