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
