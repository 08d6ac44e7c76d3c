import {
  columnsOf,
  organizations,
  organizationUsers,
  preparedPer,
  rowIn,
  type Statement,
  singleSignOn,
  users,
  waysIn,
} from "@db/database";
import { and, asc, eq, isNull, ne, sql } from "drizzle-orm";
import * as z from "zod";
import type { Email } from "~/emails/templates";
import { AppError, notFound } from "~/kernel/app-error";
import { ORGANIZATION_ROLES } from "~/kernel/enums";
import { idField } from "~/kernel/fields.schema.server";
import { appPaths } from "~/kernel/paths/app";
import { USER_STATUS_WORDS } from "~/kernel/status-words";
import { displayName } from "~/kernel/text";
import { closeAllSessions, revokeApiTokens, revokeInvitationsBy } from "~/modules/accounts/identity/account.server";
import { requireSigned, type SignedFields, type SignedPart } from "~/modules/accounts/identity/signed-approval.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { ROLE_LABELS } from "~/modules/accounts/organizations/roles";
import type { AuditAction } from "~/modules/core/audit/audit";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { findOrganizationAddress } from "~/modules/messages/alerts/trail.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import type { Origin, Person, ReadServices, Services, WriteServices } from "~/services-and-actor";
import {
  type Account,
  accountAfter,
  type Elsewhere,
  MEMBER_ACTS,
  type MemberAct,
  type MemberChange,
  type MembershipState,
  membershipAfter,
  removesAdmin,
} from "./members";

export const roleField = z.enum(ORGANIZATION_ROLES, { error: "Choose a role" });

/** Form posts about one person of a list. */
export const memberPostSchema: z.ZodType<{ userId: string; change: MemberChange }> = z
  .discriminatedUnion("intent", [
    z.object({ intent: z.enum(MEMBER_ACTS), userId: idField }),
    z.object({ intent: z.literal("change_role"), userId: idField, role: roleField }),
  ])
  .transform((post) => ({
    userId: post.userId,
    change: post.intent === "change_role" ? { act: post.intent, role: post.role } : { act: post.intent },
  }));

const ACTIONS = {
  approve: "member.approved",
  reject: "member.rejected",
  deactivate: "member.deactivated",
  reactivate: "member.reactivated",
  change_role: "member.role_changed",
} as const satisfies Record<MemberChange["act"], AuditAction>;

/**
 * Changes a member's access or role in an organisation. The organisation always keeps an active admin and, while it
 * requires its provider, the two who may sign in without it. The sessions of a member who loses access end in the same
 * batch. If a demoted administrator's address receives the organisation's alerts, it keeps doing so until another
 * address is confirmed.
 * @param administrator a person, or the organisation's directory
 * @throws AppError 404 for somebody who is not in this organisation, 409 OWN_ACCOUNT, ADDRESS_NOT_CONFIRMED,
 * LAST_ADMIN, WAY_IN, MEMBER_CHANGED; the errors of `requireSigned` when the organisation asks for a passkey
 */
