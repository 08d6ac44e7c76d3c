import type { ReactNode } from "react";
import { onDemand } from "~/components/on-demand";
import type { Inbox } from "~/modules/records/inbox/inbox.server";
import * as onServer from "./on-demand.server";

const InboxList = onDemand(onServer.InboxList, () => import("./inbox-list").then(({ InboxList }) => InboxList));

/**
 * An item's page beside the Inbox. On a narrow screen the page is shown alone. The address identifies both, so what is
 * typed for one item does not carry over to the next. `inbox` null: the item was not opened from the Inbox.
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
