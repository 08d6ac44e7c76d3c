import { isConnectionError, isOverloadError } from "@db/errors";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { AppError, type ErrorCode, UpstreamError } from "~/kernel/app-error";
import { type CsvCell, toCsv } from "~/kernel/csv";
import type { Log } from "~/services-and-actor";
import type { RequestScope } from "./context.server";

/** The Content-Disposition with a file name, without quotes and control characters. */
function dispositionOf(name: string): string {
  const plain = name.replace(/[^\w.() -]/g, "_");
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`;
}

type WholeFile = {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  type?: "application/octet-stream" | "application/pdf";
};

/** A file that the browser saves rather than opens. */
export function downloadAnswer({ name, bytes, type = "application/octet-stream" }: WholeFile): Response {
  return new Response(bytes, {
    headers: {
      "Content-Type": type,
      "Content-Disposition": dispositionOf(name),
      "Content-Length": String(bytes.length),
      "Cache-Control": "no-store",
    },
  });
}

/** A CSV table that is complete in memory. */
export function csvAnswer({ name, head, rows }: { name: string; head: readonly string[]; rows: CsvCell[][] }) {
  return new Response(toCsv(head, rows), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": dispositionOf(name),
      "Cache-Control": "no-store",
    },
  });
}

type StreamedFile = { name: string; lines: AsyncGenerator<string>; type?: "text/csv" | "application/x-ndjson" };

/** The same for text that is generated while it is sent, so its length is unknown. */
export function streamedDownload({ name, lines, type = "text/csv" }: StreamedFile): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
  return new Response(body, {
    headers: {
      "Content-Type": `${type}; charset=utf-8`,
      "Content-Disposition": dispositionOf(name),
      "Cache-Control": "no-store",
    },
  });
}

const HOUR_SECONDS = 3600;

/** A public file that is generated on request, because it contains the site's address. */
export function textAnswer(body: string, contentType: string): Response {
  return new Response(body, {
    headers: {
      "Content-Type": `${contentType}; charset=utf-8`,
      "Cache-Control": `public, max-age=${HOUR_SECONDS}`,
    },
  });
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes text for the content or an attribute of an XML element. */
export function xmlText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** True for a browser's own post, which accepts a page; a script's accepts data. */
export const isDocumentPost = (request: Request) => (request.headers.get("Accept") ?? "").includes("text/html");

/** A safe path on this site: one leading slash, no host, backslash or control characters; otherwise undefined. */
export function safeRedirectPath(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > 2_000) return undefined;
  // Browsers read "//host" and "/\host" as another site, and drop tabs and line breaks first.
  return /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(value) ? value : undefined;
}

const BUSY = "We are busier than we can handle right now. Nothing was changed; please try again in a moment.";
const UNKNOWN = "Something went wrong on our side. What you typed was not shown to anyone. Please try again.";

/** The error for too much load. */
export const busy = (cause?: unknown) => new AppError("BUSY", BUSY, { cause });

/** Converts anything thrown into the error that people and programs see. Unknown errors are logged with their cause. */
export function toAppError(error: unknown, log: Log): AppError {
  if (error instanceof AppError) {
    if (error.logText) log.warn("refused", { code: error.code, detail: error.logText });
    return error;
  }
  if (isOverloadError(error) || isConnectionError(error)) {
    log.warn("database_unavailable", { error: String(error) });
    return busy(error);
  }
  if (error instanceof UpstreamError) {
    log.warn("upstream_unavailable", { error: error.message });
    const retryAfterSeconds = Math.ceil((error.options.retryAfterMs ?? 30_000) / 1000);
    const message = "A service we depend on did not answer. Nothing was changed; please try again in a moment.";
    return new AppError("UPSTREAM_UNAVAILABLE", message, { retryAfterSeconds, cause: error });
  }
  log.error("unexpected", { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  return new AppError("INTERNAL", UNKNOWN, { cause: error });
}

export function errorHeaders(error: AppError): HeadersInit {
  return error.retryAfterSeconds === undefined ? {} : { "Retry-After": String(error.retryAfterSeconds) };
}

export type PageError = { code: ErrorCode; message: string; retryAfterSeconds?: number; requestId: string };

/** An error in the form that a page throws: the nearest boundary shows it, with the status. */
export function toPageError(error: unknown, log: Log, requestId: string) {
  if (error instanceof Response) return error;
  const known = toAppError(error, log);
  const { code, message, retryAfterSeconds } = known;
  return data<PageError>(
    { code, message, retryAfterSeconds, requestId },
    { status: known.status, headers: errorHeaders(known) },
  );
}

/** For calls whose clients read `error` from a failure (specification, section 7): adds the sentence there too. */
export async function namingError<T>(log: Log, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    const { code, status, message, fieldErrors, retryAfterSeconds, extra } = toAppError(thrown, log);
    throw new AppError(code, message, { status, fieldErrors, retryAfterSeconds, extra: { ...extra, error: message } });
  }
}

export type ApiArgs = RequestScope & { request: Request; params: Record<string, string | undefined> };

/** Handles one method of one path: returns a Response, or a value to be sent as JSON with 200. */
export type ApiHandler = (args: ApiArgs) => Promise<unknown>;

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/**
 * A JSON API path with a handler for each method. Other methods get a 405; an error gets its status and `{ message,
 * code, fieldErrors?, requestId }`.
 */
export function api(handlers: Partial<Record<Method, ApiHandler>>) {
  const answer = async ({ request, context, params }: LoaderFunctionArgs | ActionFunctionArgs) => {
    const { services, origin, nonce } = context;
    try {
      const method = request.method === "HEAD" ? "GET" : request.method;
      const handler = handlers[method as Method];
      if (!handler) {
        const allow = Object.keys(handlers).join(", ");
        const error = new AppError("METHOD_NOT_ALLOWED", `This path accepts ${allow}.`);
        return errorAnswer(error, origin.requestId, { Allow: allow });
      }
      const result = await handler({ services, origin, nonce, request, params });
      return result instanceof Response ? result : json(result);
    } catch (error) {
      // A redirect to a page, for a person who opened the API call in their browser.
      if (error instanceof Response) return error;
      return errorAnswer(toAppError(error, services.log), origin.requestId);
    }
  };
  return { loader: answer, action: answer };
}

export function json(body: unknown, init: ResponseInit = {}): Response {
  const headers = new Headers(init.headers);
  headers.set("Content-Type", "application/json; charset=utf-8");
  return new Response(JSON.stringify(body), { ...init, headers });
}

export function errorAnswer(error: AppError, requestId: string, headers: HeadersInit = {}): Response {
  const { message, code, fieldErrors, extra } = error;
  const body = { message, code, fieldErrors, requestId, ...extra };
  return json(body, { status: error.status, headers: { ...errorHeaders(error), ...headers } });
}
