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
  const isDevelopment = process.env.NODE_ENV === "development";
  const data = context.renderMeta?.didRenderScripts ? handOver(loaded, nonce) + askAgainWhenKept(nonce) : "";
  const late = isDevelopment ? page : withLateScripts(page, nonce);
  const retryAfter = retryAfterOf(remixContext);
  if (retryAfter !== undefined) headers.set("Retry-After", retryAfter);
  headers.set("Content-Type", "text/html; charset=utf-8");
  const others = cardFormSources(new URL(request.url), services.config.cardForm);
  headers.set("Content-Security-Policy", contentSecurityPolicy(nonce, isDevelopment, others));
  return new Response(`<!DOCTYPE html>${putInside(late, data)}`, { status, headers });
}

const END = "</body></html>";

/** A script after the end of the document is invalid HTML, so this puts it where the browser would move it. */
const putInside = (page: string, data: string): string =>
  page.endsWith(END) ? `${page.slice(0, -END.length)}${data}${END}` : page + data;

const PRELOAD = /<link rel="modulepreload" href="([^"]*)"\/>/g;
const MODULE = /<script nonce="[^"]*" type="module" async="">([\s\S]*?)<\/script>/;

/** Runs in the browser. A page that is not shown, or whose painting the browser does not report, starts after it is loaded. */
const START_WHEN_PAINTED = `(function (files, modules) {
  var nonce = document.currentScript.nonce;
  function start() {
    files.splice(0).forEach(function (file) {
      document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href: file }));
    });
    modules.splice(0).forEach(function (text) {
      document.body.append(Object.assign(document.createElement("script"), { type: "module", nonce: nonce, text: text }));
    });
  }
  addEventListener("load", function () { setTimeout(start, document.hidden ? 0 : 300); });
  new PerformanceObserver(start).observe({ type: "paint", buffered: true });
})`;

/** Without the breaks and indents, each of which stands after a semicolon, a comma or a bracket. */
const inOneLine = (script: string): string => script.replace(/\n\s*/g, "");

/**
 * The page with scripts that wait until it is painted. They are several times the size of its styles and fonts, and asked
 * for at the same moment they would delay both.
 */
function withLateScripts(page: string, nonce: string): string {
  const files = [...page.matchAll(PRELOAD)].map(([, href]) => href);
  return page.replace(PRELOAD, "").replace(MODULE, (_, text: string) => {
    const start = `${START_WHEN_PAINTED}(${inScript(files)},${inScript([inOneLine(text)])})`;
    return `<script nonce="${nonce}">${inOneLine(start)}</script>`;
  });
}

const UNSAFE_IN_SCRIPT = /[&><\u2028\u2029]/g;

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

const inScript = (value: unknown) => JSON.stringify(value).replace(UNSAFE_IN_SCRIPT, escaped);

/** The loaders' data, as Remix passes it to the browser's scripts. */
function handOver(loaded: string, nonce: string): string {
  const stream = "window.__remixContext.streamController";
  return `<script nonce="${nonce}">${stream}.enqueue(${inScript(loaded)});${stream}.close();</script>`;
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