export async function changeMember(
  services: Services,
  administrator: Person | { userId: null; origin: Origin },
  input: { organizationId: string; userId: string; change: MemberChange; signed?: SignedFields },
): Promise<{ member: Member; isChanged: boolean }> {
  const { organizationId, change } = input;
  const member = await getMember(services, input);
  if (change.act === "change_role" && member.status === "active" && member.role === change.role)
    return { member, isChanged: false };
  const after = requireStep(administrator, member, change);
  if (removesAdmin(member, after) && (await mustKeepEmergencySignIn(services, member).isNeeded())) throw wayIn(member);
  const signed = await requireSignedRole(services, administrator, {
    organizationId,
    organizationName: member.organizationName,
    person: displayName(member),
    email: member.email,
    after,
    fields: input.signed,
  });
  const elsewhere = after.status === "inactive" ? await findElsewhere(services, input) : undefined;
  const isAddress =
    change.act === "change_role" &&
    removesAdmin(member, after) &&
    (await findOrganizationAddress(services, organizationId))?.userId === member.userId;
  const staysAddress = isAddress || (after.status === "inactive" && member.confirmedContactEmail === member.email);
  const result = await runCommand(
    services,
    { ...administrator, organizationId },
    {
      conditions: [
        memberIsUnchanged(services, member, change.act),
        ...(removesAdmin(member, after)
          ? [hasAnotherAdmin(services, member), mustKeepEmergencySignIn(services, member).condition]
          : []),
        ...(signed?.conditions ?? []),
        ...(elsewhere ? [otherMembershipIsUnchanged(services, member, elsewhere)] : []),
      ],
      statements: [
        ...updateMembership(
          services,
          member,
          after,
          accountAfter(accountBefore(member, after), organizationId, after, elsewhere),
        ),
        ...(isAddress ? [keepAddress(services, member)] : []),
      ],
      audit: [
        {
          action: ACTIONS[change.act],
          entityType: "user",
          entityId: member.userId,
          details: {
            ...{ person: displayName(member), email: member.email, ...difference(member, after) },
            ...(staysAddress && { organizationAddress: member.email }),
          },
        },
      ],
      parts: signed ? [signed.part] : [],
      jobs:
        change.act === "change_role"
          ? []
          : await queueEmail(services, organizationId, [member.email], emailOf(services, member, change.act)),
    },
  );
  if (!result.ok) {
    if (result.refused === "last_admin") throw lastAdmin();
    if (result.refused === "way_in") throw wayIn(member);
    const now = await getMember(services, input);
    requireStep(administrator, now, change);
    throw changed(now);
  }
  return { member, isChanged: true };
}

function requireStep({ userId }: { userId: string | null }, member: Member, change: MemberChange): MembershipState {
  const after = membershipAfter(member, change);
  if (!after) throw changed(member);
  if (userId === member.userId && after.status === "inactive") {
    throw new AppError("OWN_ACCOUNT", "You cannot end your own access. Ask another administrator.");
  }
  if (change.act === "approve" && !member.emailVerified) {
    throw new AppError(
      "ADDRESS_NOT_CONFIRMED",
      `${displayName(member)} has not confirmed ${member.email} yet. You can approve them as soon as they have.`,
    );
  }
  return after;
}

const lastAdmin = () =>
  new AppError("LAST_ADMIN", "An organisation needs at least one active administrator. Appoint another one first.");

const wayIn = (member: Member) =>
  new AppError(
    "WAY_IN",
    `${displayName(member)} is one of the two administrators who can sign in when the company's sign-in is down. Name another one under Settings, Single sign-on, first.`,
  );

/** True if the organisation requires its provider, and the member is one of the two who may sign in without it. */
function mustKeepEmergencySignIn({ db }: ReadServices, { organizationId, userId }: Whose) {
  const named = rowIn(db, waysIn)
    .innerJoin(singleSignOn, eq(singleSignOn.organizationId, waysIn.organizationId))
    .where(
      and(eq(waysIn.organizationId, organizationId), eq(waysIn.userId, userId), eq(singleSignOn.mode, "required")),
    );
  return {
    isNeeded: async () => (await named).length > 0,
    condition: { name: "way_in" as const, found: sql`SELECT 1 WHERE NOT EXISTS (${named.getSQL()})` },
  };
}

type GivenRole = {
  organizationId: string;
  organizationName: string;
  person: string;
  email: string;
  after: MembershipState;
  fields: SignedFields | undefined;
};

/**
 * Requires a signature from whoever gives a person a role that can decide, if the organisation asks for one. Undefined
 * if it does not, for a read-only role, and for the organisation's directory, which has no key.
 * @throws AppError as `requireSigned`
 */
