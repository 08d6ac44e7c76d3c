import { users } from "@db/schema";
import type { Origin } from "~/kernel/actor";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";
import type { OrganizationName } from "~/modules/accounts/organizations/organization";
import { addMember, createOrganization } from "~/modules/accounts/organizations/organization.server";
import type { Acting, CommandAudit, CommandPart } from "~/modules/core/commands/run-command.server";
import type { NotifyServices } from "~/services";
import { aboutUser } from "../account-actor";
import { queueConfirmation } from "../email/confirmation.server";
import { openSession } from "../sessions/session.server";
import { rememberDevice } from "../sign-in/device.server";
import { type Registration, TRIAL_MS } from "./registration";

/** A registration with its password hashed and its organisation found. */
export type CheckedRegistration = Omit<Registration, "password" | "organizationId"> & {
  passwordHash: string;
  /** The organisation to join. */
  joined?: OrganizationName;
};

/** Everything that registering writes; the username is chosen last, because it may be taken. */
export type BuiltRegistration = {
  userId: string;
  acting: Acting;
  session: { token: string; sessionId: string };
  partFor(username: string): CommandPart;
  /** The email with the confirmation link. */
  confirmation: CommandPart;
};

/** Account, organisation or membership, session, known device and audit entries of a registration. */
export async function buildRegistration(
  services: NotifyServices,
  origin: Origin,
  input: CheckedRegistration,
): Promise<BuiltRegistration> {
  const { clock, ids } = services;
  const { email, firstName, lastName, joined } = input;
  const userId = ids.next();
  const trialEndsAt = clock.now() + TRIAL_MS;
  const created = input.newOrganization && { id: ids.next(), ...input.newOrganization, trialEndsAt };
  const organization = created ?? joined;
  const place = {
    organizationId: organization?.id ?? null,
    role: created ? ("admin" as const) : ("member" as const),
    status: joined ? ("pending" as const) : ("active" as const),
  };
  const { statement: sessionRow, ...session } = await openSession(services, userId, origin);
  const device = await rememberDevice(services, userId, origin);
  const confirmation = await queueConfirmation(services, {
    userId,
    email,
    firstName,
    lastName,
    organizationName: organization?.name ?? null,
    createdOrganizationId: created?.id ?? null,
  });
  return {
    userId,
    acting: { userId, organizationId: organization?.id ?? PLATFORM_ORGANIZATION_ID, origin },
    session,
    confirmation,
    partFor: (username) => ({
      statements: [
        ...(created ? [createOrganization(services, created)] : []),
        insertPerson(services, input, { id: userId, username, ...place }),
        ...(organization ? [addMember(services, { ...place, organizationId: organization.id, userId })] : []),
        sessionRow,
        device.statement,
      ],
      audit: auditRegistration(userId, place, created),
    }),
  };
}

type Place = Pick<typeof users.$inferInsert, "id" | "username" | "organizationId" | "role" | "status">;

function insertPerson({ db, clock }: NotifyServices, input: CheckedRegistration, place: Place) {
  const { email, firstName, lastName, passwordHash } = input;
  const now = clock.now();
  const person = { email, firstName, lastName, password: passwordHash };
  return db.insert(users).values({ ...person, ...place, createdAt: now, updatedAt: now, lastLoginAt: now });
}

function auditRegistration(
  userId: string,
  { role, status }: Pick<Place, "role" | "status">,
  created: { id: string; name: string; abn?: string } | undefined,
): CommandAudit[] {
  const registered: CommandAudit = { action: "user.registered", ...aboutUser(userId), details: { role, status } };
  if (!created) return [registered];
  const { id, name, abn = null } = created;
  return [
    { action: "organization.created", entityType: "organization", entityId: id, details: { name, abn } },
    registered,
  ];
}
