import { knownDevices, organizations, organizationUsers, rowIn, type Statement, tokens, users } from "@db/database";
import { eq, sql } from "drizzle-orm";
import { type CommandPart, runCommand } from "~/modules/core/commands/run-command.server";
import { type Origin, PLATFORM_ORGANIZATION_ID, type ReadServices, type Services } from "~/services-and-actor";
import { endAllAccess, removeTwoStep, revokeInvitationsBy } from "./account.server";
import { getUnusedConfirmation } from "./confirmation.server";
import { changedMeanwhile } from "./proof.server";

/**
 * "This was not me": the owner of a mailbox deletes a registration that somebody else made with their address. An
 * expired link works too.
 * @returns the address, which is free again
 * @throws AppError 404 NOT_FOUND, 409 ALREADY_CONFIRMED
 */
export async function disownRegistration(services: Services, origin: Origin, token: string) {
  const { userId, email, createdOrganizationId, hasOtherMembers } = await getUnusedConfirmation(services, token);
  const registered = { userId, email, abandonedOrganizationId: hasOtherMembers ? null : createdOrganizationId };
  const { ok } = await runCommand(
    services,
    { userId: null, organizationId: PLATFORM_ORGANIZATION_ID, origin },
    {
      conditions: [registrationIsUnconfirmed(services, registered)],
      parts: [removeRegistration(services, registered)],
    },
  );
  if (!ok) throw changedMeanwhile();
  return { email };
}

type Registered = {
  userId: string;
  email: string;
  /** The organisation that the registration created, unless other people belong to it by now. */
  abandonedOrganizationId: string | null;
};

/**
 * Deletes the registration of an address whose owner did not make it. The address is free again, nobody can sign in to
 * the account, and the organisation it created is suspended. The row stays without the address, because the audit trail
 * refers to it.
 */
export function removeRegistration(services: Services, registered: Registered): CommandPart {
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
        entityId: userId,
        organizationId: abandonedOrganizationId ?? PLATFORM_ORGANIZATION_ID,
        bySystem: true,
        details: { email },
      },
    ],
  };
}

/** Ends the membership, clears the account and suspends the organisation if only this registration belongs to it. */
function withdraw(services: Services, { userId, abandonedOrganizationId }: Registered): Statement[] {
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

/** The condition that the registration still exists unconfirmed: a confirmed one cannot be removed this way. */
export function registrationIsUnconfirmed({ db }: ReadServices, { userId, email }: Registered) {
  return {
    name: "registration_confirmed" as const,
    found: rowIn(db, users).where(
      sql`${users.id} = ${userId} AND ${users.email} = ${email} AND ${users.emailVerifiedAt} IS NULL`,
    ),
  };
}
