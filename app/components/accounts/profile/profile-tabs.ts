import type { TabLink } from "~/components/ui/tabs";
import { appPaths } from "~/kernel/paths/app";

const PAGES = [
  { label: "Profile", to: appPaths.profile },
  { label: "Password", to: appPaths.password },
  { label: "Two-step sign-in", to: appPaths.twoStep },
  { label: "Sessions", to: appPaths.sessions },
  { label: "Alerts", to: appPaths.alertSettings },
  { label: "Reviewing", to: appPaths.reviewing },
  { label: "API tokens", to: appPaths.tokens },
];

/** The pages of a person's own account, with the one that is open marked. */
export function profileTabs(pathname: string): TabLink[] {
  const here = pathname.replace(/\/$/, "");
  return PAGES.map((page) => ({ ...page, current: page.to === here }));
}
