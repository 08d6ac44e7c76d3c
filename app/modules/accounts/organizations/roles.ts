import type { OrganizationRole, UserRole } from "~/kernel/enums";

export const ROLE_LABELS: Readonly<Record<UserRole, string>> = {
  super_admin: "Super admin",
  admin: "Administrator",
  member: "Member",
  read_only: "Read only",
};

/** What each role may do, for the people who assign it. */
export const ROLE_HINTS: Readonly<Record<OrganizationRole, string>> = {
  admin: "Can do everything, including members, domains and policies",
  member: "Can work with payees, verifications, payments and the subscription",
  read_only: "Can view everything but not change it",
};
