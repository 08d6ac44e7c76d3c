import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { isOwnAccount } from "~/components/layout/navigation";
import { PublicFrame } from "~/components/layout/public-frame";
import { useRootData } from "~/components/layout/root-data";
import { SignedInLayout } from "~/components/layout/signed-in-layout";
import { useLinkedPages } from "~/components/layout/use-linked-pages";
import { isOpenTo, menusFor } from "~/components/layout/viewer";
import { NoOrganization } from "~/components/organizations/no-organization";
import { StandingNotice } from "~/components/organizations/standing-notice";
import { showUnread } from "~/modules/alerts/unread";

/** Around the pages of an organisation, and around what went wrong with one (specification, section 2, Layouts). */
export function SignedInFrame({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const root = useRootData();
  const user = root?.user;
  useLinkedPages();
  if (!root || !user) return <PublicFrame>{children}</PublicFrame>;
  if (user.needsSelection) {
    return <PublicFrame>{isOwnAccount(pathname) ? children : <NoOrganization />}</PublicFrame>;
  }
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
