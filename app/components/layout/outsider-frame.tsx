import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { isOwnAccount } from "~/components/layout/navigation";
import { PublicFrame } from "~/components/layout/public-frame";
import { Button, Callout } from "~/components/ui/elements";
import { PageHeader } from "~/components/ui/page-parts";
import { sitePaths } from "~/kernel/paths/site";
import { LogoutForm } from "./logout-form";
import { useRootData } from "./root-data";

/** The frame of signed-in pages for visitors, and for people without an organisation: only their own account. */
export function OutsiderFrame({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const user = useRootData()?.user;
  return <PublicFrame>{!user || isOwnAccount(pathname) ? children : <NoOrganization />}</PublicFrame>;
}

/** Shown to a person without an organisation in place of organisation pages. */
function NoOrganization() {
  return (
    <div className="mx-auto w-full max-w-3xl px-4 py-12 sm:px-6">
      <PageHeader title="You do not belong to an organisation yet" />
      <Callout tone="info" title="This page shows the data of an organisation">
        <p>Create an organisation, or ask to join one that uses your email domain.</p>
      </Callout>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button to={sitePaths.selectOrganization}>Create or join an organisation</Button>
        <LogoutForm>
          <Button type="submit" variant="secondary">
            Logout
          </Button>
        </LogoutForm>
      </div>
    </div>
  );
}
