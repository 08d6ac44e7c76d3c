import type { NavItem, NavSection } from "./nav-link";

/** Where every header, menu and footer leads. A destination stands here from the day its page exists. */

export const PUBLIC_LINKS: readonly NavItem[] = [
  { label: "Home", to: "/" },
  { label: "Features", to: "/features" },
  { label: "How It Works", to: "/how-it-works" },
  { label: "Pricing", to: "/pricing" },
  { label: "FAQ", to: "/faq" },
  { label: "Contact", to: "/contact" },
];

export const FOOTER_SECTIONS: readonly NavSection[] = [
  {
    title: "About us",
    items: [
      { label: "About", to: "/about" },
      { label: "Careers", to: "/careers" },
      { label: "Partners", to: "/partners" },
      { label: "Contact", to: "/contact" },
    ],
  },
  {
    title: "Learn",
    items: [
      { label: "Blog", to: "/blog" },
      { label: "Resources", to: "/resources" },
      { label: "Name matching", to: "/name-matching" },
      { label: "Help", to: "/help" },
      { label: "FAQ", to: "/faq" },
    ],
  },
  {
    title: "Legal",
    items: [
      { label: "Terms", to: "/terms" },
      { label: "Privacy", to: "/privacy" },
      { label: "Security", to: "/security" },
    ],
  },
];

/** At the foot of the dashboard. */
export const DASHBOARD_LINKS: readonly NavItem[] = [
  { label: "Help", to: "/help" },
  { label: "About", to: "/about" },
  { label: "Privacy", to: "/privacy" },
  { label: "Terms", to: "/terms" },
];

export const MAIN_LINKS: readonly NavItem[] = [
  { label: "Dashboard", to: "/dashboard" },
  { label: "Payee Verification", to: "/verifications" },
  { label: "Manage Payees", to: "/payees" },
  { label: "Payments", to: "/payments" },
  { label: "Payment files", to: "/payments/files" },
];

/** My Account. */
export const ACCOUNT_LINKS: readonly NavItem[] = [
  { label: "Profile", to: "/profile", icon: "user" },
  { label: "Organisation", to: "/subscription", icon: "building" },
  { label: "Settings", to: "/settings", icon: "settings" },
  { label: "Audit trail", to: "/audit", icon: "history" },
];

/** My Account, for people with more than one organisation. */
export const SWITCH_LINK: NavItem = { label: "Switch organisation", to: "/select-organization", icon: "users" };

/** Admin. */
export const USERS_LINK: NavItem = { label: "Users", to: "/admin/users", icon: "users" };
export const ORGANIZATIONS_LINK: NavItem = { label: "Organizations", to: "/admin/organizations", icon: "building" };

/** Pages about a person's own account: open to everybody who can sign in, approved by their organisation or not. */
export const isOwnAccount = (pathname: string): boolean => /^\/profile(\/|$)/.test(pathname);

/** Pages that bring a frame of their own. */
const OWN_FRAME =
  /^\/(auth|verify|bank-consent|confirm-email|reset-password|email-change|invitation|select-organization|logout)(\/|$)/;

/** Paths of the signed-in layout (specification, section 2, and those the design adds). */
const SIGNED_IN =
  /^\/(dashboard|verifications|payees|payments|subscription|settings|profile|admin|integrations|reports|audit|alerts)(\/|$)/;

/** Which frame stands around a page. */
export function frameOf(pathname: string, isSignedIn: boolean): "own" | "signed-in" | "public" {
  if (OWN_FRAME.test(pathname)) return "own";
  return isSignedIn && SIGNED_IN.test(pathname) ? "signed-in" : "public";
}
