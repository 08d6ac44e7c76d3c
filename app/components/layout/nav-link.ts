import type { IconName } from "~/components/ui/icons";
import { isAtPath, sitePaths } from "~/kernel/paths/site";

/** One destination of a header, a menu or a footer. A page draws only links whose pages exist. */
export interface NavItem {
  label: string;
  to: string;
  icon?: IconName;
}

export interface NavSection {
  title: string;
  items: readonly NavItem[];
}

/** Whether a link leads to the page shown, or to a page above it. Home counts only for itself. */
export function isCurrent(pathname: string, to: string): boolean {
  return to === sitePaths.home ? pathname === to : isAtPath(pathname, to);
}

/** Of several links, the one that leads nearest to the page shown: payment files rather than payments. */
export function findCurrent(pathname: string, items: readonly NavItem[]): NavItem | undefined {
  const above = items.filter(({ to }) => isCurrent(pathname, to));
  return above.sort((a, b) => b.to.length - a.to.length)[0];
}
