import { PAYMENT_STATUSES, type PaymentStatus } from "~/kernel/enums";

/** Which payments a list shows. Pure. */

export const PAYMENT_FILTERS = [
  "all",
  "held",
  "verification_requested",
  "authorised",
  "successful",
  "failed",
  "rejected",
] as const;
export type PaymentFilter = (typeof PAYMENT_FILTERS)[number];

export const FILTER_LABELS: Record<PaymentFilter, string> = {
  all: "All",
  held: "Held",
  verification_requested: "Verification requested",
  authorised: "Authorised",
  successful: "Successful",
  failed: "Failed",
  rejected: "Rejected",
};

/** The status behind a filter; undefined: any. */
export function statusOf(filter: PaymentFilter): PaymentStatus | undefined {
  return PAYMENT_STATUSES.find((status) => status === filter);
}
