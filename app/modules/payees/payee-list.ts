/** Which payees a list shows. Pure. */

export const PAYEE_FILTERS = ["all", "whitelisted", "not_whitelisted", "pending", "disputed"] as const;
export type PayeeFilter = (typeof PAYEE_FILTERS)[number];

export const FILTER_LABELS: Record<PayeeFilter, string> = {
  all: "All",
  whitelisted: "Whitelisted",
  not_whitelisted: "Not whitelisted",
  pending: "Awaiting verification",
  disputed: "Disputed",
};

type Counts = { payees?: number; whitelistedPayees?: number; pendingVerifications?: number };

/** How many are behind each filter, where somebody counts. */
export function countsOfFilters(counts: Counts): Partial<Record<PayeeFilter, number>> {
  const { payees = 0, whitelistedPayees = 0, pendingVerifications = 0 } = counts;
  return {
    all: payees,
    whitelisted: whitelistedPayees,
    not_whitelisted: payees - whitelistedPayees,
    pending: pendingVerifications,
  };
}
