import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { useRootData } from "~/components/layout/root-data";
import { PageHeader } from "~/components/ui/page-parts";
import { Tabs } from "~/components/ui/tabs";
import { appPaths } from "~/kernel/paths/app";
import { isAtPath } from "~/kernel/paths/site";

const TABS = [
  { label: "Organisation", to: appPaths.settings },
  { label: "Members", to: appPaths.members },
  { label: "Email domains", to: appPaths.domains },
  { label: "Policies", to: appPaths.policies },
] as const;

const ADMIN_TABS = [
  ...TABS,
  { label: "Single sign-on", to: appPaths.singleSignOn },
  { label: "Staff accounts", to: appPaths.staffAccounts },
  { label: "Integrations", to: appPaths.integrations },
  { label: "Webhooks", to: appPaths.webhooks },
  { label: "Stopped emails", to: appPaths.stoppedAddresses },
] as const;

export function SettingsPage({ description, children }: { description: string; children: ReactNode }) {
  const { pathname } = useLocation();
  const tabs = useRootData()?.user?.role === "admin" ? ADMIN_TABS : TABS;
  return (
    <>
      <PageHeader title="Settings" description={description} />
      <Tabs
        label="Settings"
        items={tabs.map((tab) => ({
          ...tab,
          current: tab.to === pathname || (tab.to !== appPaths.settings && isAtPath(pathname, tab.to)),
        }))}
      />
      <div className="mt-6 grid gap-6">{children}</div>
    </>
  );
}

/** Tells people who cannot change settings so, once at the top. */
export function AdminsOnly() {
  return <p className="text-base text-ink-soft">Only administrators of your organisation can change these settings.</p>;
}

/** Text to copy into a provider, a directory or the DNS. */
export const Copied = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt className="font-medium text-base">{label}</dt>
    <dd className="mt-1 break-all text-base">
      <code>{children}</code>
    </dd>
  </div>
);
