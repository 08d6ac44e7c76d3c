import type { PaymentStatus, UserStatus } from "./enums";

/** How statuses read that more than one part of the app names. */

export const PAYMENT_STATUS_WORDS: Readonly<Record<PaymentStatus, string>> = {
  held: "Held",
  verification_requested: "Verification requested",
  authorised: "Authorised",
  successful: "Successful",
  failed: "Failed",
  rejected: "Rejected",
};

export const USER_STATUS_WORDS: Readonly<Record<UserStatus, string>> = {
  pending: "Pending",
  active: "Active",
  inactive: "Inactive",
  rejected: "Rejected",
};
