import type { Origin } from "~/kernel/actor";
import type { OrganizationRole, UserRole, UserStatus } from "~/kernel/enums";

/** What may become of a person in an organisation. Pure. */

/** Who acts for an organisation: one of its admins, or a super admin. */
export type Administrator = { userId: string | null; origin: Origin };

export const MEMBER_ACTS = ["approve", "reject", "deactivate", "reactivate"] as const;
export type MemberAct = (typeof MEMBER_ACTS)[number];

/** One change to one person: whether they may work in the organisation, or with which role. */
export type MemberChange = { act: MemberAct } | { act: "change_role"; role: OrganizationRole };

/** A person's role in an organisation, and whether they may work there. */
export type MembershipState = { role: OrganizationRole; status: UserStatus };

/** Each act: from which statuses it leads to which. */
const STEPS: Record<MemberAct, { from: readonly UserStatus[]; to: UserStatus }> = {
  approve: { from: ["pending", "rejected"], to: "active" },
  reject: { from: ["pending"], to: "rejected" },
  deactivate: { from: ["pending", "active", "rejected"], to: "inactive" },
  reactivate: { from: ["inactive"], to: "active" },
};

/** The acts that make sense for a person with this status. */
export function actsFor(status: UserStatus): MemberAct[] {
  return MEMBER_ACTS.filter((act) => STEPS[act].from.includes(status));
}

/** The membership after a change; undefined where the change does not apply to it. */
export function membershipAfter(membership: MembershipState, change: MemberChange): MembershipState | undefined {
  if (change.act === "change_role")
    return change.role === membership.role ? undefined : { ...membership, role: change.role };
  const { from, to } = STEPS[change.act];
  return from.includes(membership.status) ? { ...membership, status: to } : undefined;
}

const isActiveAdmin = ({ role, status }: MembershipState) => role === "admin" && status === "active";

/** Whether a change takes an active admin away: at least one must remain. */
export const removesAdmin = (before: MembershipState, after: MembershipState): boolean =>
  isActiveAdmin(before) && !isActiveAdmin(after);

/** What a person's own row says of their current organisation. */
export type Account = { role: UserRole; status: UserStatus; organizationId: string | null };

/** Another organisation that a person is an active member of. */
export type Elsewhere = { organizationId: string; role: OrganizationRole };

/**
 * The person's own row after their membership changed: a copy of the membership while it is of their current organisation. A
 * person who loses access there moves to another organisation of theirs; a person with none cannot sign in. A person who
 * could not work anywhere starts again where they are approved.
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
