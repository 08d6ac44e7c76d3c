import type { Origin, Person } from "~/kernel/actor";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";

/** A person acting on their own account, for the trail: of their organisation, or the platform's while they have none. */
export function asAccountActor(person: Pick<Person, "userId" | "organizationId" | "origin">): {
  userId: string;
  organizationId: string;
  origin: Origin;
} {
  const { userId, organizationId, origin } = person;
  return { userId, organizationId: organizationId ?? PLATFORM_ORGANIZATION_ID, origin };
}

/** The entry's subject: the person themself. */
export const aboutUser = (userId: string) => ({ entityType: "user" as const, entityId: userId });
