import type { QueueOrder } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import type { MatchType } from "~/modules/name-match";

/** What narrows and sorts the review queue; it stays in the address from the list to an item and back. */
export type QueueView = {
  q?: string;
  match?: MatchType;
  order?: QueueOrder;
  /** Only what is assigned to the reader. */
  mine?: boolean;
};

/** The view's part of an address; what is the default is left out. */
const toQuery = ({ q, match, order, mine }: QueueView) => ({
  q,
  match,
  order: order === "risk" ? undefined : order,
  assigned: mine ? MINE : undefined,
});

/** In the address of the queue: `assigned=me`. */
export const MINE = "me";

/** Address of a view of the review queue. */
export const pendingHref = ({ after, before, ...view }: QueueView & { after?: string; before?: string }): string =>
  withQuery(appPaths.pendingVerifications, { ...toQuery(view), after, before });

/** In the address of one verification: the page loads itself again while a bank check runs, and shows no forms. */
export const WATCH = "watch";

/** Address of one verification in the view of the queue that it was opened from. */
export const reviewHref = (id: string, view: QueueView, more: { [WATCH]?: "yes" } = {}): string =>
  withQuery(appPaths.verification(id), { ...toQuery(view), ...more });
