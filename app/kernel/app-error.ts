import { cleanLine, clip } from "./text";

/**
 * Every code that an error's JSON answer may contain, by which programs tell errors apart, with its HTTP status. The API
 * guarantees that a published code keeps its meaning.
 */
export const STATUS_OF = {
  ACCOUNT_INACTIVE: 403,
  ACCOUNT_NOT_PROVED: 403,
  ACCOUNT_PENDING: 403,
  ACCOUNT_REJECTED: 403,
  ADDRESS_NOT_CONFIRMED: 409,
  ADDRESS_TOO_LONG: 414,
  ADMIN_REQUIRED: 403,
  ALREADY_A_MEMBER: 409,
  ALREADY_CONFIRMED: 409,
  ALREADY_DECIDED: 409,
  ALREADY_INVITED: 409,
  ALREADY_SENT: 409,
  ALREADY_VERIFIED: 409,
  APPROVAL_CHANGED: 409,
  APPROVAL_LIMIT: 403,
  BAD_SIGNATURE: 401,
  BANK_BUDGET_USED_UP: 409,
  BUSY: 503,
  CANCEL_FAILED: 503,
  CHANGED_MEANWHILE: 409,
  CHECK_WOULD_REPEAT: 409,
  CLOSING_ASKED: 409,
  CONSENT_NOT_ACCEPTED: 409,
  DECIDE_ONE_BY_ONE: 409,
  DELIVERY_PENDING: 409,
  DETAILS_CHANGED: 409,
  DISPUTED: 409,
  DOMAIN_CLAIMED: 409,
  DOMAIN_NOT_PROVEN: 409,
  DUPLICATE_PAYEE: 409,
  EDIT_CONFLICT: 409,
  EMAIL_EXISTS: 409,
  EMAIL_NOT_CONFIRMED: 403,
  ENDPOINT_NOT_ACTIVE: 409,
  FILE_CHANGED: 409,
  FILE_NOT_OPEN: 409,
  FILE_TOTAL_TOO_LARGE: 409,
  FORBIDDEN_ORIGIN: 403,
  IDEMPOTENCY_CONFLICT: 409,
  IMPORT_MOVED: 409,
  INSTANT_CHECK_NOT_CONFIGURED: 409,
  INTERNAL: 500,
  INVALID_CREDENTIALS: 401,
  INVALID_DOCUMENT: 400,
  INVALID_FILE: 400,
  INVALID_INPUT: 400,
  INVALID_PASSKEY: 401,
  INVALID_TOKEN: 401,
  INVALID_TOTP: 401,
  INVITATION_EXPIRED: 410,
  INVITATION_USED: 409,
  INVOICE_CHANGED: 409,
  INVOICE_MAIL_NOT_CONFIGURED: 409,
  INVOICE_READING: 409,
  INVOICE_STOPPED: 409,
  LAST_ADMIN: 409,
  LINES_HELD_AGAIN: 409,
  LINK_EXPIRED: 410,
  LINK_STILL_WORKS: 409,
  LINK_USED: 410,
  MALFORMED: 400,
  MAPPING_REQUIRED: 400,
  MEMBER_CHANGED: 409,
  METHOD_NOT_ALLOWED: 405,
  NAME_DECIDED: 409,
  NOTHING_HELD: 409,
  NOTHING_TO_CANCEL: 409,
  NOTHING_TO_CLEAR: 409,
  NOTHING_TO_CONFIRM: 409,
  NOTHING_TO_RESTORE: 409,
  NOTHING_TO_RESUME: 409,
  NOTHING_TO_SETTLE: 409,
  NOT_CLOSING: 409,
  NOT_DECIDED: 409,
  NOT_FOUND: 404,
  NO_BILLING: 409,
  ON_HOLD: 503,
  ORGANIZATION_NOT_FOUND: 404,
  ORGANIZATION_NOT_YOURS: 403,
  ORGANIZATION_REQUIRED: 403,
  ORGANIZATION_SUSPENDED: 403,
  OTHER_PAYING_ACCOUNT: 409,
  OWN_ACCOUNT: 409,
  PASSKEYS_NOT_POSSIBLE: 409,
  PASSKEY_EXPIRED: 401,
  PASSKEY_REQUIRED: 403,
  PAYEE_ARCHIVED: 409,
  PAYEE_CHANGING: 409,
  PAYEE_CONTACT_REQUIRED: 409,
  PAYEE_DISPUTED: 409,
  PAYEE_IN_USE: 409,
  PAYEE_REQUIRED: 409,
  PAYER_REQUIRED: 409,
  PAYMENT_CHANGED: 409,
  PAYMENT_HELD: 409,
  PAYMENT_NOT_HELD: 409,
  PAYMENT_UNDER_WAY: 409,
  POLICY_CHANGED: 409,
  PROVIDER_NOT_TESTED: 409,
  PROVIDER_REFUSED: 401,
  PROVIDER_REQUIRED: 403,
  PROVIDER_SESSION: 403,
  RATE_LIMITED: 429,
  READ_ONLY: 403,
  REASON_REQUIRED: 409,
  RESUME_FAILED: 503,
  SCOPE_MISSING: 403,
  SECOND_PERSON_REQUIRED: 403,
  SESSION_REQUIRED: 403,
  SIGNED_OUT: 401,
  SIGN_IN_EXPIRED: 401,
  SIGN_IN_LOCKED: 429,
  STANDING_UNCHANGED: 409,
  STEP_UP_REQUIRED: 403,
  SUBSCRIPTION_CHANGED: 409,
  SUBSCRIPTION_ERROR: 503,
  SUBSCRIPTION_REQUIRED: 402,
  SUPER_ADMIN_REQUIRED: 403,
  TEXTS_OFF: 409,
  TOO_LARGE: 413,
  TOO_MANY_ENDPOINTS: 409,
  TOO_MANY_PASSKEYS: 409,
  TOO_MANY_TOKENS: 409,
  TOTP_REQUIRED: 401,
  TWO_STEP_NOT_BEGUN: 409,
  TWO_STEP_OFF: 409,
  TWO_STEP_ON: 409,
  TWO_STEP_REQUIRED: 403,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UPSTREAM_UNAVAILABLE: 503,
  VERIFICATION_CHANGED: 409,
  VERIFICATION_PENDING: 409,
  WAY_IN: 409,
  WRONG_PERSON: 403,
} as const;

