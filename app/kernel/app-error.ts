import { cleanLine, clip } from "./text";

/**
 * Every code that an error's JSON answer may contain, by which programs tell errors apart. The API guarantees that a
 * published code keeps its meaning.
 */
export type ErrorCode =
  | "ACCOUNT_INACTIVE"
  | "ACCOUNT_NOT_PROVED"
  | "ACCOUNT_PENDING"
  | "ACCOUNT_REJECTED"
  | "ADDRESS_NOT_CONFIRMED"
  | "ADDRESS_TOO_LONG"
  | "ADMIN_REQUIRED"
  | "ALREADY_A_MEMBER"
  | "ALREADY_CONFIRMED"
  | "ALREADY_DECIDED"
  | "ALREADY_INVITED"
  | "ALREADY_SENT"
  | "ALREADY_VERIFIED"
  | "APPROVAL_CHANGED"
  | "APPROVAL_LIMIT"
  | "BAD_SIGNATURE"
  | "BANK_BUDGET_USED_UP"
  | "BUSY"
  | "CANCEL_FAILED"
  | "CHANGED_MEANWHILE"
  | "CHECK_WOULD_REPEAT"
  | "CLOSING_ASKED"
  | "CONSENT_NOT_ACCEPTED"
  | "DECIDE_ONE_BY_ONE"
  | "DELIVERY_PENDING"
  | "DETAILS_CHANGED"
  | "DISPUTED"
  | "DOMAIN_CLAIMED"
  | "DOMAIN_NOT_PROVEN"
  | "DUPLICATE_PAYEE"
  | "EDIT_CONFLICT"
  | "EMAIL_EXISTS"
  | "EMAIL_NOT_CONFIRMED"
  | "ENDPOINT_NOT_ACTIVE"
  | "FILE_CHANGED"
  | "FILE_NOT_OPEN"
  | "INVALID_DOCUMENT"
  | "INVOICE_CHANGED"
  | "INVOICE_MAIL_NOT_CONFIGURED"
  | "INVOICE_READING"
  | "INVOICE_STOPPED"
  | "FILE_TOTAL_TOO_LARGE"
  | "FORBIDDEN_ORIGIN"
  | "IDEMPOTENCY_CONFLICT"
  | "IMPORT_MOVED"
  | "INSTANT_CHECK_NOT_CONFIGURED"
  | "INTERNAL"
  | "INVALID_CREDENTIALS"
  | "INVALID_FILE"
  | "INVALID_INPUT"
  | "INVALID_PASSKEY"
  | "INVALID_TOKEN"
  | "INVALID_TOTP"
  | "INVITATION_EXPIRED"
  | "INVITATION_USED"
  | "LAST_ADMIN"
  | "LINES_HELD_AGAIN"
  | "LINK_EXPIRED"
  | "LINK_STILL_WORKS"
  | "LINK_USED"
  | "MALFORMED"
  | "MAPPING_REQUIRED"
  | "MEMBER_CHANGED"
  | "METHOD_NOT_ALLOWED"
  | "NAME_DECIDED"
  | "NOTHING_HELD"
  | "NOT_CLOSING"
  | "NOTHING_TO_CANCEL"
  | "NOTHING_TO_CLEAR"
  | "NOTHING_TO_CONFIRM"
  | "NOTHING_TO_RESTORE"
  | "NOTHING_TO_RESUME"
  | "NOTHING_TO_SETTLE"
  | "NOT_DECIDED"
  | "NOT_FOUND"
  | "NO_BILLING"
  | "ORGANIZATION_NOT_FOUND"
  | "ORGANIZATION_NOT_YOURS"
  | "ORGANIZATION_REQUIRED"
  | "ORGANIZATION_SUSPENDED"
  | "OTHER_PAYING_ACCOUNT"
  | "OWN_ACCOUNT"
  | "PASSKEYS_NOT_POSSIBLE"
  | "PASSKEY_EXPIRED"
  | "PASSKEY_REQUIRED"
  | "PAYEE_ARCHIVED"
  | "PAYEE_CHANGING"
  | "PAYEE_CONTACT_REQUIRED"
  | "PAYEE_DISPUTED"
  | "PAYEE_IN_USE"
  | "PAYEE_REQUIRED"
  | "ON_HOLD"
  | "PAYER_REQUIRED"
  | "PAYMENT_CHANGED"
  | "PAYMENT_HELD"
  | "PAYMENT_NOT_HELD"
  | "PAYMENT_UNDER_WAY"
  | "POLICY_CHANGED"
  | "PROVIDER_NOT_TESTED"
  | "PROVIDER_REFUSED"
  | "PROVIDER_REQUIRED"
  | "PROVIDER_SESSION"
  | "RATE_LIMITED"
  | "READ_ONLY"
  | "REASON_REQUIRED"
  | "RESUME_FAILED"
  | "SCOPE_MISSING"
  | "SECOND_PERSON_REQUIRED"
  | "SESSION_REQUIRED"
  | "SIGNED_OUT"
  | "SIGN_IN_EXPIRED"
  | "SIGN_IN_LOCKED"
  | "STANDING_UNCHANGED"
  | "STEP_UP_REQUIRED"
  | "SUBSCRIPTION_CHANGED"
  | "SUBSCRIPTION_ERROR"
  | "SUBSCRIPTION_REQUIRED"
  | "SUPER_ADMIN_REQUIRED"
  | "TEXTS_OFF"
  | "TOO_LARGE"
  | "TOO_MANY_ENDPOINTS"
  | "TOO_MANY_PASSKEYS"
  | "TOO_MANY_TOKENS"
  | "TOTP_REQUIRED"
  | "TWO_STEP_NOT_BEGUN"
  | "TWO_STEP_OFF"
  | "TWO_STEP_ON"
  | "TWO_STEP_REQUIRED"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "UPSTREAM_UNAVAILABLE"
  | "VERIFICATION_CHANGED"
  | "VERIFICATION_PENDING"
  | "WAY_IN"
  | "WRONG_PERSON";

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
    options: {
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
