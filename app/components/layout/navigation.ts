import { appPaths } from "~/kernel/paths/app";
import { isAtPath, sitePaths } from "~/kernel/paths/site";
import type { NavItem } from "./nav-link";

/** Where the rail and the menus of the signed-in pages lead. A destination stands here from the day its page exists. */

/** A word of the rail, with the pages that stand under it while it is current. */
export interface NavEntry extends NavItem {
  pages?: readonly NavItem[];
}

/** The one table of the rail: a page that is added has a line here, and nowhere else. */
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

/** Every page that the rail leads to: each word, and the pages under it. */
export const pagesOf = ({ label, to, pages }: NavEntry): readonly NavItem[] => pages ?? [{ label, to }];

/** My Account. */
export const ACCOUNT_LINKS: readonly NavItem[] = [
  { label: "Profile", to: appPaths.profile, icon: "user" },
  { label: "Organisation", to: appPaths.subscription, icon: "building" },
  { label: "Settings", to: appPaths.settings, icon: "settings" },
];

/** My Account, for people with more than one organisation. */
export const SWITCH_LINK: NavItem = { label: "Switch organisation", to: sitePaths.selectOrganization, icon: "users" };

/** Admin. */
export const USERS_LINK: NavItem = { label: "Users", to: appPaths.users, icon: "users" };
export const ORGANIZATIONS_LINK: NavItem = { label: "Organizations", to: appPaths.organizations, icon: "building" };

/** Platform, for super admins: what keeps the service running. */
export const PLATFORM_LINKS: readonly NavItem[] = [
  { label: "Operations", to: appPaths.operations, icon: "chart" },
  { label: "Restores", to: appPaths.restores, icon: "history" },
  { label: "Data requests", to: appPaths.dataRequests, icon: "users" },
  { label: "BSB directory", to: appPaths.bsbDirectory, icon: "bank" },
];

/** Pages about a person's own account: open to every person who can sign in, approved by their organisation or not. */
export const isOwnAccount = (pathname: string): boolean => isAtPath(pathname, appPaths.profile);
