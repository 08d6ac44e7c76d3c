import type { ErrorCode } from "./error-code";
import { cleanLine, clip } from "./text";

/** Field name -> the sentences shown beside that field. */
export type FieldErrors = Record<string, string[]>;

type AppErrorOptions = {
  fieldErrors?: FieldErrors;
  /** Seconds until another attempt makes sense; becomes the Retry-After header. */
  retryAfterSeconds?: number;
  /** Further members of the JSON answer that the specification names, e.g. `action: "LOGIN"`. */
  extra?: Record<string, unknown>;
  /** For the log only; never shown. */
  logText?: string;
  cause?: unknown;
};

/** Sentences repeat what a person typed (a name, a domain, a reason), so their length is limited. */
const MAX_MESSAGE_LENGTH = 300;
const CONTROLS = /\p{Cc}/gu;
/** The Retry-After of a 503 that does not give one. */
const RETRY_AFTER_SECONDS = 5;

/**
 * The one error that commands, queries and guards throw on purpose.
 *
 * `code` is for programs, `status` the HTTP status, `message` the sentence a person reads: one line of at most 300
 * characters. A 503 always has a Retry-After.
 */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly fieldErrors?: FieldErrors;
  readonly retryAfterSeconds?: number;
  readonly extra?: Record<string, unknown>;
  readonly logText?: string;

  constructor(
    readonly code: ErrorCode,
    readonly status: number,
    message: string,
    options: AppErrorOptions = {},
  ) {
    super(clip(cleanLine(message).replace(CONTROLS, ""), MAX_MESSAGE_LENGTH), { cause: options.cause });
    this.fieldErrors = options.fieldErrors;
    this.retryAfterSeconds = options.retryAfterSeconds ?? (status === 503 ? RETRY_AFTER_SECONDS : undefined);
    this.extra = options.extra;
    this.logText = options.logText;
  }
}

/** The same error for a row that is missing, malformed or another organisation's. */
export function notFound(): AppError {
  return new AppError("NOT_FOUND", 404, "Not found");
}

/** Bad input: 400 with the sentences beside the fields. */
export function invalidInput(fieldErrors: FieldErrors, message = "Check the details and try again."): AppError {
  return new AppError("INVALID_INPUT", 400, message, { fieldErrors });
}

/** Why a call to an outside party failed. Every kind except `rejected` may succeed on another attempt. */
export type UpstreamErrorKind =
  | "timeout"
  | "unreachable"
  | "rate_limited"
  | "unavailable"
  /** The response does not match its documentation (bad JSON, missing fields, too large). */
  | "malformed"
  /** The response belongs to another record. Never used, always logged. */
  | "wrong_tenant"
  /** The party refused the request (4xx): repeating it changes nothing. */
  | "rejected";

/** The party is down, or temporarily refuses our credentials: our request itself is fine. */
export const OUTAGES: ReadonlySet<UpstreamErrorKind> = new Set([
  "timeout",
  "unreachable",
  "rate_limited",
  "unavailable",
]);

/** The error that every adapter throws instead of a raw network or parse error. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";

  constructor(
    /** The outside party, e.g. "basiq", "mail". */
    readonly party: string,
    readonly kind: UpstreamErrorKind,
    /** For the log: masked, without secrets or bank numbers. */
    detail: string,
    readonly options: {
      httpStatus?: number;
      /** The party's own error code, e.g. Basiq's "parameter-not-valid". */
      code?: string;
      /** From Retry-After, in milliseconds. */
      retryAfterMs?: number;
      cause?: unknown;
    } = {},
  ) {
    super(`${party}: ${kind}: ${detail}`, { cause: options.cause });
  }

  /** True if the same request may succeed later. */
  get retryable(): boolean {
    return this.kind !== "rejected";
  }
}
