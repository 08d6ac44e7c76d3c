import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { Form } from "~/components/forms/form";
import { HiddenFields, SubmitButton } from "~/components/forms/post-form";
import { useRootData } from "~/components/layout/root-data";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import { Tabs } from "~/components/ui/tabs";
import { appPaths } from "~/kernel/paths/app";
import { isAtPath } from "~/kernel/paths/folders";
import type { WaitingChange } from "~/modules/accounts/organizations/policy-changes.server";

const TABS = [
  { label: "Organisation", to: appPaths.settings },
  { label: "Members", to: appPaths.members },
  { label: "Email domains", to: appPaths.domains },
  { label: "Policies", to: appPaths.policies },
] as const;

const ADMIN_TABS = [
  ...TABS,
  { label: "Staff accounts", to: appPaths.staffAccounts },
  { label: "Integrations", to: appPaths.integrations },
  { label: "Webhooks", to: appPaths.webhooks },
  { label: "Stopped emails", to: appPaths.stoppedAddresses },
] as const;

/** The frame of every page of settings. */
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

/** What people without a say in settings are told once, at the top. */
export function AdminsOnly() {
  return <p className="text-base text-ink-soft">Only administrators of your organisation can change these settings.</p>;
}

/** Weaker policies that wait, and what an administrator can do about each. */
export function WaitingChanges({ changes, canAct }: { changes: readonly WaitingChange[]; canAct: boolean }) {
  if (changes.length === 0) return null;
  return (
    <Card
      title="Weaker policies that wait"
      description="Any administrator can cancel a change until it takes effect. A second administrator can put it into effect at once."
    >
      <ul className="grid gap-4">
        {changes.map(({ id, words, askedBy, askedOn, holdsFrom, isOwn }) => (
          <li key={id} className="grid gap-2 sm:flex sm:items-start sm:justify-between sm:gap-6">
            <p>
              <span className="block font-medium first-letter:uppercase">{words}</span>
              <span className="text-ink-soft text-sm">
                From {holdsFrom}. {askedBy} asked for it on {askedOn}.
              </span>
            </p>
            {canAct && (
              <Form method="post" action={appPaths.policies} className="flex flex-wrap gap-2">
                <HiddenFields values={{ id }} />
                <SubmitButton
                  name="intent"
                  value="cancel-change"
                  variant="secondary"
                  size="sm"
                  pendingText="Cancelling..."
                >
                  Cancel<span className="sr-only">: {words}</span>
                </SubmitButton>
                {!isOwn && (
                  <SubmitButton name="intent" value="confirm-change" variant="quiet" size="sm" pendingText="Saving...">
                    Put into effect now<span className="sr-only">: {words}</span>
                  </SubmitButton>
                )}
              </Form>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
