/** Why an outside party could not be used. Every kind but `rejected` may succeed on another try. */
export type UpstreamErrorKind =
  | "timeout"
  | "unreachable"
  | "rate_limited"
  | "unavailable"
  /** The answer is not what its documentation promises (bad JSON, missing fields, too large). */
  | "malformed"
  /** The answer belongs to another record. Never used, always logged. */
  | "wrong_tenant"
  /** The party understood us and said no (4xx): asking again changes nothing. */
  | "rejected";

/** The party is down, or does not take our credential for now: nothing is wrong with what we ask. */
export const OUTAGES: ReadonlySet<UpstreamErrorKind> = new Set([
  "timeout",
  "unreachable",
  "rate_limited",
  "unavailable",
]);

/** What every adapter throws instead of a raw network or parse error. */
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

  /** Whether the same request may succeed later. */
  get retryable(): boolean {
    return this.kind !== "rejected";
  }
}
