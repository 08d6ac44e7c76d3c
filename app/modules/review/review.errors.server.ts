import { AppError } from "~/kernel/app-error";
import { FLAG_REASONS, type ReviewFlag } from "./review-flags";

export const detailsChanged = () =>
  new AppError(
    "DETAILS_CHANGED",
    409,
    "The payee's bank details have changed since this verification was opened, so these cannot be approved.",
  );

export const secondPersonRequired = () =>
  new AppError(
    "SECOND_PERSON_REQUIRED",
    403,
    "Your organisation requires a second person: people who entered any of these bank details, requested the verification or recorded a payment that waits for it cannot approve it.",
  );

/** Something speaks against approving, so the approval has to say how the details were confirmed. */
export const reasonRequired = (flags: readonly ReviewFlag[]) =>
  new AppError(
    "REASON_REQUIRED",
    409,
    `Say how you confirmed the details before you approve: ${flags.map((flag) => FLAG_REASONS[flag]).join("; ")}.`,
    { extra: { flags } },
  );
