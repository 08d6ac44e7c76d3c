import type { Statement } from "@db/client";
import { organizationUsers, users } from "@db/schema/index";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Email } from "~/emails/templates";
import { displayName } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { appPaths } from "~/kernel/paths/app";
import { USER_STATUS_WORDS } from "~/kernel/status-words";
import { revokeApiTokens, revokeInvitationsBy } from "~/modules/accounts/identity/account-access.server";
import { closeAllSessions } from "~/modules/accounts/identity/sessions/session.server";
import { ROLE_LABELS } from "~/modules/accounts/organizations/roles";
import type { AuditAction } from "~/modules/core/audit/audit";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import type { NotifyServices, ReadServices, Services } from "~/services";
import {
  type Account,
  type Administrator,
  accountAfter,
  type Elsewhere,
  type MemberAct,
  type MemberChange,
  type MembershipState,
  membershipAfter,
  removesAdmin,
} from "./members";
import { findElsewhere, getMember, type Member } from "./membership-change.server";

const ACTIONS: Record<MemberChange["act"], AuditAction> = {
  approve: "member.approved",
  reject: "member.rejected",
  deactivate: "member.deactivated",
  reactivate: "member.reactivated",
  change_role: "member.role_changed",
};

/**
 * Changes a member's access or role in an organisation. The organisation always keeps an active admin; a member who loses
 * access loses their sessions in the same batch.
 * @throws AppError 404 for nobody of this organisation, 409 OWN_ACCOUNT, ADDRESS_NOT_CONFIRMED, LAST_ADMIN, MEMBER_CHANGED
 */
export async function changeMember(
  services: NotifyServices,
  administrator: Administrator,
  input: { organizationId: string; userId: string; change: MemberChange },
): Promise<{ member: Member; after: MembershipState }> {
  const { organizationId, change } = input;
  const member = await getMember(services, input);
  const after = requireStep(administrator, member, change);
  const elsewhere = after.status === "inactive" ? await findElsewhere(services, input) : undefined;
  const result = await runCommand(
    services,
    { ...administrator, organizationId },
    {
      conditions: [
        memberIsUnchanged(services, member, change.act),
        ...(removesAdmin(member, after) ? [hasAnotherAdmin(services, member)] : []),
        ...(elsewhere ? [otherMembershipIsUnchanged(services, member, elsewhere)] : []),
      ],
      statements: updateMembership(
        services,
        member,
        after,
        accountAfter(member.account, organizationId, after, elsewhere),
      ),
      audit: [
        {
          action: ACTIONS[change.act],
          entityType: "user",
          entityId: member.userId,
          details: { person: displayName(member), email: member.email, ...difference(member, after) },
        },
      ],
      jobs:
        change.act === "change_role"
          ? []
          : await queueEmail(services, organizationId, [member.email], emailOf(services, member, change.act)),
      answer: undefined,
    },
  );
  if (!result.ok) {
    if (result.refused === "last_admin") throw lastAdmin();
    const now = await getMember(services, input);
    requireStep(administrator, now, change);
    throw changed(now);
  }
  return { member, after };
}

function requireStep({ userId }: Administrator, member: Member, change: MemberChange): MembershipState {
  const after = membershipAfter(member, change);
  if (!after) throw changed(member);
  if (userId === member.userId && after.status === "inactive") {
    throw new AppError("OWN_ACCOUNT", 409, "You cannot end your own access. Ask another administrator.");
  }
  if (change.act === "approve" && !member.emailVerified) {
    throw new AppError(
      "ADDRESS_NOT_CONFIRMED",
      409,
      `${displayName(member)} has not confirmed ${member.email} yet. You can approve them as soon as they have.`,
    );
  }
  return after;
}

const lastAdmin = () =>
  new AppError(
    "LAST_ADMIN",
    409,
    "An organisation needs at least one active administrator. Appoint another one first.",
  );

const changed = (member: Member) =>
  new AppError(
    "MEMBER_CHANGED",
    409,
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

/** An alert tells of a changed role; a person who was just approved or removed may have no alerts. */
function emailOf({ config }: NotifyServices, { firstName, organizationName }: Member, act: MemberAct): Email {
  return {
    template: TEMPLATES[act],
    data: { firstName, organizationName, href: `${config.appOrigin}${appPaths.dashboard}` },
  };
}

/** Membership and account are still what was decided about. */
function memberIsUnchanged({ db }: ReadServices, member: Member, act: MemberChange["act"]) {
  const { account, organizationId, userId } = member;
  return {
    name: "member_changed" as const,
    found: db
      .select({ one: sql`1` })
      .from(organizationUsers)
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

/** Of two admins who demote each other at once, the second finds nobody left. */
function hasAnotherAdmin({ db }: ReadServices, { organizationId, userId }: Member) {
  return {
    name: "last_admin" as const,
    found: db
      .select({ one: sql`1` })
      .from(organizationUsers)
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

/** The organisation that the member continues in is still open to them, with the same role. */
function otherMembershipIsUnchanged({ db }: ReadServices, { userId }: Member, { organizationId, role }: Elsewhere) {
  return {
    name: "other_place_changed" as const,
    found: db
      .select({ one: sql`1` })
      .from(organizationUsers)
      .where(
        and(
          eq(organizationUsers.organizationId, organizationId),
          eq(organizationUsers.userId, userId),
          eq(organizationUsers.role, role),
          eq(organizationUsers.status, "active"),
        ),
      ),
  };
}

/** Writes the new role and status, and ends the sessions, API tokens and invitations that go with the old one. */
function updateMembership(
  services: Pick<Services, "db" | "clock">,
  member: Member,
  after: MembershipState,
  account: Account,
): Statement[] {
  const { db, clock } = services;
  const { organizationId, userId } = member;
  const now = clock.now();
  const losesAccess = after.status === "inactive";
  const isSignedInHere = member.account.organizationId === organizationId;
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
    // The invitations of a person who may no longer invite end with their role.
    ...(removesAdmin(member, after) ? [revokeInvitationsBy(services, userId, organizationId)] : []),
  ];
}
