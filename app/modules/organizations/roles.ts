import type { OrganizationRole, UserRole } from "~/kernel/enums";

/** How roles read. */
export const ROLE_LABELS: Readonly<Record<UserRole, string>> = {
  super_admin: "Super admin",
  admin: "Administrator",
  member: "Member",
  read_only: "Read only",
};

/** What each role lets a person do, for those who hand it out. */
export const ROLE_HINTS: Readonly<Record<OrganizationRole, string>> = {
  admin: "Everything, and members, domains and policies too",
  member: "Works with payees, verifications, payments and the subscription",
  read_only: "Sees everything and changes nothing",
};
