import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/with-query";
import type { MatchType } from "~/modules/name-match";

type Address = {
  q?: string;
  match?: MatchType;
  order?: "newest" | "oldest";
  after?: string;
  before?: string;
};

/** Address of a view of the review queue; what is the default is left out. */
export function pendingHref({ q, match, order, after, before }: Address): string {
  const query = { q, match, order: order === "oldest" ? order : undefined, after, before };
  return withQuery(appPaths.pendingVerifications, query);
}