export async function requireSignedRole(
  services: Services,
  administrator: Person | { userId: null; origin: Origin },
  { organizationId, organizationName, person, email, after, fields }: GivenRole,
): Promise<SignedPart | undefined> {
  const mayDecide = after.status === "active" && after.role !== "read_only";
  if (!mayDecide || administrator.userId === null) return undefined;
  if (!(await findPolicy(services, organizationId)).passkeyForPeople) return undefined;
  const shows = [
    { term: "Decision", value: "Give this person the role" },
    ...(person ? [{ term: "Person", value: person }] : []),
    { term: "Email", value: email },
    { term: "Role", value: ROLE_LABELS[after.role] },
    { term: "Organisation", value: organizationName },
  ];
  return requireSigned(
    services,
    { ...administrator, organizationId, organizationName },
    { decision: "give_role", entityType: "organization", entityId: organizationId, shows },
    fields,
  );
}

const changed = (member: Member) =>
  new AppError(
    "MEMBER_CHANGED",
    `Nothing was changed: ${displayName(member)} is now ${USER_STATUS_WORDS[member.status].toLowerCase()}, with the role ${ROLE_LABELS[member.role]}.`,
  );

function difference(before: MembershipState, after: MembershipState) {
  return {
    ...(before.role === after.role ? {} : { role: { from: before.role, to: after.role } }),
    ...(before.status === after.status ? {} : { status: { from: before.status, to: after.status } }),
  };
}

const TEMPLATES = {
  approve: "memberApproved",
  reject: "memberRejected",
  deactivate: "memberDeactivated",
  reactivate: "memberReactivated",
} as const satisfies Record<MemberAct, Email["template"]>;

/** The email to the person. A changed role is told by an alert: whoever was just approved or removed may get none. */
function emailOf({ config }: WriteServices, { firstName, organizationName }: Member, act: MemberAct): Email {
  return {
    template: TEMPLATES[act],
    data: { firstName, organizationName, href: `${config.appOrigin}${appPaths.dashboard}` },
  };
}

/** The condition that membership and account are still as they were when the change was decided. */
function memberIsUnchanged({ db }: ReadServices, member: Member, act: MemberChange["act"]) {
  const { account, organizationId, userId } = member;
  return {
    name: "member_changed" as const,
    found: rowIn(db, organizationUsers)
      .innerJoin(users, eq(users.id, organizationUsers.userId))
      .where(
        and(
          eq(organizationUsers.organizationId, organizationId),
          eq(organizationUsers.userId, userId),
          eq(organizationUsers.role, member.role),
          eq(organizationUsers.status, member.status),
          eq(users.role, account.role),
          eq(users.status, account.status),
          account.organizationId === null
            ? isNull(users.organizationId)
            : eq(users.organizationId, account.organizationId),
          act === "approve" ? sql`${users.emailVerifiedAt} IS NOT NULL` : undefined,
        ),
      ),
  };
}

/** The condition that another admin remains: if two admins demote each other at once, the second is refused. */
function hasAnotherAdmin({ db }: ReadServices, { organizationId, userId }: Member) {
  return {
    name: "last_admin" as const,
    found: rowIn(db, organizationUsers)
      .innerJoin(users, eq(users.id, organizationUsers.userId))
      .where(
        and(
          eq(organizationUsers.organizationId, organizationId),
          eq(organizationUsers.status, "active"),
          eq(organizationUsers.role, "admin"),
          sql`${organizationUsers.userId} <> ${userId}`,
          sql`${users.status} <> 'inactive'`,
        ),
      ),
  };
}

/** The condition that the organisation in which the member continues is still open to them, with the same role. */
function otherMembershipIsUnchanged({ db }: ReadServices, { userId }: Member, { organizationId, role }: Elsewhere) {
  return {
    name: "other_place_changed" as const,
    found: rowIn(db, organizationUsers).where(
      and(
        eq(organizationUsers.organizationId, organizationId),
        eq(organizationUsers.userId, userId),
        eq(organizationUsers.role, role),
        eq(organizationUsers.status, "active"),
      ),
    ),
  };
}

