import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** What happens to a request on its way: how long its answer waits, or for what, or that it leads nowhere. */
type Way = { delayMs?: number; heldUntil?: Promise<unknown>; isLost?: boolean };
export type Choose = (incoming: IncomingMessage) => Way;

type Changes = {
  /** What becomes of a page on its way. */
  page?: (html: string, policy: string) => string;
  /** What becomes of its content policy. */
  policy?: (policy: string) => string;
  /** Told of each answer. */
  hear?: (incoming: IncomingMessage, status: number) => void;
};

const POLICY = "content-security-policy";

/**
 * A server between a browser and the app, for a slow network, for one that loses scripts, and for whoever listens. To
 * the app, requests that come through it look like those of its own visitors.
 */
export async function standBetween(app: string, chooseWay: Choose, { page, policy, hear }: Changes = {}) {
  const { host, hostname, port } = new URL(app);
  const server = createServer((incoming, outgoing) => {
    const { delayMs = 0, heldUntil, isLost = false } = chooseWay(incoming);
    if (isLost) return outgoing.writeHead(404).end();
    const headers: IncomingMessage["headers"] = { ...incoming.headers, host };
    if (incoming.headers.origin) headers.origin = app;
    if (page) delete headers["accept-encoding"];
    // A connection of its own: one that is kept may be closed by the app at the moment it is used again.
    const to = { hostname, port, path: incoming.url, method: incoming.method, headers, agent: false };
    const asked = request(to, (answer) => {
      setTimeout(async () => {
        await heldUntil;
        const { statusCode = 502, headers: answered } = answer;
        hear?.(incoming, statusCode);
        const own: Record<string, string | string[] | undefined> = {
          ...answered,
          ...(answered.location && { location: answered.location.replace(app, origin) }),
        };
        const stated = String(own[POLICY]);
        if (policy && own[POLICY]) own[POLICY] = policy(stated);
        if (!page || !answered["content-type"]?.startsWith("text/html")) {
          outgoing.writeHead(statusCode, own);
          return answer.pipe(outgoing);
        }
        delete own["content-length"];
        delete own["transfer-encoding"];
        const html = await text(answer);
        outgoing.writeHead(statusCode, own);
        outgoing.end(page(html, stated));
      }, delayMs);
    });
    asked.on("error", () => outgoing.destroy());
    incoming.pipe(asked);
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
