import { AppError } from "~/kernel/app-error";
import { FLAG_REASONS, type ReviewFlag } from "~/modules/payees/verifications/review-flags";
import { ARCHIVED_PAYEE } from "./approving.view";
import { sayReasonToRestore } from "./restoring";

export const detailsChanged = () =>
  new AppError(
    "DETAILS_CHANGED",
    409,
    "The payee's bank details have changed since this verification was opened, so these cannot be approved.",
  );

/** The page says it where the form would be, and the answer that refuses says the same. */
export const payeeArchived = () => new AppError("PAYEE_ARCHIVED", 409, ARCHIVED_PAYEE.text);

export const secondPersonRequired = () =>
  new AppError(
    "SECOND_PERSON_REQUIRED",
    403,
    "Your organisation requires a second person: people who entered any of these bank details here or in the accounting system they came from, connected that system, requested the verification or recorded a payment that waits for it cannot approve it.",
  );

export const secondPersonToRestore = () =>
  new AppError(
    "SECOND_PERSON_REQUIRED",
    403,
    "Your organisation requires a second person, and restoring the former details trusts them again: people who entered them or the present ones, requested the verification or recorded a payment that waits for it cannot restore them. Reject without restoring, or leave it to someone else.",
  );

export const reasonToRestore = (flags: readonly ReviewFlag[]) =>
  new AppError("REASON_REQUIRED", 409, sayReasonToRestore(flags), { extra: { flags } });

/** The approval has to say how the details were confirmed: because of what speaks against them, or always. */
export const reasonRequired = (flags: readonly ReviewFlag[]) => {
  const why = flags.length > 0 ? flags.map((flag) => FLAG_REASONS[flag]).join("; ") : "your organisation always asks";
  return new AppError(
    "REASON_REQUIRED",
    409,
    `Say how you confirmed the details, or record a call-back, before you approve: ${why}.`,
    { extra: { flags } },
  );
};

/** The organisation approves only what a bank or a call-back has confirmed. */
export const checkOrCallBackRequired = (flags: readonly ReviewFlag[]) =>
  new AppError(
    "REASON_REQUIRED",
    409,
    "Your organisation approves only after a bank check or a confirmed call-back. Verify with the bank or record a call, then approve.",
    { extra: { flags, requires: "check_or_call_back" } },
  );

export const nothingToRestore = () =>
  new AppError(
    "NOTHING_TO_RESTORE",
    409,
    "There are no former bank details to restore: the payee was not on the whitelist before the change, was taken off it since, or has them already.",
  );

/** For the page: a reason that is asked for is said beside the field it belongs in. */
export const atReasonField = (error: AppError) =>
  error.code === "REASON_REQUIRED"
    ? new AppError(error.code, error.status, error.message, { fieldErrors: { reason: [error.message] } })
    : error;
