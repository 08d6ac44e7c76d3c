import type { Origin } from "~/kernel/actor";
import type { OrganizationRole, UserRole, UserStatus } from "~/kernel/enums";

/** What may become of a person in an organisation. Pure. */

/** Who acts for an organisation: one of its admins, or a super admin. */
export type Administrator = { userId: string; origin: Origin };

export const MEMBER_ACTS = ["approve", "reject", "deactivate", "reactivate"] as const;
export type MemberAct = (typeof MEMBER_ACTS)[number];

/** One change to one person: where they may come in, or what they may do there. */
export type MemberChange = { act: MemberAct } | { act: "change_role"; role: OrganizationRole };

/** A person's place in an organisation. */
export type Place = { role: OrganizationRole; status: UserStatus };

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

/** Where a change leads, or undefined: it does not apply to where the person stands now. */
export function placeAfter(place: Place, change: MemberChange): Place | undefined {
  if (change.act === "change_role") return change.role === place.role ? undefined : { ...place, role: change.role };
  const { from, to } = STEPS[change.act];
  return from.includes(place.status) ? { ...place, status: to } : undefined;
}

const isActiveAdmin = ({ role, status }: Place) => role === "admin" && status === "active";

/** Whether a change takes an active admin away: at least one must remain. */
export const endsAdmin = (before: Place, after: Place): boolean => isActiveAdmin(before) && !isActiveAdmin(after);

/** What a person's own row says of where they are now. */
export type Account = { role: UserRole; status: UserStatus; organizationId: string | null };

/** Another organisation that a person is an active member of. */
export type Elsewhere = { organizationId: string; role: OrganizationRole };

/**
 * The person's own row after their place in an organisation changed: a copy of the place while it is their current one. A
 * person who loses access there moves to another organisation of theirs; a person with none cannot sign in. A person who
 * could not work anywhere starts again where they are approved.
 */
export function accountAfter(
  account: Account,
  organizationId: string,
  place: Place,
  elsewhere: Elsewhere | undefined,
): Account {
  const at = (id: string | null, role: OrganizationRole, status: UserStatus): Account => ({
    organizationId: id,
    role: account.role === "super_admin" ? "super_admin" : role,
    status,
  });
  if (account.organizationId !== organizationId) {
    const isWaiting = account.status !== "active" || account.organizationId === null;
    return isWaiting && place.status === "active" ? at(organizationId, place.role, "active") : account;
  }
  if (place.status !== "inactive") return at(organizationId, place.role, place.status);
  if (elsewhere) return at(elsewhere.organizationId, elsewhere.role, "active");
  // A super admin's account does not depend on any organisation.
  return account.role === "super_admin" ? at(null, place.role, "active") : at(organizationId, place.role, "inactive");
}
