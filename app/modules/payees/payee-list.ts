/** Which payees a list shows. Pure. */

export const PAYEE_FILTERS = ["all", "whitelisted", "not_whitelisted", "pending", "disputed", "archived"] as const;
export type PayeeFilter = (typeof PAYEE_FILTERS)[number];

export const FILTER_LABELS: Record<PayeeFilter, string> = {
  all: "All",
  whitelisted: "Whitelisted",
  not_whitelisted: "Not whitelisted",
  pending: "Awaiting verification",
  disputed: "Disputed",
  archived: "Archived",
};

type Counts = { payees?: number; archivedPayees?: number; whitelistedPayees?: number; pendingVerifications?: number };

/** How many are behind each filter, where they are counted. */
export function countsOfFilters(counts: Counts): Partial<Record<PayeeFilter, number>> {
  const { payees = 0, archivedPayees = 0, whitelistedPayees = 0, pendingVerifications = 0 } = counts;
  return {
    all: payees - archivedPayees,
    whitelisted: whitelistedPayees,
    not_whitelisted: payees - archivedPayees - whitelistedPayees,
    pending: pendingVerifications,
    archived: archivedPayees,
  };
}
