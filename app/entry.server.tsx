import type { AppLoadContext, EntryContext } from "@remix-run/cloudflare";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToString } from "react-dom/server";
import { cardFormSources, contentSecurityPolicy } from "~/http/security-headers.server";
import { sitePaths } from "~/kernel/paths/site";
import { NonceContext } from "./components/layout/root-data";
import type { PageError } from "./http/responses.server";

/**
 * Renders a page in one go. No part of a page is deferred, and a stream costs a third more, because it cuts the page
 * into pieces of 512 bytes and encodes each string separately.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  { nonce, services }: AppLoadContext,
) {
  // Read even if no script needs it, because an unread stream keeps its memory.
  const loaded = await new Response(remixContext.serverHandoffStream).text();
  const context = { ...remixContext, serverHandoffStream: undefined };
  const page = renderToString(
    <NonceContext.Provider value={nonce}>
      <RemixServer context={context} url={request.url} nonce={nonce} />
    </NonceContext.Provider>,
  );
  const data = context.renderMeta?.didRenderScripts ? handOver(loaded, nonce) + askAgainWhenKept(nonce) : "";
  const retryAfter = retryAfterOf(remixContext);
  if (retryAfter !== undefined) headers.set("Retry-After", retryAfter);
  headers.set("Content-Type", "text/html; charset=utf-8");
  const others = cardFormSources(new URL(request.url), services.config.cardForm);
  const isDevelopment = process.env.NODE_ENV === "development";
  headers.set("Content-Security-Policy", contentSecurityPolicy(nonce, isDevelopment, others));
  return new Response(`<!DOCTYPE html>${putInside(page, data)}`, { status, headers });
}

const END = "</body></html>";

/** A script after the end of the document is invalid HTML, so this puts it where the browser would move it. */
const putInside = (page: string, data: string): string =>
  page.endsWith(END) ? `${page.slice(0, -END.length)}${data}${END}` : page + data;

const UNSAFE_IN_SCRIPT = /[&><\u2028\u2029]/g;

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** The loaders' data, as Remix passes it to the browser's scripts. */
function handOver(loaded: string, nonce: string): string {
  const text = JSON.stringify(loaded).replace(UNSAFE_IN_SCRIPT, escaped);
  const stream = "window.__remixContext.streamController";
  return `<script nonce="${nonce}">${stream}.enqueue(${text});${stream}.close();</script>`;
}

/**
 * Reloads a page that the browser restored from its cache, because it may show data of somebody who has signed out
 * since. WebKit keeps pages that came over plain http whatever their headers say. The script is inline, so that it runs
 * even if the others did not arrive; the button to log out shows who is signed in.
 */
const askAgainWhenKept = (nonce: string) =>
  `<script nonce="${nonce}">addEventListener("pageshow",function(e){if(!e.persisted||!document.querySelector('[action="${sitePaths.logout}"]'))return;document.body.hidden=true;location.reload()})</script>`;

/** `Retry-After` from an action or error boundary, whose headers do not reach the response by themselves. */
function retryAfterOf({ staticHandlerContext }: EntryContext): string | undefined {
  for (const headers of Object.values(staticHandlerContext.actionHeaders ?? {})) {
    const said = headers.get("Retry-After");
    if (said !== null) return said;
  }
  for (const error of Object.values(staticHandlerContext.errors ?? {})) {
    if (!isRouteErrorResponse(error)) continue;
    const seconds = (error.data as Partial<PageError> | null)?.retryAfterSeconds;
    return seconds === undefined ? undefined : String(seconds);
  }
  return undefined;
}

/** Loaders and actions handle their own errors (`page`, `api`); anything that arrives here is a bug of ours. */
export function handleError(error: unknown, { context }: { context: AppLoadContext }) {
  if (error instanceof Error) context.services.log.error("unhandled", { error: error.stack ?? error.message });
}
