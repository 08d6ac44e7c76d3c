import type { APIRequestContext } from "playwright-core";

/**
 * The local server closes a connection that was idle for five seconds. A request that a test sends on it at that moment
 * fails with ECONNRESET, so each request of a test's own opens a connection and closes it. Browsers ask again by themselves.
 */
const OWN = { connection: "close" };

export const withOwnConnections =
  (ask: typeof fetch): typeof fetch =>
  (input, init) => {
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    headers.set("connection", OWN.connection);
    return ask(input, { ...init, headers });
  };

/** The same for `context.request`, which sends requests with the cookies of a browser context. */
export function giveOwnConnections(request: APIRequestContext): void {
  const ask = request.fetch.bind(request);
  const asGiven: typeof request.fetch = (address, options) =>
    ask(address, { ...options, headers: { ...OWN, ...options?.headers } });
  // Retried if a busy machine closed the connection, for reads and for calls with an idempotency key.
  request.fetch = (address, options) =>
    asGiven(address, options).catch((error) => {
      const isSafe = (options?.method ?? "GET").toUpperCase() === "GET" || options?.headers?.["Idempotency-Key"];
      if (isSafe && /ECONNRESET|socket hang up/.test(String(error))) return asGiven(address, options);
      throw error;
    });
}
