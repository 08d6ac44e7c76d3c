import type { Origin } from "~/kernel/actor";
import { folders, sitePaths } from "~/kernel/paths/site";
import type { ApiScope } from "~/modules/accounts/identity/api-token";
import type { Services } from "~/services";
import { readCookie, sessionCookie } from "./cookies.server";

/** What the Worker hands to every loader and action. */
export type RequestScope = {
  services: Services;
  /** Who and where the request came from, for the audit trail and the limits. */
  origin: Origin;
  /** For the CSP, `<Scripts>` and friends. */
  nonce: string;
  /** What a call asks of an API token: a scope, or any token. Nothing: it is for people with a session. */
  needs?: ApiScope | "any";
  /** Called with the pattern of the call that answers, for the log. */
  toldRoute?: (pattern: string) => void;
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

/**
 * The API token that a call carries; undefined for none. Calls under /api only: a page is for a person with a session.
 * A call with this header never looks at a cookie, because the check for other sites' requests lets it pass.
 */
export function bearerOf(request: Request): string | undefined {
  const { pathname } = new URL(request.url);
  if (!pathname.startsWith(`${folders.api}/`) || pathname.startsWith(sitePaths.apiDocs)) return undefined;
  const header = request.headers.get("Authorization") ?? "";
  return /^bearer(\s|$)/i.test(header) ? header.slice("bearer".length).trim() : undefined;
}

type Scope = Pick<RequestScope, "services" | "origin"> & { request: Request };

/** By the request's origin object: each loader of a page is given a `Request` of its own. */
const found = new WeakMap<RequestScope["origin"], Promise<string | undefined>>();

/** The hash of the token in the request's session cookie; undefined where there is none that we signed. */
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
