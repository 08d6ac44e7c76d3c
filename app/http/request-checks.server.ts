import { AppError, notFound } from "~/kernel/app-error";
import { folders } from "~/kernel/paths/site";
import { bearerOf } from "./context.server";

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
  if (!KNOWN_METHODS.includes(method)) throw new AppError("METHOD_NOT_ALLOWED", 405, "This method is not known here.");
  const { pathname, search, searchParams } = new URL(url);
  if (pathname.length + search.length > MAX_ADDRESS_LENGTH) {
    throw new AppError("ADDRESS_TOO_LONG", 414, "The address is too long.");
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
    throw new AppError("FORBIDDEN_ORIGIN", 403, "This request came from another site and was refused.");
  }
}
