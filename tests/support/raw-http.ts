import { Agent, request } from "node:http";

export type RawAnswer = { status: number; headers: Record<string, string | string[] | undefined>; text: string };

export type RawRequest = {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  agent?: Agent;
};

/** One persistent connection: the next request meets whatever an earlier one left unread. */
export const oneConnection = () => new Agent({ keepAlive: true, maxSockets: 1 });

/** A request as it is, without what `fetch` corrects: paths, hosts and headers go out as they are written. */
export function rawRequest(
  origin: string,
  { method = "GET", path, headers = {}, body, agent }: RawRequest,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  // Node only sends the body of a DELETE with an explicit length.
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
