import type { Person } from "~/kernel/actor";
import type { PendingOrganization } from "~/modules/accounts/organizations/organization";

/** The user as the specification's client reads it (section 3), plus what the interface adds. */
export type UserJson = {
  id: string;
  username: string;
  email: string;
  emailVerified: boolean;
  firstName: string;
  lastName: string;
  organizationId: string | null;
  needsOrganizationSelection: boolean;
  role: Person["role"];
  status: Person["status"];
  pendingOrganizations: { id: string; name: string; logo?: string; subdomain?: string }[];
  twoStepEnabled: boolean;
};

/** Whether a person still has to choose an organisation. Super admins work without one. */
export function needsOrganizationSelection(person: Pick<Person, "organizationId" | "role">): boolean {
  return person.organizationId === null && person.role !== "super_admin";
}

export function toUserJson(person: Person, pendingOrganizations: readonly PendingOrganization[]): UserJson {
  return {
    id: person.userId,
    username: person.username,
    email: person.email,
    emailVerified: person.emailVerified,
    firstName: person.firstName,
    lastName: person.lastName,
    organizationId: person.organizationId,
    needsOrganizationSelection: needsOrganizationSelection(person),
    role: person.role,
    status: person.status,
    pendingOrganizations: pendingOrganizations.map(({ id, name, logo, subdomain }) => ({
      id,
      name,
      ...(logo === null ? {} : { logo }),
      ...(subdomain === null ? {} : { subdomain }),
    })),
    twoStepEnabled: person.twoStepEnabled,
  };
}
