import type { Origin } from "~/kernel/actor";
import type { Services } from "~/services";

/** What the Worker hands to every loader and action. */
export type RequestScope = {
  services: Services;
  /** Who and where the request came from, for the audit trail and the limits. */
  origin: Origin;
  /** For the CSP, `<Scripts>` and friends. */
  nonce: string;
};

declare module "@remix-run/cloudflare" {
  interface AppLoadContext extends RequestScope {}
}

const LOOPBACK = /^(127\.|::1$)/;

/** City and country as Cloudflare knows them of the address; nothing locally. */
function placeOf(request: Request, ipAddress: string | null): string | null {
  if (ipAddress === null || LOOPBACK.test(ipAddress)) return null;
  const { city, country } = (request as { cf?: { city?: unknown; country?: unknown } }).cf ?? {};
  return (
    [city, country]
      .filter((part) => typeof part === "string" && part !== "")
      .join(", ")
      .slice(0, 100) || null
  );
}

/** Reads where a request came from. The address is Cloudflare's and nothing else; locally there may be none. */
export function readOrigin(request: Request, requestId: string): Origin {
  const ipAddress = request.headers.get("CF-Connecting-IP");
  return {
    ipAddress,
    userAgent: request.headers.get("User-Agent")?.slice(0, 300) ?? null,
    requestId,
    place: placeOf(request, ipAddress),
  };
}
