import { appPaths } from "~/kernel/paths/app";
import { isAtPath } from "~/kernel/paths/folders";
import { sitePaths } from "~/kernel/paths/site";
import type { NavItem } from "./nav-link";

/** Where the header and the menus of the signed-in pages lead. A destination stands here from the day its page exists. */

export const MAIN_LINKS: readonly NavItem[] = [
  { label: "Dashboard", to: appPaths.dashboard },
  { label: "Payee Verification", to: appPaths.verifications },
  { label: "Manage Payees", to: appPaths.payees },
  { label: "Payments", to: appPaths.payments },
  { label: "Payment files", to: appPaths.paymentFiles },
];

/** My Account. */
export const ACCOUNT_LINKS: readonly NavItem[] = [
  { label: "Profile", to: appPaths.profile, icon: "user" },
  { label: "Organisation", to: appPaths.subscription, icon: "building" },
  { label: "Settings", to: appPaths.settings, icon: "settings" },
  { label: "Reports", to: appPaths.reports, icon: "chart" },
  { label: "Audit trail", to: appPaths.audit, icon: "history" },
];

/** My Account, for people with more than one organisation. */
export const SWITCH_LINK: NavItem = { label: "Switch organisation", to: sitePaths.selectOrganization, icon: "users" };

/** Admin. */
export const USERS_LINK: NavItem = { label: "Users", to: appPaths.users, icon: "users" };
export const ORGANIZATIONS_LINK: NavItem = { label: "Organizations", to: appPaths.organizations, icon: "building" };
export const BSB_DIRECTORY_LINK: NavItem = { label: "BSB directory", to: appPaths.bsbDirectory, icon: "bank" };
export const RESTORES_LINK: NavItem = { label: "Restores", to: appPaths.restores, icon: "history" };

export const OPERATIONS_LINK: NavItem = { label: "Operations", to: appPaths.operations, icon: "chart" };

/** Pages about a person's own account: open to every person who can sign in, approved by their organisation or not. */
export const isOwnAccount = (pathname: string): boolean => isAtPath(pathname, appPaths.profile);
