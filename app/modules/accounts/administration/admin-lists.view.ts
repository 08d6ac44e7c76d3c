import { formatDate, formatDateTime, formatRelative, toIso } from "~/kernel/dates";
import type { UserStatus } from "~/kernel/enums";
import { isUnpaidAttempt, STATUS_TEXT } from "~/modules/accounts/billing/subscription-status";
import { actsFor, type MemberAct } from "~/modules/accounts/members/members";
import { ROLE_LABELS } from "~/modules/accounts/organizations/roles";
import type { ListedOrganization, ListedPerson } from "./admin-lists";

type Zone = { timeZone: string; now: number };

/** One person of a list, ready to read. */
export function toPersonRow(person: ListedPerson, zone: Zone) {
  const { userId, email, emailVerified, role, status, organizationName, lastLoginAt } = person;
  return {
    userId,
    name: [person.firstName, person.lastName].filter(Boolean).join(" "),
    email,
    emailVerified,
    role,
    roleLabel: ROLE_LABELS[role],
    status,
    organizationName,
    lastLogin: lastLoginAt === null ? null : timeOf(lastLoginAt, zone),
    acts: actsOf(person),
    hasOrganization: person.organizationId !== null,
  };
}

export type PersonRow = ReturnType<typeof toPersonRow>;

/** Without an organisation nobody can approve: an account can only be ended, or given back. */
function actsOf({ organizationId, status }: ListedPerson): MemberAct[] {
  const acts = actsFor(status);
  return organizationId === null ? acts.filter((act) => act === "deactivate" || act === "reactivate") : acts;
}

function timeOf(at: number, { timeZone, now }: Zone) {
  return { dateTime: toIso(at), exact: formatDateTime(at, timeZone), relative: formatRelative(at, now) };
}

/** One organisation of the super admins' list, ready to read. */
export function toOrganizationRow(organization: ListedOrganization, zone: Zone) {
  const { id, name, domain, active, members, reports, subscriptionStatus, trialEndsAt, createdAt } = organization;
  const trial = trialEndsAt === null ? "No subscription" : trialLabel(trialEndsAt, zone);
  const hasPaid = organization.firstPaidAt !== null;
  return {
    id,
    name,
    domain,
    active,
    members: members.toLocaleString("en-AU"),
    reports: reports === 0 ? null : reportsLabel(reports),
    subscription:
      subscriptionStatus === null || (!hasPaid && isUnpaidAttempt(subscriptionStatus))
        ? trial
        : STATUS_TEXT[subscriptionStatus],
    createdOn: formatDate(createdAt, zone.timeZone),
  };
}

export type OrganizationRow = ReturnType<typeof toOrganizationRow>;

const reportsLabel = (count: number) =>
  `${count.toLocaleString("en-AU")} ${count === 1 ? "message" : "messages"} reported`;

const trialLabel = (endsAt: number, { timeZone, now }: Zone) =>
  endsAt > now ? `Trial until ${formatDate(endsAt, timeZone)}` : `Trial ended ${formatDate(endsAt, timeZone)}`;

/** What is said after a person was changed. */
export const DONE_TITLES: Readonly<Record<MemberAct | "change_role", string>> = {
  approve: "Approved",
  reject: "Not approved",
  deactivate: "Access ended",
  reactivate: "Access given again",
  change_role: "Role changed",
};

export const STATUS_FILTERS: readonly (UserStatus | undefined)[] = [
  undefined,
  "pending",
  "active",
  "inactive",
  "rejected",
];
