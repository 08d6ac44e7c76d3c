import { PAYMENT_STATUSES, type PaymentStatus } from "~/kernel/enums";
import { PAYMENT_STATUS_WORDS } from "~/kernel/status-words";

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

export const FILTER_LABELS: Record<PaymentFilter, string> = { all: "All", ...PAYMENT_STATUS_WORDS };

/** The status behind a filter; undefined: any. */
export function statusOf(filter: PaymentFilter): PaymentStatus | undefined {
  return PAYMENT_STATUSES.find((status) => status === filter);
}
