import { appPaths } from "~/kernel/paths/app";
import { isAtPath } from "~/kernel/paths/folders";
import { linkPaths } from "~/kernel/paths/links";
import { sitePaths } from "~/kernel/paths/site";
import type { NavItem, NavSection } from "./nav-link";

/** Where every header, menu and footer leads. A destination stands here from the day its page exists. */

export const PUBLIC_LINKS: readonly NavItem[] = [
  { label: "Home", to: sitePaths.home },
  { label: "Features", to: sitePaths.features },
  { label: "How It Works", to: sitePaths.howItWorks },
  { label: "Pricing", to: sitePaths.pricing },
  { label: "FAQ", to: sitePaths.faq },
  { label: "Contact", to: sitePaths.contact },
];

export const FOOTER_SECTIONS: readonly NavSection[] = [
  {
    title: "About us",
    items: [
      { label: "About", to: sitePaths.about },
      { label: "Careers", to: sitePaths.careers },
      { label: "Partners", to: sitePaths.partners },
      { label: "Contact", to: sitePaths.contact },
    ],
  },
  {
    title: "Learn",
    items: [
      { label: "Blog", to: sitePaths.blog },
      { label: "Resources", to: sitePaths.resources },
      { label: "Name matching", to: sitePaths.nameMatching },
      { label: "API", to: sitePaths.apiDocs },
      { label: "Help", to: sitePaths.help },
      { label: "FAQ", to: sitePaths.faq },
    ],
  },
  {
    title: "Legal",
    items: [
      { label: "Terms", to: sitePaths.terms },
      { label: "Privacy", to: sitePaths.privacy },
      { label: "Security", to: sitePaths.security },
    ],
  },
];

/** At the foot of the dashboard. */
export const DASHBOARD_LINKS: readonly NavItem[] = [
  { label: "Help", to: sitePaths.help },
  { label: "About", to: sitePaths.about },
  { label: "Privacy", to: sitePaths.privacy },
  { label: "Terms", to: sitePaths.terms },
];

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

/** Pages about a person's own account: open to every person who can sign in, approved by their organisation or not. */
export const isOwnAccount = (pathname: string): boolean => isAtPath(pathname, appPaths.profile);

/** The first word of a path: "payees" of a payee's page. */
const firstWordOf = (path: string) => path.split("/")[1] ?? "";

/** Pages that bring a frame of their own. */
const OWN_FRAME = new Set(
  [
    sitePaths.signIn,
    linkPaths.payeeLink(""),
    linkPaths.certificates,
    linkPaths.bankConsent,
    linkPaths.confirmEmail(""),
    linkPaths.resetPassword(""),
    linkPaths.emailChange(""),
    linkPaths.invitation(""),
    sitePaths.selectOrganization,
    sitePaths.logout,
  ].map(firstWordOf),
);

/** Pages of the signed-in layout: what its header and menus lead to, and two more of the specification (section 2). */
const SIGNED_IN = new Set([
  ...[...MAIN_LINKS, ...ACCOUNT_LINKS, USERS_LINK, ORGANIZATIONS_LINK].map(({ to }) => firstWordOf(to)),
  firstWordOf(appPaths.alerts),
  "integrations",
]);

/** Which frame a page has. */
export function frameOf(pathname: string, isSignedIn: boolean): "own" | "signed-in" | "public" {
  if (OWN_FRAME.has(firstWordOf(pathname))) return "own";
  return isSignedIn && SIGNED_IN.has(firstWordOf(pathname)) ? "signed-in" : "public";
}