/** Keeps a demoted administrator's address as the organisation's: whoever demotes them must not get the alerts. */
const keepAddress = ({ db, clock }: Services, { organizationId, email }: Member): Statement =>
  db
    .update(organizations)
    .set({ confirmedContactEmail: email, updatedAt: clock.now() })
    .where(and(eq(organizations.id, organizationId), isNull(organizations.confirmedContactEmail)));

/** A person looking at an organisation's sample data counts as being in that organisation when their access ends. */
const accountBefore = ({ account, organizationId, sampleId }: Member, after: MembershipState): Account =>
  after.status === "inactive" && sampleId !== null && account.organizationId === sampleId
    ? { ...account, organizationId }
    : account;

/** Writes the new role and status, and ends the sessions, API tokens and invitations that belong to the old one. */
function updateMembership(services: Services, member: Member, after: MembershipState, account: Account): Statement[] {
  const { db, clock } = services;
  const { organizationId, userId } = member;
  const now = clock.now();
  const losesAccess = after.status === "inactive";
  const isSignedInHere = accountBefore(member, after).organizationId === organizationId;
  return [
    db
      .update(organizationUsers)
      .set({ ...after, updatedAt: now })
      .where(and(eq(organizationUsers.organizationId, organizationId), eq(organizationUsers.userId, userId))),
    db
      .update(users)
      .set({ ...account, updatedAt: now })
      .where(eq(users.id, userId)),
    ...(losesAccess && isSignedInHere ? [closeAllSessions(services, userId)] : []),
    ...(losesAccess ? [revokeApiTokens(services, userId, organizationId)] : []),
    ...(losesAccess && member.sampleId !== null
      ? [
          db
            .delete(organizationUsers)
            .where(and(eq(organizationUsers.organizationId, member.sampleId), eq(organizationUsers.userId, userId))),
        ]
      : []),
    // A person who may no longer invite loses their open invitations.
    ...(removesAdmin(member, after) ? [revokeInvitationsBy(services, userId, organizationId)] : []),
  ];
}

/** One person in one organisation, with the facts that changes depend on. */
type Member = MembershipState & {
  organizationId: string;
  organizationName: string;
  userId: string;
  firstName: string;
  lastName: string;
  email: string;
  emailVerified: boolean;
  account: Account;
  /** The organisation's sample data; null: there is none. */
  sampleId: string | null;
  /** Where the organisation's own alerts go, as its reader confirmed. */
  confirmedContactEmail: string | null;
};

type Whose = { organizationId: string; userId: string };

/** A member of this organisation. @throws AppError 404 */
async function getMember({ db }: ReadServices, whose: Whose): Promise<Member> {
  const [row] = await db
    .select({
      ...columnsOf(organizationUsers, "role", "status"),
      organizationName: organizations.name,
      confirmedContactEmail: organizations.confirmedContactEmail,
      ...columnsOf(users, "firstName", "lastName", "email", "emailVerifiedAt"),
      account: { role: users.role, status: users.status, organizationId: users.organizationId },
      sampleId: sql<string | null>`(SELECT "sample"."id" FROM ${organizations} AS "sample"
        WHERE "sample"."sampleFor" = ${whose.organizationId})`,
    })
    .from(organizationUsers)
    .innerJoin(users, eq(users.id, organizationUsers.userId))
    .innerJoin(organizations, eq(organizations.id, organizationUsers.organizationId))
    .where(and(eq(organizationUsers.organizationId, whose.organizationId), eq(organizationUsers.userId, whose.userId)));
  if (!row) throw notFound();
  const { emailVerifiedAt, ...member } = row;
  return { ...member, ...whose, emailVerified: emailVerifiedAt !== null };
}

