import type { MatchType } from "~/modules/name-match";

export const PENDING_PATH = "/verifications/pending";

export const reviewPath = (id: string) => `/verifications/${id}`;

type Address = {
  q?: string;
  match?: MatchType;
  order?: "newest" | "oldest";
  after?: string;
  before?: string;
};

/** Address of a view of the review queue; what is the default is left out. */
export function pendingHref({ q, match, order, after, before }: Address): string {
  const params = new URLSearchParams();
  if (q) params.set("q", q);
  if (match) params.set("match", match);
  if (order === "oldest") params.set("order", order);
  if (after) params.set("after", after);
  if (before) params.set("before", before);
  const query = params.toString();
  return query ? `${PENDING_PATH}?${query}` : PENDING_PATH;
}
