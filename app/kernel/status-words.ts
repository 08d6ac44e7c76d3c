import type { PaymentStatus, UserStatus } from "./enums";

/** The words for statuses that several parts of the app use. */

/** The label and badge of each verification status; `closed`: its details no longer mattered: nothing is said. */
export const VERIFICATION_STATUS_LOOKS = {
  pending: { tone: "pending", icon: "clock", word: "Pending" },
  verified: { tone: "verified", icon: "checkCircle", word: "Verified" },
  rejected: { tone: "review", icon: "xCircle", word: "Rejected" },
  failed: { tone: "review", icon: "alert", word: "Failed" },
  closed: { tone: "neutral", icon: "dash", word: "Closed" },
} as const;

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