/** Another organisation in which the person is active and can continue; the one they joined first. */
async function findElsewhere({ db }: ReadServices, { organizationId, userId }: Whose): Promise<Elsewhere | undefined> {
  const [row] = await db
    .select({ organizationId: organizationUsers.organizationId, role: organizationUsers.role })
    .from(organizationUsers)
    .innerJoin(organizations, eq(organizations.id, organizationUsers.organizationId))
    .where(
      and(
        eq(organizationUsers.userId, userId),
        ne(organizationUsers.organizationId, organizationId),
        eq(organizationUsers.status, "active"),
        eq(organizations.active, true),
        // Leaves out sample data, because it is for members of the organisation that they lose.
        isNull(organizations.sampleFor),
      ),
    )
    .orderBy(asc(organizationUsers.id))
    .limit(1);
  return row;
}

/** A person's current organisation, for those who may act on people of every organisation. @throws AppError 404 */
export async function getCurrentOrganizationId({ db }: ReadServices, userId: string): Promise<string | null> {
  const [row] = await db.select({ organizationId: users.organizationId }).from(users).where(eq(users.id, userId));
  if (!row) throw notFound();
  return row.organizationId;
}

export type Colleague = { userId: string; name: string };

/** More people than a selection list offers. */
const MAX_COLLEAGUES = 200;

/** The active people of an organisation, longest-standing first; `canWrite`: only those with write access. */
export async function listColleagues(
  { db }: ReadServices,
  { organizationId }: { organizationId: string },
  { canWrite = false }: { canWrite?: boolean } = {},
): Promise<Colleague[]> {
  const rows = await colleaguesOf(db, { canWrite }).all({ organizationId });
  return rows.map(({ userId, ...name }) => ({ userId, name: displayName(name) }));
}

const colleaguesOf = preparedPer((db, { canWrite }: { canWrite: boolean }) =>
  db
    .select({ userId: users.id, firstName: users.firstName, lastName: users.lastName })
    .from(organizationUsers)
    .innerJoin(users, eq(users.id, organizationUsers.userId))
    .where(
      and(
        eq(organizationUsers.organizationId, sql.placeholder("organizationId")),
        eq(organizationUsers.status, "active"),
        ne(users.status, "inactive"),
        canWrite ? ne(organizationUsers.role, "read_only") : undefined,
      ),
    )
    .orderBy(asc(organizationUsers.userId))
    .limit(MAX_COLLEAGUES)
    .prepare(),
);

/** How many members a name is compared with, longest-standing first. */
const MAX_NAMED = 1_000;

/** Everybody who is or was a member of an organisation, whatever their present access. */
export const listEveryMember = ({ db }: ReadServices, { organizationId }: { organizationId: string }) =>
  db
    .select({ userId: users.id, firstName: users.firstName, lastName: users.lastName, email: users.email })
    .from(organizationUsers)
    .innerJoin(users, eq(users.id, organizationUsers.userId))
    .where(eq(organizationUsers.organizationId, organizationId))
    .orderBy(asc(organizationUsers.userId))
    .limit(MAX_NAMED);

/** An alert goes to at most this many people. */
export const MAX_ALERTED_MEMBERS = 200;

/** Email addresses of an organisation's active members with write access for alerts, longest-standing first. */
export async function listMemberEmails(
  services: ReadServices,
  organizationId: string,
  /** The person who acted and does not need the alert. */
  except?: string,
): Promise<string[]> {
  const rows = await services.db
    .select({ email: users.email })
    .from(organizationUsers)
    .innerJoin(users, eq(users.id, organizationUsers.userId))
    .where(
      and(
        eq(organizationUsers.organizationId, organizationId),
        ne(organizationUsers.role, "read_only"),
        eq(organizationUsers.status, "active"),
        ne(users.status, "inactive"),
        except === undefined ? undefined : ne(organizationUsers.userId, except),
      ),
    )
    .orderBy(organizationUsers.userId)
    .limit(MAX_ALERTED_MEMBERS);
  return rows.map((row) => row.email);
}
