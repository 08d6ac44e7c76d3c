import type { Statement } from "@db/client";
import type { Condition } from "@db/precondition";
import { organizationDomains, organizationUsers, users } from "@db/schema";
import { and, eq, isNull, ne, sql } from "drizzle-orm";
import * as z from "zod";
import { REFUSALS } from "~/kernel/access";
import type { Person } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { emailDomain } from "~/kernel/email";
import type { OrganizationRole, UserStatus } from "~/kernel/enums";
import { closeSession, openSession } from "~/modules/accounts/identity/sessions/session.server";
import { getSignedIn, type SignedIn } from "~/modules/accounts/identity/sessions/signed-in.server";
import { addMember, listPendingOrganizations } from "~/modules/accounts/organizations/organization.server";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { Services, WriteServices } from "~/services";

const message = "Choose an organisation";

/** POST /api/select-organization. */
export const selectionSchema = z.object({ organizationId: z.string({ error: message }).min(1, message).max(100) });

type Needs = WriteServices & Pick<Services, "secrets">;

/**
 * Takes the person into the organisation they chose: one of their own, or one that has claimed the domain of their
 * confirmed address. There they become a member, at once where the domain is trusted, else after approval. What a person
 * may do changes with it, so the session is a new one.
 * @throws AppError 403 ACCOUNT_PENDING, ACCOUNT_REJECTED, ORGANIZATION_NOT_YOURS
 */
export async function selectOrganization(
  services: Needs,
  person: Person,
  { organizationId }: { organizationId: string },
): Promise<SignedIn> {
  const choice =
    (await switching(services, person, organizationId)) ?? (await joining(services, person, organizationId));
  if (!choice) throw notLetIn(person.status) ?? notYours();
  const { userId, origin } = person;
  const session = await openSession(services, userId, origin);
  const result = await runCommand(
    services,
    { userId, organizationId, origin },
    {
      conditions: choice.conditions,
      uniques: { member_already: "organization_users" },
      statements: [...choice.statements, session.statement, closeSession(services, person.sessionId)],
      audit: [{ action: choice.action, entityType: "user", entityId: userId, details: choice.details }],
      answer: undefined,
    },
  );
  if (!result.ok) throw notYours();
  return getSignedIn(services, origin, session);
}

/** Why a person with this status may not come in; undefined for a person who may. */
function notLetIn(status: UserStatus): AppError | undefined {
  const refusal = REFUSALS[status];
  return refusal && new AppError(refusal.code, 403, refusal.message);
}

const notYours = () =>
  new AppError("ORGANIZATION_NOT_YOURS", 403, "This organisation is not one of those you can choose.");

type Membership = { role: OrganizationRole; status: UserStatus };
type Choice = {
  action: "organization.switched" | "organization.selected";
  conditions: Condition[];
  statements: Statement[];
  details: Record<string, unknown>;
};

/**
 * An organisation the person already belongs to becomes the current one: also for people whom the current one has not let
 * in, who would otherwise be stuck there.
 */
async function switching(services: Needs, person: Person, organizationId: string): Promise<Choice | undefined> {
  const { db, clock } = services;
  const { userId } = person;
  const membership = db
    .select({ role: organizationUsers.role, status: organizationUsers.status })
    .from(organizationUsers)
    .where(
      and(
        eq(organizationUsers.organizationId, organizationId),
        eq(organizationUsers.userId, userId),
        ne(organizationUsers.status, "inactive"),
      ),
    );
  const [mine] = await membership;
  if (!mine) return undefined;
  const refusal = notLetIn(mine.status) ?? (organizationId === person.organizationId && notLetIn(person.status));
  if (refusal) throw refusal;
  const role = mirrored(person, mine.role);
  const { status } = mine;
  return {
    action: "organization.switched",
    conditions: [{ name: "membership_changed", found: unchanged(services, organizationId, userId, mine) }],
    statements: [
      db.update(users).set({ organizationId, role, status, updatedAt: clock.now() }).where(eq(users.id, userId)),
    ],
    details: { role },
  };
}

/** The membership is still what was read. */
function unchanged({ db }: Needs, organizationId: string, userId: string, mine: Membership) {
  return db
    .select({ one: sql`1` })
    .from(organizationUsers)
    .where(
      and(
        eq(organizationUsers.organizationId, organizationId),
        eq(organizationUsers.userId, userId),
        eq(organizationUsers.role, mine.role),
        eq(organizationUsers.status, mine.status),
      ),
    );
}

/** A person without an organisation joins one that has claimed their domain. */
async function joining(services: Needs, person: Person, organizationId: string): Promise<Choice | undefined> {
  const { db, clock } = services;
  const { userId } = person;
  if (person.status !== "active") return undefined;
  const offered = await listPendingOrganizations(services, person);
  if (!offered.some((organization) => organization.id === organizationId)) return undefined;
  const domain = emailDomain(person.email);
  const claim = and(eq(organizationDomains.organizationId, organizationId), eq(organizationDomains.domain, domain));
  const [claimed] = await db
    .select({ autoApprove: organizationDomains.autoApprove })
    .from(organizationDomains)
    .where(claim);
  if (!claimed) return undefined;
  const status = claimed.autoApprove ? ("active" as const) : ("pending" as const);
  const role = mirrored(person, "member");
  const trusted = and(claim, eq(organizationDomains.autoApprove, claimed.autoApprove));
  const one = { one: sql`1` };
  return {
    action: "organization.selected",
    conditions: [
      { name: "domain_changed", found: db.select(one).from(organizationDomains).where(trusted) },
      {
        name: "person_changed",
        found: db
          .select(one)
          .from(users)
          .where(and(eq(users.id, userId), eq(users.status, "active"), isNull(users.organizationId))),
      },
    ],
    statements: [
      addMember(services, { organizationId, userId, role: "member", status }),
      db.update(users).set({ organizationId, role, status, updatedAt: clock.now() }).where(eq(users.id, userId)),
    ],
    details: { role, status },
  };
}

const mirrored = (person: Person, role: OrganizationRole) => (person.role === "super_admin" ? person.role : role);