export type ErrorCode = keyof typeof STATUS_OF;

/** Field name -> the sentences shown beside that field. */
export type FieldErrors = Record<string, string[]>;

/** Sentences repeat what a person typed (a name, a domain, a reason), so their length is limited. */
const MAX_MESSAGE_LENGTH = 300;
const CONTROLS = /\p{Cc}/gu;
/** The Retry-After of a 503 that does not give one. */
const RETRY_AFTER_SECONDS = 5;

/**
 * The one error that commands, queries and guards throw on purpose.
 *
 * `code` is for programs, `status` is the HTTP status, `message` the sentence a person reads: one line of at most 300
 * characters. A 503 always has a Retry-After.
 */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly status: number;
  readonly fieldErrors?: FieldErrors;
  readonly retryAfterSeconds?: number;
  readonly extra?: Record<string, unknown>;
  readonly logText?: string;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: {
      /** Where it differs from the code's own. */
      status?: number;
      fieldErrors?: FieldErrors;
      /** Seconds until another attempt makes sense; becomes the Retry-After header. */
      retryAfterSeconds?: number;
      /** Further members of the JSON answer that the specification names, e.g. `action: "LOGIN"`. */
      extra?: Record<string, unknown>;
      /** For the log only; never shown. */
      logText?: string;
      cause?: unknown;
    } = {},
  ) {
    super(clip(cleanLine(message).replace(CONTROLS, ""), MAX_MESSAGE_LENGTH), { cause: options.cause });
    this.status = options.status ?? STATUS_OF[code];
    this.fieldErrors = options.fieldErrors;
    this.retryAfterSeconds = options.retryAfterSeconds ?? (this.status === 503 ? RETRY_AFTER_SECONDS : undefined);
    this.extra = options.extra;
    this.logText = options.logText;
  }
}

/** The same error for a row that is missing, malformed or another organisation's. */
export function notFound(): AppError {
  return new AppError("NOT_FOUND", "Not found");
}

/** Bad input: 400 with the sentences beside the fields. */
export function invalidInput(fieldErrors: FieldErrors, message = "Check the details and try again."): AppError {
  return new AppError("INVALID_INPUT", message, { fieldErrors });
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
