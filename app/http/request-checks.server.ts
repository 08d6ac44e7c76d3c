import { AppError, notFound } from "~/kernel/app-error";
import { folders } from "~/kernel/paths/site";
import { bearerOf } from "./context.server";

const KNOWN_METHODS = ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"];

/** Longest path and query. Redirects repeat parts of an address, and other servers stop at about as much. */
const MAX_ADDRESS_LENGTH = 8_192;

/** How Remix once asked for the data of one route. No page of ours sends it, and Remix logs an error for each. */
const OLD_DATA_PARAMETER = "_data";

/**
 * Refuses what no page and no program of ours sends, before anything is logged or looked up.
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
 * Refuses a state-changing request that a browser sent from another site: Sec-Fetch-Site present and not same-origin,
 * or Origin present and not ours. Both absent is no browser. Signed webhooks and bearer tokens carry their own proof.
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
