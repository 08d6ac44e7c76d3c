import type { AppLoadContext, EntryContext } from "@remix-run/cloudflare";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToReadableStream } from "react-dom/server";
import { NonceContext } from "~/components/layout/nonce";
import { cardFormSources } from "~/http/card-form.server";
import type { PageError } from "~/http/errors.server";
import { contentSecurityPolicy } from "~/http/security-headers.server";

const ABORT_DELAY_MS = 5_000;

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  { nonce, services, origin }: AppLoadContext,
) {
  let finalStatus = status;
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), ABORT_DELAY_MS);
  const body = await renderToReadableStream(
    <NonceContext.Provider value={nonce}>
      <RemixServer context={remixContext} url={request.url} abortDelay={ABORT_DELAY_MS} nonce={nonce} />
    </NonceContext.Provider>,
    {
      nonce,
      signal: controller.signal,
      onError(error) {
        if (controller.signal.aborted) return;
        services.log.error("render", { requestId: origin.requestId, error: String(error) });
        finalStatus = 500;
      },
    },
  );
  body.allReady.finally(() => clearTimeout(timer)).catch(() => {});
  if (isbot(request.headers.get("User-Agent") ?? "")) await body.allReady;
  const retryAfter = retryAfterOf(remixContext);
  if (retryAfter !== undefined) headers.set("Retry-After", retryAfter);
  headers.set("Content-Type", "text/html; charset=utf-8");
  const others = cardFormSources(new URL(request.url), services.config.cardForm);
  const isDevelopment = process.env.NODE_ENV === "development";
  headers.set("Content-Security-Policy", contentSecurityPolicy(nonce, isDevelopment, others));
  return new Response(body, { status: finalStatus, headers });
}

/** When to try again, as an action said beside its form or a boundary was told: neither brings its headers along. */
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

/** Loaders and actions answer for their own errors (`page`, `api`); what still comes here is a fault of ours. */
export function handleError(error: unknown, { context }: { context: AppLoadContext }) {
  if (error instanceof Error) context.services.log.error("unhandled", { error: error.stack ?? error.message });
}
