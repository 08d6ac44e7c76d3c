import type { ErrorCode } from "~/kernel/app-error";

/** The refusals that the document explains, each code once. Pure. */

type Explained = { status: number; text: string };

export const REFUSALS = {
  INVALID_INPUT: { status: 400, text: "A field is missing or wrong: `fieldErrors` says which and why." },
  MALFORMED: { status: 400, text: "The body cannot be read." },
  INVALID_FILE: { status: 400, text: "The file cannot be read: `problems` names each line." },
  MAPPING_REQUIRED: { status: 400, text: "The columns are not recognised: `headings` lists the headings of the file." },

  SIGNED_OUT: { status: 401, text: "Neither an API token nor a session was sent." },
  INVALID_TOKEN: { status: 401, text: "The API token is unknown, was revoked, or has expired." },
  INVALID_CREDENTIALS: { status: 401, text: "Wrong address or password." },
  TOTP_REQUIRED: { status: 401, text: "The account has two-step sign-in: send the code as `totp`." },
  INVALID_TOTP: { status: 401, text: "The code is wrong or too old." },

  SUBSCRIPTION_REQUIRED: { status: 402, text: "The organisation has no live trial or subscription." },

  READ_ONLY: { status: 403, text: "The person may view but not change anything." },
  ACCOUNT_PENDING: { status: 403, text: "An admin has not approved the person yet." },
  ACCOUNT_REJECTED: { status: 403, text: "An admin has rejected the person." },
  ORGANIZATION_SUSPENDED: { status: 403, text: "The organisation is suspended." },
  ORGANIZATION_REQUIRED: { status: 403, text: "The person belongs to no organisation." },
  ORGANIZATION_NOT_YOURS: { status: 403, text: "The organisation is not one that the person may choose." },
  TWO_STEP_REQUIRED: {
    status: 403,
    text: "The organisation requires two-step sign-in and the person has not set it up.",
  },
  PASSKEY_REQUIRED: {
    status: 403,
    text: "The organisation requires a passkey: to sign in, or for this decision, which then has to be made on its page in a browser.",
  },
  ADMIN_REQUIRED: { status: 403, text: "Only an admin may do this." },
  STEP_UP_REQUIRED: {
    status: 403,
    text: "The organisation shows full bank details to a signed-in person only after a second step in the browser. Calls with an API token need no such step.",
  },
  SCOPE_MISSING: { status: 403, text: "The API token lacks the scope of this call." },
  SESSION_REQUIRED: { status: 403, text: "The call is for signed-in people: an API token cannot make it." },
  EMAIL_NOT_CONFIRMED: {
    status: 403,
    text: "No administrator of the organisation has confirmed their email address yet.",
  },
  SECOND_PERSON_REQUIRED: {
    status: 403,
    text: "The organisation requires a second person, and you entered the bank details here or in the accounting system they came from, connected that system, or asked for the payment or the verification.",
  },
  APPROVAL_LIMIT: { status: 403, text: "The amount is above `approvalLimitCents`, the most that you may approve." },

  NOT_FOUND: {
    status: 404,
    text: "It does not exist, or it belongs to another organisation: both get the same answer.",
  },
  ORGANIZATION_NOT_FOUND: { status: 404, text: "There is no such organisation." },

  IDEMPOTENCY_CONFLICT: { status: 409, text: "The `Idempotency-Key` was used before with another body." },
  EMAIL_EXISTS: { status: 409, text: "There is an account with this address: sign in." },
  DUPLICATE_PAYEE: { status: 409, text: "A payee already has this account: `payeeId` says which." },
  EDIT_CONFLICT: { status: 409, text: "Another person changed the payee first. Read it again." },
  VERIFICATION_PENDING: {
    status: 409,
    text: "A verification of this payee is already open: `verificationId` says which.",
  },
  CHANGED_MEANWHILE: { status: 409, text: "It was changed or ended in the meantime: read it again." },
  ALREADY_DECIDED: { status: 409, text: "It was decided before: the message says by whom." },
  CHECK_WOULD_REPEAT: {
    status: 409,
    text: "Asking the bank again would say nothing new: confirm the details another way.",
  },
  INSTANT_CHECK_NOT_CONFIGURED: { status: 409, text: "Confirmation of Payee is not set up in this installation." },
  NOT_DECIDED: { status: 409, text: "The verification has not been decided yet." },
  DETAILS_CHANGED: { status: 409, text: "The payee's bank details have changed since." },
  VERIFICATION_CHANGED: { status: 409, text: "The verification was just decided or changed. Read it again." },
  REASON_REQUIRED: {
    status: 409,
    text: "Something counts against an approval, or a restoration: `flags` says what. Send a `reason` of your own, or, to approve, record a call that counts as proof.",
  },
  NOTHING_TO_RESTORE: { status: 409, text: "There are no former bank details to put back." },
  PAYEE_ARCHIVED: {
    status: 409,
    text: "The payee is archived: restore it first. A verification of it can be rejected.",
  },
  PAYEE_DISPUTED: { status: 409, text: "The payee said that these are not their details." },
  PAYEE_CONTACT_REQUIRED: {
    status: 409,
    text: "The payee cannot be reached: add an email address or a mobile number.",
  },
  PAYEE_CHANGING: { status: 409, text: "Someone is changing the payee just now. Try again." },
  PAYEE_REQUIRED: { status: 409, text: "The account belongs to no payee, so there is nothing to verify." },
  PAYMENT_HELD: { status: 409, text: "The payment is held: it needs a decision before it can have an outcome." },
  PAYMENT_NOT_HELD: { status: 409, text: "The payment is not held, so there is nothing to decide." },
  PAYMENT_CHANGED: { status: 409, text: "Something new is known about the payment or its payee. Read it again." },
  INVALID_DOCUMENT: { status: 400, text: "The bytes are not a PDF, email or electronic invoice." },
  INVOICE_READING: { status: 409, text: "The invoice is still being read." },
  INVOICE_CHANGED: { status: 409, text: "The invoice has just changed. Read it again." },
  INVOICE_STOPPED: { status: 409, text: "The invoice is stopped and holds payments, so it stays." },
  FILE_NOT_OPEN: { status: 409, text: "The file's `status` does not allow it." },
  FILE_CHANGED: { status: 409, text: "Another person has just changed the file. Read it again." },
  FILE_TOTAL_TOO_LARGE: { status: 409, text: "The total is more than one direct entry file can hold." },
  NOTHING_HELD: { status: 409, text: "The line is no longer held." },
  NOTHING_TO_CLEAR: { status: 409, text: "No authorised line is waiting to be cleared." },
  LINES_HELD_AGAIN: {
    status: 409,
    text: "Something changed since the check: `lines` are held again and nothing was cleared.",
  },
  DECIDE_ONE_BY_ONE: {
    status: 409,
    text: "Something that counts against the account became known after the file was checked: `lines` says what. Read the line again, then decide.",
  },
  OTHER_PAYING_ACCOUNT: {
    status: 409,
    text: "The file names an account to pay from, an account for returned payments or a bank that your organisation has not declared: `problems` says which.",
  },
  PAYER_REQUIRED: {
    status: 409,
    text: "The file does not say who pays. For a table, enter the paying account in the settings of payment files. In a direct entry file, the header lacks the bank or the user number: export it again.",
  },
  TOO_MANY_ENDPOINTS: { status: 409, text: "The organisation has as many endpoints as are allowed." },
  ENDPOINT_NOT_ACTIVE: { status: 409, text: "The endpoint is paused or switched off: make it active first." },
  DELIVERY_PENDING: { status: 409, text: "The event is already on its way." },
  NOTHING_TO_SETTLE: { status: 409, text: "No cleared payment of the file is waiting for an outcome." },
  IMPORT_MOVED: { status: 409, text: "The import's status has changed since." },
  ALREADY_VERIFIED: { status: 409, text: "The payee has already confirmed the details." },
  DISPUTED: { status: 409, text: "The payee has already said that these are not their details." },
  PAYMENT_UNDER_WAY: { status: 409, text: "A payment for the subscription is being processed." },
  NOTHING_TO_CANCEL: { status: 409, text: "There is no subscription to cancel." },

  LINK_EXPIRED: { status: 410, text: "The link has expired." },
  LINK_USED: { status: 410, text: "The link was used, or a newer one replaced it." },

  TOO_LARGE: { status: 413, text: "The body is larger than allowed." },
  ADDRESS_TOO_LONG: { status: 414, text: "The address is longer than allowed." },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, text: "The call does not accept this content type." },

  RATE_LIMITED: { status: 429, text: "Too many calls: wait for the number of seconds in `Retry-After`." },
  SIGN_IN_LOCKED: { status: 429, text: "Too many wrong passwords: wait for the number of seconds in `Retry-After`." },

  INTERNAL: { status: 500, text: "Something went wrong on our side. Tell us the `requestId`." },
  BUSY: { status: 503, text: "We are busier than we can handle. Nothing was changed; try again after `Retry-After`." },
  UPSTREAM_UNAVAILABLE: { status: 503, text: "A service that we depend on did not answer. Nothing was changed." },
  SUBSCRIPTION_CHANGED: {
    status: 409,
    text: "The subscription was cancelled or changed at the same time: read it again.",
  },
  SUBSCRIPTION_ERROR: { status: 503, text: "The card provider did not answer." },
  CANCEL_FAILED: { status: 503, text: "The card provider did not answer." },
} as const satisfies Partial<Record<ErrorCode, Explained>>;

export type ExplainedCode = keyof typeof REFUSALS;
