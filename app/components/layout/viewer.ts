import { PEOPLE_ROLES, PLATFORM_ROLES } from "~/kernel/access";
import type { UserRole, UserStatus } from "~/kernel/enums";
import { folders, isAtPath } from "~/kernel/paths/site";
import type { NavItem } from "./nav-link";
import {
  ACCOUNT_LINKS,
  isOwnAccount,
  type NavEntry,
  ORGANIZATIONS_LINK,
  PLATFORM_LINKS,
  RAIL,
  SWITCH_LINK,
  USERS_LINK,
} from "./navigation";

/** What the page frame knows about the viewer. */
export interface Viewer {
  role: UserRole;
  status: UserStatus;
  isSuspended: boolean;
  /** The current organisation's name; null for people who belong to none, like most super admins. */
  organizationName: string | null;
  hasSeveralOrganizations: boolean;
}

/** Their organisation has approved them and is not suspended. */
const hasAccess = ({ status, isSuspended }: Viewer) => status === "active" && !isSuspended;

/** They work in an organisation. A super admin may belong to none: every organisation's pages are closed to them. */
const hasOrganization = (viewer: Viewer) => hasAccess(viewer) && viewer.organizationName !== null;

/** True if the viewer may see a page of the signed-in layout, false if only the notice that says why not. */
export function isOpenTo(viewer: Viewer, pathname: string): boolean {
  if (hasOrganization(viewer) || isOwnAccount(pathname)) return true;
  return viewer.status === "active" && viewer.role === "super_admin" && isAtPath(pathname, folders.admin);
}

export interface Menus {
  entries: readonly NavEntry[];
  accountLinks: readonly NavItem[];
  /** Users and Organisations; empty for people whose role does not include them. */
  adminLinks: readonly NavItem[];
  /** Empty for everybody except super admins. */
  platformLinks: readonly NavItem[];
}

/** The links of the rail and its menu (specification, section 2). */
export function menusFor(viewer: Viewer): Menus {
  const hasOwnPages = hasOrganization(viewer);
  const account = ACCOUNT_LINKS.filter(({ to }) => hasOwnPages || isOwnAccount(to));
  const isSuperAdmin = viewer.role === "super_admin" && viewer.status === "active";
  const mayAdminister = hasAccess(viewer) || isSuperAdmin;
  const hasPlatform = mayAdminister && PLATFORM_ROLES.includes(viewer.role);
  const users = mayAdminister && PEOPLE_ROLES.includes(viewer.role) ? [USERS_LINK] : [];
  const adminLinks = hasPlatform ? [...users, ORGANIZATIONS_LINK] : users;
  const platformLinks = hasPlatform ? PLATFORM_LINKS : [];
  return {
    // Without an organisation, a super admin only has the administration pages.
    entries: hasOwnPages ? RAIL : [...adminLinks, ...platformLinks],
    accountLinks: viewer.hasSeveralOrganizations ? [...account, SWITCH_LINK] : account,
    adminLinks,
    platformLinks,
  };
}
