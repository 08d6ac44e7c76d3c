import type { Statement } from "@db/client";
import { organizationUsers, users } from "@db/schema";
import { and, eq, isNull, sql } from "drizzle-orm";
import { revokeApiTokens, revokeInvitationsBy } from "~/modules/accounts/identity/account-access.server";
import { closeAllSessions } from "~/modules/accounts/identity/sessions/session.server";
import type { ReadServices, Services } from "~/services";
import { type Account, type Elsewhere, type MemberChange, type MembershipState, removesAdmin } from "./members";
import type { Member } from "./membership-change.server";

/** Membership and account are still what was decided about. */
export function memberIsUnchanged({ db }: ReadServices, member: Member, act: MemberChange["act"]) {
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
export function hasAnotherAdmin({ db }: ReadServices, { organizationId, userId }: Member) {
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
export function otherMembershipIsUnchanged(
  { db }: ReadServices,
  { userId }: Member,
  { organizationId, role }: Elsewhere,
) {
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
export function updateMembership(
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
