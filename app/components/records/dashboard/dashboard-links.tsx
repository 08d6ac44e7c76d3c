import { Link } from "@remix-run/react";
import type { NavItem } from "~/components/layout/nav-link";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { appPaths } from "~/kernel/paths/app";
import { sitePaths } from "~/kernel/paths/site";

/** Where people go from the dashboard when nothing waits for them; verifying a payee is at its top. */
export function QuickLinks() {
  return (
    <div data-screen-only>
      <Card title="Quick links">
        <nav aria-label="Quick links" className="flex flex-wrap gap-3">
          <Button to={appPaths.audit} variant="secondary" icon="history">
            Audit trail
          </Button>
          <Button to={appPaths.payees} variant="secondary" icon="users">
            Manage payees
          </Button>
          <Button to={appPaths.settings} variant="secondary" icon="settings">
            Settings
          </Button>
        </nav>
      </Card>
    </div>
  );
}

const DASHBOARD_LINKS: readonly NavItem[] = [
  { label: "Help", to: sitePaths.help },
  { label: "About", to: sitePaths.about },
  { label: "Privacy", to: sitePaths.privacy },
  { label: "Terms", to: sitePaths.terms },
];

/** The public pages that people look for while they work. */
export function DashboardFooter() {
  return (
    <nav aria-label="About PayeeProof" className="flex flex-wrap gap-x-6">
      {DASHBOARD_LINKS.map(({ label, to }) => (
        <Link
          key={to}
          to={to}
          className="inline-flex min-h-8 items-center rounded-base text-base text-ink-soft hover:text-ink hover:underline"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
