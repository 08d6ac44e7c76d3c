import { auditLogs, organizations, organizationUsers, type Statement, users } from "@db/database";
import { DAY_MS, DEFAULT_TIME_ZONE } from "~/kernel/dates";
import type { OrganizationRole, UserStatus } from "~/kernel/enums";
import { type Acting, auditRow, type CommandAudit } from "~/modules/core/commands/run-command.server";
import type { Actor, Services } from "~/services-and-actor";

type Trial = { name?: string; trialEndsAt?: number };

/** An organisation in its trial, and the statement that inserts it. */
function newOrganization({ db, ids, clock }: Services, input: Trial = {}) {
  const now = clock.now();
  const row = { id: ids.next(), name: "Harbour Joinery Pty Ltd", trialEndsAt: now + 14 * DAY_MS, ...input };
  return { row, insert: db.insert(organizations).values({ ...row, createdAt: now, updatedAt: now }) };
}

/** An organisation in its trial. */
export async function anOrganization(services: Services, input?: Trial) {
  const { row, insert } = newOrganization(services, input);
  await insert;
  return row;
}

type Who = {
  role?: OrganizationRole;
  status?: UserStatus;
  organization?: { id: string; name: string };
  firstName?: string;
};

/** A person of an organisation (a new one unless given), as the actor of commands. */
export async function aMember(services: Services, who: Who = {}): Promise<Actor> {
  const added = newOrganization(services);
  const organization = who.organization ?? added.row;
  const userId = services.ids.next();
  const now = services.clock.now();
  const tag = userId.slice(-8);
  const person = {
    username: `person-${tag}`,
    email: `person-${tag}@harbour.example`,
    firstName: who.firstName ?? "Mira",
    lastName: "Okafor",
    status: who.status ?? ("active" as const),
    role: who.role ?? ("member" as const),
  };
  const member = [
    services.db.insert(users).values({
      ...person,
      id: userId,
      password: "none",
      emailVerifiedAt: now,
      organizationId: organization.id,
      createdAt: now,
      updatedAt: now,
    }),
    services.db.insert(organizationUsers).values({
      id: services.ids.next(),
      organizationId: organization.id,
      userId,
      role: person.role,
      status: person.status,
      createdAt: now,
      updatedAt: now,
    }),
  ] as const;
  await services.db.batch(who.organization ? [...member] : [added.insert, ...member]);
  return {
    ...person,
    userId,
    sessionId: "none",
    emailVerified: true,
    twoStepEnabled: false,
    needsTwoStep: false,
    organizationId: organization.id,
    organizationName: organization.name,
    organizationRole: person.role,
    timeZone: DEFAULT_TIME_ZONE,
    hasSeveralOrganizations: false,
    isSuspended: false,
    origin: { ipAddress: "203.0.113.7", userAgent: "test", requestId: services.ids.next() },
  };
}

/** The statement that inserts an audit row. */
export const recordAudit = (
  services: Pick<Services, "db" | "clock" | "ids">,
  actor: Acting,
  entry: CommandAudit,
): Statement => services.db.insert(auditLogs).values(auditRow(services, actor, entry));
