import { AppError } from "~/kernel/app-error";
import { folders } from "~/kernel/paths/folders";
import { bearerOf } from "./bearer-token.server";

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
