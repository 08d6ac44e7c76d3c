import type { ErrorCode } from "~/kernel/app-error";

/** The refusals that the document explains, each code once. Pure. */

export const REFUSALS = {
  INVALID_INPUT: "A field is missing or wrong: `fieldErrors` says which and why.",
  MALFORMED: "The body cannot be read.",
  INVALID_FILE: "The file cannot be read: `problems` names each line.",
  MAPPING_REQUIRED: "The columns are not recognised: `headings` lists the headings of the file.",

  SIGNED_OUT: "Neither an API token nor a session was sent.",
  INVALID_TOKEN: "The API token is unknown, was revoked, or has expired.",
  INVALID_CREDENTIALS: "Wrong address or password.",
  TOTP_REQUIRED: "The account has two-step sign-in: send the code as `totp`.",
  INVALID_TOTP: "The code is wrong or too old.",

  SUBSCRIPTION_REQUIRED: "The organisation has no live trial or subscription.",

  READ_ONLY: "The person may view but not change anything.",
  ACCOUNT_PENDING: "An admin has not approved the person yet.",
  ACCOUNT_REJECTED: "An admin has rejected the person.",
  ORGANIZATION_SUSPENDED: "The organisation is suspended.",
  ORGANIZATION_REQUIRED: "The person belongs to no organisation.",
  ORGANIZATION_NOT_YOURS: "The organisation is not one that the person may choose.",
  TWO_STEP_REQUIRED: "The organisation requires two-step sign-in and the person has not set it up.",
  PASSKEY_REQUIRED:
    "The organisation requires a passkey: to sign in, or for this decision, which then has to be made on its page in a browser.",
  ADMIN_REQUIRED: "Only an admin may do this.",
  STEP_UP_REQUIRED:
    "The organisation shows full bank details to a signed-in person only after a second step in the browser. Calls with an API token need no such step.",
  SCOPE_MISSING: "The API token lacks the scope of this call.",
  SESSION_REQUIRED: "The call is for signed-in people: an API token cannot make it.",
  EMAIL_NOT_CONFIRMED: "No administrator of the organisation has confirmed their email address yet.",
  SECOND_PERSON_REQUIRED:
    "The organisation requires a second person, and you entered the bank details here or in the accounting system they came from, connected that system, or asked for the payment or the verification.",
  APPROVAL_LIMIT: "The amount is above `approvalLimitCents`, the most that you may approve.",

  NOT_FOUND: "It does not exist, or it belongs to another organisation: both get the same answer.",
  ORGANIZATION_NOT_FOUND: "There is no such organisation.",

  IDEMPOTENCY_CONFLICT: "The `Idempotency-Key` was used before with another body.",
  EMAIL_EXISTS: "There is an account with this address: sign in.",
  DUPLICATE_PAYEE: "A payee already has this account: `payeeId` says which.",
  EDIT_CONFLICT: "Another person changed the payee first. Read it again.",
  VERIFICATION_PENDING: "A verification of this payee is already open: `verificationId` says which.",
  CHANGED_MEANWHILE: "It was changed or ended in the meantime: read it again.",
  ALREADY_DECIDED: "It was decided before: the message says by whom.",
  CHECK_WOULD_REPEAT: "Asking the bank again would say nothing new: confirm the details another way.",
  INSTANT_CHECK_NOT_CONFIGURED: "Confirmation of Payee is not set up in this installation.",
  NOT_DECIDED: "The verification has not been decided yet.",
  DETAILS_CHANGED: "The payee's bank details have changed since.",
  VERIFICATION_CHANGED: "The verification was just decided or changed. Read it again.",
  REASON_REQUIRED:
    "Something counts against an approval, or a restoration: `flags` says what. Send a `reason` of your own, or, to approve, record a call that counts as proof.",
  NOTHING_TO_RESTORE: "There are no former bank details to put back.",
  PAYEE_ARCHIVED: "The payee is archived: restore it first. A verification of it can be rejected.",
  PAYEE_DISPUTED: "The payee said that these are not their details.",
  PAYEE_CONTACT_REQUIRED: "The payee cannot be reached: add an email address or a mobile number.",
  PAYEE_CHANGING: "Someone is changing the payee just now. Try again.",
  PAYEE_REQUIRED: "The account belongs to no payee, so there is nothing to verify.",
  PAYMENT_HELD: "The payment is held: it needs a decision before it can have an outcome.",
  PAYMENT_NOT_HELD: "The payment is not held, so there is nothing to decide.",
  PAYMENT_CHANGED: "Something new is known about the payment or its payee. Read it again.",
  INVALID_DOCUMENT: "The bytes are not a PDF, email or electronic invoice.",
  INVOICE_READING: "The invoice is still being read.",
  INVOICE_CHANGED: "The invoice has just changed. Read it again.",
  INVOICE_STOPPED: "The invoice is stopped and holds payments, so it stays.",
  FILE_NOT_OPEN: "The file's `status` does not allow it.",
  FILE_CHANGED: "Another person has just changed the file. Read it again.",
  FILE_TOTAL_TOO_LARGE: "The total is more than one direct entry file can hold.",
  NOTHING_HELD: "The line is no longer held.",
  NOTHING_TO_CLEAR: "No authorised line is waiting to be cleared.",
  LINES_HELD_AGAIN: "Something changed since the check: `lines` are held again and nothing was cleared.",
  DECIDE_ONE_BY_ONE:
    "Something that counts against the account became known after the file was checked: `lines` says what. Read the line again, then decide.",
  OTHER_PAYING_ACCOUNT:
    "The file names an account to pay from, an account for returned payments or a bank that your organisation has not declared: `problems` says which.",
  PAYER_REQUIRED:
    "The file does not say who pays. For a table, enter the paying account in the settings of payment files. In a direct entry file, the header lacks the bank or the user number: export it again.",
  TOO_MANY_ENDPOINTS: "The organisation has as many endpoints as are allowed.",
  ENDPOINT_NOT_ACTIVE: "The endpoint is paused or switched off: make it active first.",
  DELIVERY_PENDING: "The event is already on its way.",
  NOTHING_TO_SETTLE: "No cleared payment of the file is waiting for an outcome.",
  IMPORT_MOVED: "The import's status has changed since.",
  ALREADY_VERIFIED: "The payee has already confirmed the details.",
  DISPUTED: "The payee has already said that these are not their details.",
  PAYMENT_UNDER_WAY: "A payment for the subscription is being processed.",
  NOTHING_TO_CANCEL: "There is no subscription to cancel.",

  LINK_EXPIRED: "The link has expired.",
  LINK_USED: "The link was used, or a newer one replaced it.",

  TOO_LARGE: "The body is larger than allowed.",
  ADDRESS_TOO_LONG: "The address is longer than allowed.",
  UNSUPPORTED_MEDIA_TYPE: "The call does not accept this content type.",

  RATE_LIMITED: "Too many calls: wait for the number of seconds in `Retry-After`.",
  SIGN_IN_LOCKED: "Too many wrong passwords: wait for the number of seconds in `Retry-After`.",

  INTERNAL: "Something went wrong on our side. Tell us the `requestId`.",
  BUSY: "We are busier than we can handle. Nothing was changed; try again after `Retry-After`.",
  UPSTREAM_UNAVAILABLE: "A service that we depend on did not answer. Nothing was changed.",
  SUBSCRIPTION_CHANGED: "The subscription was cancelled or changed at the same time: read it again.",
  SUBSCRIPTION_ERROR: "The card provider did not answer.",
  CANCEL_FAILED: "The card provider did not answer.",
} as const satisfies Partial<Record<ErrorCode, string>>;

export type ExplainedCode = keyof typeof REFUSALS;
