import { AppError, notFound } from "~/kernel/app-error";
import { folders, sitePaths } from "~/kernel/paths/site";
import type { ApiScope } from "~/modules/accounts/identity/api-token";
import type { Origin, Services } from "~/services-and-actor";
import { readCookie, sessionCookie } from "./cookies.server";

/** What the Worker passes to every loader and action. */
export type RequestScope = {
  services: Services;
  /** Where the request came from, for the audit trail and limits. */
  origin: Origin;
  nonce: string;
  /** What a call requires of an API token: a scope, or any token. Absent: it is only for people with a session. */
  needs?: ApiScope | "any";
  /** Called with the pattern of the call that answered, for the log. */
  onRoute?: (pattern: string) => void;
};

declare module "@remix-run/cloudflare" {
  interface AppLoadContext extends RequestScope {}
}

const LOOPBACK = /^(127\.|::1$)/;

/** City and country of the address according to Cloudflare; nothing locally. */
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

/** Where a request came from. The address comes only from Cloudflare; locally there may be none. */
export function readOrigin(request: Request, requestId: string): Origin {
  const ipAddress = request.headers.get("CF-Connecting-IP");
  return {
    ipAddress,
    userAgent: request.headers.get("User-Agent")?.slice(0, 300) ?? null,
    requestId,
    place: placeOf(request, ipAddress),
  };
}

/**
 * The API token of a call; undefined when there is none. Only for paths under /api, because pages are for people with a
 * session. A call with this header never uses a cookie, because the cross-site check lets it pass.
 */
export function bearerOf(request: Request): string | undefined {
  const { pathname } = new URL(request.url);
  if (!pathname.startsWith(`${folders.api}/`) || pathname.startsWith(sitePaths.apiDocs)) return undefined;
  const header = request.headers.get("Authorization") ?? "";
  return /^bearer(\s|$)/i.test(header) ? header.slice("bearer".length).trim() : undefined;
}

type Scope = Pick<RequestScope, "services" | "origin"> & { request: Request };

/** Keyed by the request's origin object, because each loader of a page gets its own `Request`. */
const found = new WeakMap<RequestScope["origin"], Promise<string | undefined>>();

/** The hash of the token in the session cookie; undefined when there is none signed by us. */
export function findTokenHash(scope: Scope): Promise<string | undefined> {
  const before = found.get(scope.origin) ?? readTokenHash(scope);
  found.set(scope.origin, before);
  return before;
}

async function readTokenHash({ services, request }: Scope): Promise<string | undefined> {
  const { config, secrets } = services;
  const token = await readCookie<string>(sessionCookie(config.appOrigin, config.cookieSecrets), request);
  return typeof token === "string" && token !== "" ? secrets.hashToken(token) : undefined;
}

const KNOWN_METHODS = ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"];

/** The longest accepted path and query. Redirects repeat parts of an address, and other servers have similar limits. */
const MAX_ADDRESS_LENGTH = 8_192;

/** An old Remix parameter for a route's data. No page of ours sends it, and Remix logs an error for each. */
const OLD_DATA_PARAMETER = "_data";

/**
 * Refuses requests that none of our pages or clients send, before anything is logged or looked up.
 * @throws AppError 405 METHOD_NOT_ALLOWED, 414 ADDRESS_TOO_LONG, 404 NOT_FOUND
 */
export function requireKnownRequest({ method, url }: Request): void {
  if (!KNOWN_METHODS.includes(method)) throw new AppError("METHOD_NOT_ALLOWED", "This method is not supported.");
  const { pathname, search, searchParams } = new URL(url);
  if (pathname.length + search.length > MAX_ADDRESS_LENGTH) {
    throw new AppError("ADDRESS_TOO_LONG", "The address is too long.");
  }
  if (searchParams.has(OLD_DATA_PARAMETER)) throw notFound();
}

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses a state-changing request that a browser sent from another site: Sec-Fetch-Site is present and not
 * same-origin, or Origin is present and not ours. If both are absent, it is not a browser. Signed webhooks and bearer
 * tokens are authenticated separately.
 * @throws AppError 403 FORBIDDEN_ORIGIN
 */
export function requireSameOrigin(request: Request, appOrigin: string): void {
  if (SAFE.has(request.method)) return;
  const { pathname } = new URL(request.url);
  if (pathname.startsWith(`${folders.webhooks}/`)) return;
  if (bearerOf(request) !== undefined) return;
  const site = request.headers.get("Sec-Fetch-Site");
  const origin = request.headers.get("Origin");
  if ((site !== null && site !== "same-origin") || (origin !== null && origin !== appOrigin)) {
    throw new AppError("FORBIDDEN_ORIGIN", "This request came from another site and was refused.");
  }
}
