import type { IconName } from "~/components/ui/elements";
import { isAtPath, sitePaths } from "~/kernel/paths/site";

/** One link of a header, menu or footer. Only pages that exist are linked. */
export interface NavItem {
  label: string;
  to: string;
  icon?: IconName;
}

export interface NavSection {
  title: string;
  items: readonly NavItem[];
}

/** True if a link leads to the present page or one above it. The home page counts only for itself. */
export function isCurrent(pathname: string, to: string): boolean {
  return to === sitePaths.home ? pathname === to : isAtPath(pathname, to);
}

/** Of several links, the closest to the present page: payment files rather than payments. */
export function findCurrent(pathname: string, items: readonly NavItem[]): NavItem | undefined {
  const above = items.filter(({ to }) => isCurrent(pathname, to));
  return above.sort((a, b) => b.to.length - a.to.length)[0];
}
