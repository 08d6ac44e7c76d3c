import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { useRootData } from "~/components/layout/root-data";
import { SignedInLayout } from "~/components/layout/signed-in-layout";
import { useLinkedPages } from "~/components/layout/use-linked-pages";
import { isOpenTo, menusFor } from "~/components/layout/viewer";
import { onDemand } from "~/components/on-demand";
import { showUnread } from "~/modules/messages/alerts/unread";
import * as onServer from "./on-demand.server";

const OutsiderFrame = onDemand(onServer.OutsiderFrame, () =>
  import("./outsider-frame").then(({ OutsiderFrame }) => OutsiderFrame),
);
const StandingNotice = onDemand(onServer.StandingNotice, () =>
  import("~/components/accounts/organizations/standing-notice").then(({ StandingNotice }) => StandingNotice),
);

/** Around the pages of an organisation, and around what went wrong with one (specification, section 2, Layouts). */
export function SignedInFrame({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const root = useRootData();
  const user = root?.user;
  useLinkedPages();
  if (!root || !user || user.needsSelection) return <OutsiderFrame>{children}</OutsiderFrame>;
  return (
    <SignedInLayout
      {...menusFor(user)}
      user={user}
      organizationName={user.organizationName}
      unreadAlerts={showUnread(user.unreadAlerts)}
      testMode={root.isTest}
      theme={root.theme}
    >
      {isOpenTo(user, pathname) ? children : <StandingNotice {...user} />}
    </SignedInLayout>
  );
}
