import { folders } from "~/kernel/paths/folders";

/**
 * The API token that a call carries; undefined for none. Calls under /api only: a page is for a person with a session.
 * A call with this header never looks at a cookie, because the check for other sites' requests lets it pass.
 */
export function bearerOf(request: Request): string | undefined {
  if (!new URL(request.url).pathname.startsWith(`${folders.api}/`)) return undefined;
  const header = request.headers.get("Authorization") ?? "";
  return /^bearer(\s|$)/i.test(header) ? header.slice("bearer".length).trim() : undefined;
}
