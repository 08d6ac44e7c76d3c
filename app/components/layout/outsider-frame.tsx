import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { NoOrganization } from "~/components/accounts/organizations/no-organization";
import { isOwnAccount } from "~/components/layout/navigation";
import { PublicFrame } from "~/components/layout/public-frame";
import { useRootData } from "./root-data";

/**
 * The frame of signed-in pages for visitors, and for people without an organisation, who see only their own account.
 */
export function OutsiderFrame({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const user = useRootData()?.user;
  return <PublicFrame>{!user || isOwnAccount(pathname) ? children : <NoOrganization />}</PublicFrame>;
}
