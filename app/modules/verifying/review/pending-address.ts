import type { QueueOrder } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import type { MatchType } from "~/modules/name-match";

/** The filters and order of the review queue; the address keeps them from the list to an item and back. */
export type QueueView = {
  q?: string;
  match?: MatchType;
  order?: QueueOrder;
  /** Only verifications assigned to the reader. */
  mine?: boolean;
};

/** The query parameters of the view, without defaults. */
const toQuery = ({ q, match, order, mine }: QueueView) => ({
  q,
  match,
  order: order === "risk" ? undefined : order,
  assigned: mine ? MINE : undefined,
});

/** The value of `assigned` for the reader's own. */
export const MINE = "me";

/** The address of a view of the review queue. */
export const pendingHref = ({ after, before, ...view }: QueueView & { after?: string; before?: string }): string =>
  withQuery(appPaths.pendingVerifications, { ...toQuery(view), after, before });

/** The parameter with which a verification's page reloads itself while a bank check runs, and shows no forms. */
export const WATCH = "watch";

/** The address of a verification, with the queue view from which it was opened. */
export const reviewHref = (id: string, view: QueueView, more: { [WATCH]?: "yes" } = {}): string =>
  withQuery(appPaths.verification(id), { ...toQuery(view), ...more });
