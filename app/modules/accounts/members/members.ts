import type { OrganizationRole, UserRole, UserStatus } from "~/kernel/enums";
import type { Origin } from "~/services-and-actor";

/** The changes that can be made to a person in an organisation. Pure. */

/** Who acts for an organisation: one of its admins, or a super admin. */
export type Administrator = { userId: string | null; origin: Origin };

export const MEMBER_ACTS = ["approve", "reject", "deactivate", "reactivate"] as const;
export type MemberAct = (typeof MEMBER_ACTS)[number];

/** One change to one person: their access to the organisation, or their role. */
export type MemberChange = { act: MemberAct } | { act: "change_role"; role: OrganizationRole };

/** A person's role in an organisation, and whether they may work there. */
export type MembershipState = { role: OrganizationRole; status: UserStatus };

/** For each action: the statuses it applies to, and the resulting one. */
const STEPS: Record<MemberAct, { from: readonly UserStatus[]; to: UserStatus }> = {
  approve: { from: ["pending", "rejected"], to: "active" },
  reject: { from: ["pending"], to: "rejected" },
  deactivate: { from: ["pending", "active", "rejected"], to: "inactive" },
  reactivate: { from: ["inactive"], to: "active" },
};

/** The actions that apply to a person with this status. */
export function actsFor(status: UserStatus): MemberAct[] {
  return MEMBER_ACTS.filter((act) => STEPS[act].from.includes(status));
}

/** The membership after a change; undefined when the change does not apply to it. */
export function membershipAfter(membership: MembershipState, change: MemberChange): MembershipState | undefined {
  if (change.act === "change_role")
    return change.role === membership.role ? undefined : { ...membership, role: change.role };
  const { from, to } = STEPS[change.act];
  return from.includes(membership.status) ? { ...membership, status: to } : undefined;
}

const isActiveAdmin = ({ role, status }: MembershipState) => role === "admin" && status === "active";

/** True if a change removes an active admin, of whom at least one must remain. */
export const removesAdmin = (before: MembershipState, after: MembershipState): boolean =>
  isActiveAdmin(before) && !isActiveAdmin(after);

/** A person's own row: a copy of the membership in their current organisation. */
export type Account = { role: UserRole; status: UserStatus; organizationId: string | null };

/** Another organisation that a person is an active member of. */
export type Elsewhere = { organizationId: string; role: OrganizationRole };

/**
 * The person's own row after a membership change, which it copies if it concerns their current organisation. A person
 * who loses access there moves to another organisation of theirs; without one they cannot sign in. A person without any
 * access starts in the organisation that approves them.
 */
export function accountAfter(
  account: Account,
  organizationId: string,
  membership: MembershipState,
  elsewhere: Elsewhere | undefined,
): Account {
  const at = (id: string | null, role: OrganizationRole, status: UserStatus): Account => ({
    organizationId: id,
    role: account.role === "super_admin" ? "super_admin" : role,
    status,
  });
  if (account.organizationId !== organizationId) {
    const isWaiting = account.status !== "active" || account.organizationId === null;
    return isWaiting && membership.status === "active" ? at(organizationId, membership.role, "active") : account;
  }
  if (membership.status !== "inactive") return at(organizationId, membership.role, membership.status);
  if (elsewhere) return at(elsewhere.organizationId, elsewhere.role, "active");
  // A super admin's account does not depend on any organisation.
  return account.role === "super_admin"
    ? at(null, membership.role, "active")
    : at(organizationId, membership.role, "inactive");
}
