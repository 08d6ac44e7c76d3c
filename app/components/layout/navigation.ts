import { appPaths } from "~/kernel/paths/app";
import { isAtPath, sitePaths } from "~/kernel/paths/site";
import type { NavItem } from "./nav-link";

/** The links of the rail and menus of signed-in pages. Add a link together with its page. */

/** An entry of the rail, with the pages below it that are shown while it is current. */
export interface NavEntry extends NavItem {
  pages?: readonly NavItem[];
}

/** The rail's entries: a new page is added only here. */
export const RAIL: readonly NavEntry[] = [
  { label: "Dashboard", to: appPaths.dashboard, icon: "home" },
  {
    label: "Payee Verification",
    to: appPaths.verifications,
    icon: "shieldCheck",
    pages: [
      { label: "Inbox", to: appPaths.verifications },
      { label: "Pending verifications", to: appPaths.pendingVerifications },
    ],
  },
  {
    label: "Manage Payees",
    to: appPaths.payees,
    icon: "users",
    pages: [
      { label: "Payees", to: appPaths.payees },
      { label: "Health", to: appPaths.payeeHealth },
      { label: "Import", to: appPaths.imports },
      { label: "Requests", to: appPaths.payeeRequests },
    ],
  },
  {
    label: "Payments",
    to: appPaths.payments,
    icon: "card",
    pages: [
      { label: "Payments", to: appPaths.payments },
      { label: "Payment files", to: appPaths.paymentFiles },
      { label: "Invoices", to: appPaths.invoices },
    ],
  },
  {
    label: "Records",
    to: appPaths.audit,
    icon: "history",
    pages: [
      { label: "Audit trail", to: appPaths.audit },
      { label: "Reports", to: appPaths.reports },
      { label: "Certificates", to: appPaths.allVerifications },
    ],
  },
];

/** Every page that an entry links to: its own, and those below it. */
export const pagesOf = ({ label, to, pages }: NavEntry): readonly NavItem[] => pages ?? [{ label, to }];

export const ACCOUNT_LINKS: readonly NavItem[] = [
  { label: "Profile", to: appPaths.profile, icon: "user" },
  { label: "Organisation", to: appPaths.subscription, icon: "building" },
  { label: "Settings", to: appPaths.settings, icon: "settings" },
];

/** The account menu, for people with more than one organisation. */
export const SWITCH_LINK: NavItem = { label: "Switch organisation", to: sitePaths.selectOrganization, icon: "users" };

export const USERS_LINK: NavItem = { label: "Users", to: appPaths.users, icon: "users" };
export const ORGANIZATIONS_LINK: NavItem = { label: "Organizations", to: appPaths.organizations, icon: "building" };

/** The platform menu, for super admins. */
export const PLATFORM_LINKS: readonly NavItem[] = [
  { label: "Operations", to: appPaths.operations, icon: "chart" },
  { label: "Restores", to: appPaths.restores, icon: "history" },
  { label: "Data requests", to: appPaths.dataRequests, icon: "users" },
  { label: "BSB directory", to: appPaths.bsbDirectory, icon: "bank" },
];

/** True for pages about a person's own account, open to everybody who can sign in, approved or not. */
export const isOwnAccount = (pathname: string): boolean => isAtPath(pathname, appPaths.profile);
