import type { MetaFunction } from "@remix-run/cloudflare";
import { Outlet, useLocation } from "@remix-run/react";
import { pageTitle } from "~/components/layout/page-title";
import { profileTabs } from "~/components/profile/profile-tabs";
import { LoadError } from "~/components/review/load-error";
import { PageHeader } from "~/components/ui/page-header";
import { Tabs } from "~/components/ui/tabs";
import { requirePerson } from "~/http/guards.server";
import { page } from "~/http/page.server";

export const meta: MetaFunction = (route) => [pageTitle(route, "Profile")];

/** Everybody who can sign in has an account of their own, whatever their organisation says. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  const { email } = await requirePerson(scope);
  return { email };
});

export default function Profile() {
  const { pathname } = useLocation();
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader title="Profile" />
      <Tabs label="Your account" items={profileTabs(pathname)} />
      <div className="mt-6 grid gap-6">
        <Outlet />
      </div>
    </div>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Your Profile" />;
}
