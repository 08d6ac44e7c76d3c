import { useLocation, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { onDemand } from "~/components/on-demand";
import type { Inbox } from "~/modules/records/inbox/inbox.server";
import * as onServer from "./on-demand.server";

const InboxList = onDemand(onServer.InboxList, () => import("./inbox-list").then(({ InboxList }) => InboxList));

interface InboxFrameProps {
  /** Null: the item was not opened from the Inbox. */
  inbox: Inbox | null;
  /** The page that follows, once the item is decided. */
  onwardHref?: string;
  children: ReactNode;
}

/**
 * An item's page beside the Inbox. On a narrow screen the page is shown alone. The address identifies both, so what is
 * typed for one item does not carry over to the next.
 */
export function InboxFrame({ inbox, onwardHref, children }: InboxFrameProps) {
  const here = useLocation();
  const { location: there = here } = useNavigation();
  if (inbox === null) return <div className="inbox-pane">{children}</div>;
  return (
    <div className="inbox" data-open="">
      <InboxList inbox={inbox} path={onwardHref?.split("?")[0] ?? there.pathname} />
      <div className="inbox-pane">{children}</div>
    </div>
  );
}
