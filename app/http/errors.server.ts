import { isConnectionError, isOverloadError } from "@db/errors";
import { data } from "@remix-run/cloudflare";
import { AppError } from "~/kernel/app-error";
import type { ErrorCode } from "~/kernel/error-code";
import { UpstreamError } from "~/kernel/upstream-error";
import type { Log } from "~/services";

const BUSY = "We are busier than we can handle right now. Nothing was changed; please try again in a moment.";
const UNKNOWN = "Something went wrong on our side. What you typed was not shown to anyone. Please try again.";

/** The error for too much load. */
export const busy = (cause?: unknown) => new AppError("BUSY", 503, BUSY, { cause });

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
    return new AppError("UPSTREAM_UNAVAILABLE", 503, message, { retryAfterSeconds, cause: error });
  }
  log.error("unexpected", { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  return new AppError("INTERNAL", 500, UNKNOWN, { cause: error });
}

/** The headers of an error's answer. */
export function errorHeaders(error: AppError): HeadersInit {
  return error.retryAfterSeconds === undefined ? {} : { "Retry-After": String(error.retryAfterSeconds) };
}

/** The data of an error boundary. */
export type PageError = {
  code: ErrorCode;
  message: string;
  retryAfterSeconds?: number;
  /** The id of the request in the log. */
  requestId: string;
};

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

/**
 * For calls whose clients read `error` from a failure (specification, section 7): adds the sentence under that name
 * too.
 */
export async function namingError<T>(log: Log, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    const { code, status, message, fieldErrors, retryAfterSeconds, extra } = toAppError(thrown, log);
    throw new AppError(code, status, message, { fieldErrors, retryAfterSeconds, extra: { ...extra, error: message } });
  }
}
