import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";

/** Which payees a list shows, and its address. Pure. */

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

type ListAddress = { q?: string; filter?: PayeeFilter; after?: string; before?: string };

export function payeesHref({ q, filter, after, before }: ListAddress): string {
  return withQuery(appPaths.payees, { q, status: statusOf(filter), after, before });
}

const statusOf = (filter: PayeeFilter | undefined) => (filter === "all" ? undefined : filter);

export const payeesCsvHref = ({ q, filter }: Pick<ListAddress, "q" | "filter">): string =>
  withQuery(appPaths.payeesExport, { q, status: statusOf(filter) });
