import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";

/** What happens to a request on its way: how long its answer waits, or that it leads nowhere. */
type Way = { delayMs?: number; isLost?: boolean };

/**
 * A server between a browser and the app, for a slow network and for one that loses scripts. The app takes what comes
 * through it for its own visitors' requests.
 */
export async function standBetween(app: string, chooseWay: (incoming: IncomingMessage) => Way) {
  const { host, hostname, port } = new URL(app);
  const server = createServer((incoming, outgoing) => {
    const { delayMs = 0, isLost = false } = chooseWay(incoming);
    if (isLost) return outgoing.writeHead(404).end();
    const headers: IncomingMessage["headers"] = { ...incoming.headers, host };
    if (incoming.headers.origin) headers.origin = app;
    const asked = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      setTimeout(() => {
        const { location } = answer.headers;
        const own = location && { location: location.replace(app, origin) };
        outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...own });
        answer.pipe(outgoing);
      }, delayMs);
    });
    asked.on("error", () => outgoing.destroy());
    incoming.pipe(asked);
  });
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
