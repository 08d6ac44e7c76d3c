import type { Actor, Person } from "~/kernel/actor";
import { needsOrganizationSelection } from "~/modules/accounts/identity/user.json";
import { listPendingOrganizations } from "~/modules/accounts/organizations/organization.server";
import { countUnread } from "~/modules/messages/alerts/alerts.server";
import type { ReadServices } from "~/services";

/**
 * What the frame around every page needs to know of who is looking.
 * @param countAlerts how many unread alerts they have, where that is being read already
 */
export async function describeViewer(
  services: ReadServices,
  person: Person,
  countAlerts: (reader: Pick<Actor, "userId" | "organizationId" | "timeZone">) => Promise<number> = (reader) =>
    countUnread(services, reader),
) {
  const { firstName, lastName, email, emailVerified, role, status, organizationName, isSuspended } = person;
  const needsSelection = status === "active" && needsOrganizationSelection(person);
  const { userId, organizationId, timeZone, hasSeveralOrganizations } = person;
  const [pendingOrganizations, unreadAlerts] = await Promise.all([
    needsSelection ? listPendingOrganizations(services, person) : [],
    organizationId === null ? 0 : countAlerts({ userId, organizationId, timeZone }),
  ]);
  return {
    firstName,
    lastName,
    email,
    emailVerified,
    role,
    status,
    organizationName,
    isSuspended,
    needsSelection,
    pendingOrganizations,
    hasSeveralOrganizations,
    unreadAlerts,
  };
}
