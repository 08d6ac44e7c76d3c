import type { ReactNode } from "react";
import { onDemand } from "~/components/on-demand";
import type { Inbox } from "~/modules/records/inbox/inbox.server";
import * as onServer from "./on-demand.server";

const InboxList = onDemand(onServer.InboxList, () => import("./inbox-list").then(({ InboxList }) => InboxList));

/**
 * An item's own page beside the Inbox. On a narrow screen the page stands alone. The address says both, so what is typed
 * for one item ends with its page. `inbox` null: the item was not opened from there, and does not wait any more.
 */
export function InboxFrame({ inbox, children }: { inbox: Inbox | null; children: ReactNode }) {
  if (inbox === null) return <div className="inbox-pane">{children}</div>;
  return (
    <div className="inbox" data-open="">
      <InboxList inbox={inbox} isBeside />
      <div className="inbox-pane">{children}</div>
    </div>
  );
}
