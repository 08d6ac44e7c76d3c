import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { isOwnAccount } from "~/components/layout/navigation";
import { PublicFrame } from "~/components/layout/public-frame";
import { useRootData } from "~/components/layout/root-data";
import { NoOrganization } from "~/components/organizations/no-organization";

/** Around the signed-in pages for visitors, and for people without an organisation, who see only their own account. */
export function OutsiderFrame({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const user = useRootData()?.user;
  return <PublicFrame>{!user || isOwnAccount(pathname) ? children : <NoOrganization />}</PublicFrame>;
}
