import {
  type Condition,
  columnsOf,
  organizationDomains,
  organizations,
  organizationUsers,
  rowIn,
  type Statement,
  users,
} from "@db/database";
import { and, asc, eq, isNull, ne } from "drizzle-orm";
import * as z from "zod";
import { REFUSALS } from "~/kernel/access";
import { AppError } from "~/kernel/app-error";
import { formatDate } from "~/kernel/dates";
import { emailDomain } from "~/kernel/email";
import type { OrganizationRole, UserStatus } from "~/kernel/enums";
import { findMembership, type Membership } from "~/modules/accounts/identity/account.server";
import { needsOrganizationSelection } from "~/modules/accounts/identity/profile.server";
import { closeSession, getSignedIn, openSession, type SignedIn } from "~/modules/accounts/identity/session.server";
import type { PendingOrganization } from "~/modules/accounts/organizations/organization";
import { addMember, listPendingOrganizations } from "~/modules/accounts/organizations/organization.server";
import { requireNoProvider, requireOwnSignIn } from "~/modules/accounts/single-sign-on/provider-rule.server";
import type { EntryOf } from "~/modules/core/audit/audit";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { countUnread } from "~/modules/messages/alerts/alerts.server";
import type { Actor, Person, ReadServices, Services } from "~/services-and-actor";

const MAX_LISTED = 50;

/** The organisations that a person belongs to and may switch to, by name; without those where they have no access. */
export async function listMemberships({ db }: ReadServices, userId: string): Promise<PendingOrganization[]> {
  return db
    .select(columnsOf(organizations, "id", "name", "logo", "subdomain"))
    .from(organizationUsers)
    .innerJoin(organizations, eq(organizations.id, organizationUsers.organizationId))
    .where(and(eq(organizationUsers.userId, userId), ne(organizationUsers.status, "inactive")))
    .orderBy(asc(organizations.name))
    .limit(MAX_LISTED);
}

const message = "Choose an organisation";

/** POST /api/select-organization. */
export const selectionSchema = z.object({ organizationId: z.string({ error: message }).min(1, message).max(100) });

/**
 * Switches a person to the organisation that they chose: one of their own, or one that has claimed the domain of their
 * confirmed address. In the latter they can read at once if the domain is trusted, otherwise they wait for approval.
 * Because privileges change, they get a new session.
 * @throws AppError 403 ACCOUNT_PENDING, ACCOUNT_REJECTED, ORGANIZATION_NOT_YOURS, PROVIDER_REQUIRED, PROVIDER_SESSION
 */
export async function selectOrganization(
  services: Services,
  person: Person,
  { organizationId }: { organizationId: string },
): Promise<SignedIn> {
  requireOwnSignIn(person);
  await requireNoProvider(services, organizationId, person);
  const choice =
    (await switching(services, person, organizationId)) ?? (await joining(services, person, organizationId));
  if (!choice) throw notLetIn(person.status) ?? notYours();
  const { conditions, statements, ...entry } = choice;
  const { userId, origin } = person;
  const session = await openSession(services, userId, origin, person);
  const result = await runCommand(
    services,
    { userId, organizationId, origin },
    {
      conditions,
      uniques: { member_already: "organization_users" },
      statements: [...statements, session.statement, closeSession(services, person.sessionId)],
      audit: [{ ...entry, entityType: "user", entityId: userId }],
    },
  );
  if (!result.ok) throw notYours();
  return getSignedIn(services, origin, session);
}

/** The error for a person whose status gives no access; undefined if it does. */
function notLetIn(status: UserStatus): AppError | undefined {
  const refusal = REFUSALS[status];
  return refusal && new AppError(refusal.code, refusal.message);
}

const notYours = () => new AppError("ORGANIZATION_NOT_YOURS", "This organisation is not one of those you can choose.");

type Choice = EntryOf<"organization.selected" | "organization.switched"> & {
  conditions: Condition[];
  statements: Statement[];
};

/**
 * Makes one of the person's organisations the current one: also for people without access to their present one, who
 * would otherwise be stuck there.
 */
async function switching(services: Services, person: Person, organizationId: string): Promise<Choice | undefined> {
  const { db, clock } = services;
  const { userId } = person;
  const mine = await findMembership(services, organizationId, userId);
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

/** The condition that the membership is as it was read. */
function unchanged({ db }: Services, organizationId: string, userId: string, mine: Membership) {
  return rowIn(db, organizationUsers).where(
    and(
      eq(organizationUsers.organizationId, organizationId),
      eq(organizationUsers.userId, userId),
      eq(organizationUsers.role, mine.role),
      eq(organizationUsers.status, mine.status),
    ),
  );
}

/** Lets a person without an organisation join one that has claimed their domain. */
async function joining(services: Services, person: Person, organizationId: string): Promise<Choice | undefined> {
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
  // Without approval they are read-only until an administrator gives them another role, because all we know is that
  // they have a mailbox at the domain.
  const given = claimed.autoApprove ? ("read_only" as const) : ("member" as const);
  const role = mirrored(person, given);
  const trusted = and(claim, eq(organizationDomains.autoApprove, claimed.autoApprove));
  return {
    action: "organization.selected",
    conditions: [
      { name: "domain_changed", found: rowIn(db, organizationDomains).where(trusted) },
      {
        name: "person_changed",
        found: rowIn(db, users).where(
          and(eq(users.id, userId), eq(users.status, "active"), isNull(users.organizationId)),
        ),
      },
    ],
    statements: [
      addMember(services, { organizationId, userId, role: given, status }),
      db.update(users).set({ organizationId, role, status, updatedAt: clock.now() }).where(eq(users.id, userId)),
    ],
    details: { role, status },
  };
}

const mirrored = (person: Person, role: OrganizationRole) => (person.role === "super_admin" ? person.role : role);

/** What the page frame shows about the viewer. @param countAlerts their unread alerts, if being read already */
export async function describeViewer(
  services: ReadServices,
  person: Person,
  countAlerts: (reader: Pick<Actor, "userId" | "organizationId" | "timeZone">) => Promise<number> = (reader) =>
    countUnread(services, reader),
) {
  const { firstName, lastName, email, emailVerified, role, status, organizationName, isSuspended } = person;
  const needsSelection = status === "active" && needsOrganizationSelection(person);
  const {
    userId,
    organizationId,
    timeZone,
    hasSeveralOrganizations,
    notices = [],
    subscriptionEnded = false,
    needsPasskey = false,
    passkeyDueAt,
    isClosed = false,
  } = person;
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
    isClosed,
    needsSelection,
    pendingOrganizations,
    hasSeveralOrganizations,
    notices: status === "active" ? notices : [],
    subscriptionEnded,
    /** From when they need a passkey that they do not have; `isDue`: without it they can decide nothing. */
    passkey:
      needsPasskey || passkeyDueAt !== undefined
        ? {
            isDue: needsPasskey,
            hasOne: passkeyDueAt === undefined,
            from: passkeyDueAt === undefined ? null : formatDate(passkeyDueAt, timeZone),
          }
        : null,
    unreadAlerts,
  };
}
