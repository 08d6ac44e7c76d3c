import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { PageHeader } from "~/components/ui/page-header";
import { Tabs } from "~/components/ui/tabs";
import { profileTabs } from "./profile-tabs";

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
