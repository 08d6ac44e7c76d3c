import type { Statement } from "@db/client";
import { organizationDomains, organizations, organizationUsers } from "@db/schema";
import { sql } from "drizzle-orm";
import type { OrganizationRole, UserStatus } from "~/kernel/enums";
import type { Services } from "~/services";

/** A new organisation in its trial, for the batch of the registration that creates it. */
export function createOrganization(
  services: Pick<Services, "db" | "clock">,
  organization: { id: string; name: string; abn?: string; trialEndsAt: number },
): Statement {
  const now = services.clock.now();
  return services.db.insert(organizations).values({ ...organization, createdAt: now, updatedAt: now });
}

/** Makes a person belong to an organisation. What they are there is copied into their own row by the caller. */
export function addMember(
  services: Pick<Services, "db" | "clock" | "ids">,
  member: { organizationId: string; userId: string; role: OrganizationRole; status: UserStatus },
): Statement {
  const now = services.clock.now();
  return services.db
    .insert(organizationUsers)
    .values({ id: services.ids.next(), ...member, createdAt: now, updatedAt: now });
}

/** Gives an email domain to an organisation; its first one becomes the primary. The caller makes sure that it is free. */
export function claimDomain(
  services: Pick<Services, "db" | "clock" | "ids">,
  claim: { organizationId: string; domain: string },
): Statement {
  const { db, clock, ids } = services;
  const now = clock.now();
  const isFirst = sql<boolean>`(SELECT NOT EXISTS (SELECT 1 FROM ${organizationDomains} WHERE ${sql.identifier("organizationId")} = ${claim.organizationId}))`;
  return db
    .insert(organizationDomains)
    .values({ id: ids.next(), ...claim, isPrimary: isFirst, createdAt: now, updatedAt: now });
}
