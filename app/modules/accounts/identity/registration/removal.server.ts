import type { Statement } from "@db/client";
import { knownDevices, organizations, organizationUsers, tokens, users } from "@db/schema";
import { eq, sql } from "drizzle-orm";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";
import type { CommandPart } from "~/modules/core/commands/run-command.server";
import type { ReadServices, Services } from "~/services";
import { endAllAccess, removeTwoStep, revokeInvitationsBy } from "../account-access.server";

export type Registered = {
  userId: string;
  email: string;
  /** The organisation that the registration created, unless other people belong to it by now. */
  abandonedOrganizationId: string | null;
};

/**
 * Deletes the registration of an address whose owner says that another person made it. The address is free again, no
 * person can sign in to the account, and the organisation it created is suspended. The row stays without the address, because
 * the audit trail names it.
 */
export function removeRegistration(services: Pick<Services, "db" | "clock">, registered: Registered): CommandPart {
  const { db } = services;
  const { userId, email, abandonedOrganizationId } = registered;
  return {
    statements: [
      ...endAllAccess(services, userId),
      ...removeTwoStep(services, userId),
      db.delete(knownDevices).where(eq(knownDevices.userId, userId)),
      db.delete(tokens).where(eq(tokens.userId, userId)),
      ...withdraw(services, registered),
    ],
    audit: [
      {
        action: "user.registration_disowned",
        entityType: "user",
        entityId: userId,
        organizationId: abandonedOrganizationId ?? PLATFORM_ORGANIZATION_ID,
        bySystem: true,
        details: { email },
      },
    ],
  };
}

/** Ends the membership, empties the account and suspends the organisation that only this registration created. */
function withdraw(
  services: Pick<Services, "db" | "clock">,
  { userId, abandonedOrganizationId }: Registered,
): Statement[] {
  const { db, clock } = services;
  const updatedAt = clock.now();
  const name = `removed-${userId}`;
  const emptied = { email: `${name}@removed.invalid`, username: name, password: "", organizationId: null };
  const statements: Statement[] = [
    db.update(organizationUsers).set({ status: "inactive", updatedAt }).where(eq(organizationUsers.userId, userId)),
    db
      .update(users)
      .set({ ...emptied, status: "inactive", role: "member", updatedAt })
      .where(eq(users.id, userId)),
  ];
  if (abandonedOrganizationId === null) return statements;
  return [
    revokeInvitationsBy(services, userId, abandonedOrganizationId),
    ...statements,
    db.update(organizations).set({ active: false, updatedAt }).where(eq(organizations.id, abandonedOrganizationId)),
  ];
}

/** The registration is still there, its address unconfirmed: a person who confirmed it cannot be removed this way. */
export function registrationIsUnconfirmed({ db }: ReadServices, { userId, email }: Registered) {
  return {
    name: "registration_confirmed" as const,
    found: db
      .select({ one: sql`1` })
      .from(users)
      .where(sql`${users.id} = ${userId} AND ${users.email} = ${email} AND ${users.emailVerifiedAt} IS NULL`),
  };
}
