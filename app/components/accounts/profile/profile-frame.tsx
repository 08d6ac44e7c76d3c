import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { PageHeader } from "~/components/ui/page-parts";
import { type TabLink, Tabs } from "~/components/ui/tabs";
import { appPaths } from "~/kernel/paths/app";

const PAGES = [
  { label: "Profile", to: appPaths.profile },
  { label: "Password", to: appPaths.password },
  { label: "Two-step sign-in", to: appPaths.twoStep },
  { label: "Passkeys", to: appPaths.passkeys },
  { label: "Sessions", to: appPaths.sessions },
  { label: "Alerts", to: appPaths.alertSettings },
  { label: "Reviewing", to: appPaths.reviewing },
  { label: "API tokens", to: appPaths.tokens },
];

/** Tabs for the pages of a person's own account, with the open one marked. */
function profileTabs(pathname: string): TabLink[] {
  const here = pathname.replace(/\/$/, "");
  return PAGES.map((page) => ({ ...page, current: page.to === here }));
}

/** The frame of every page of a person's own account. */
export function ProfileFrame({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader title="Profile" />
      <Tabs label="Your account" items={profileTabs(pathname)} />
      <div className="mt-6 grid gap-6">{children}</div>
    </div>
  );
}
