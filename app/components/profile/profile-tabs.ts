import type { TabLink } from "~/components/ui/tabs";

const PAGES = [
  { label: "Profile", to: "/profile" },
  { label: "Password", to: "/profile/password" },
  { label: "Two-step sign-in", to: "/profile/two-step" },
  { label: "Sessions", to: "/profile/sessions" },
  { label: "Alerts", to: "/profile/alerts" },
  { label: "API tokens", to: "/profile/tokens" },
];

/** The pages of a person's own account, with the one that is open marked. */
export function profileTabs(pathname: string): TabLink[] {
  const here = pathname.replace(/\/$/, "");
  return PAGES.map((page) => ({ ...page, current: page.to === here }));
}
