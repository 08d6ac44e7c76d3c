import { formatAbn } from "~/kernel/abn";
import { formatDate, formatDateTime, formatRelative, toIso, type Zone } from "~/kernel/dates";
import { type NameDoubt, type SubscriptionStatus, USER_STATUSES, type UserRole, type UserStatus } from "~/kernel/enums";
import { isId } from "~/kernel/ids";
import { formatCount } from "~/kernel/text";
import { isUnpaidAttempt, STATUS_TEXT } from "~/modules/accounts/billing/subscription";
import { actsFor, type MemberAct } from "~/modules/accounts/members/members";
import { NAME_DOUBT_TEXT } from "~/modules/accounts/organizations/organization";
import { ROLE_LABELS } from "~/modules/accounts/organizations/roles";

/** Lists of people and organisations: the page that an address asks for. Pure. */

export type PeopleQuery = {
  q?: string;
  status?: UserStatus;
  /** Id of the organisation whose people a super admin looks at. */
  organization?: string;
  /** Id of the last row of the page before. */
  after?: string;
};

export type OrganizationsQuery = {
  q?: string;
  standing?: "active" | "suspended";
  /** Only those whose messages somebody has reported. */
  reported?: boolean;
  after?: string;
};

const MAX_Q = 100;

const textOf = (params: URLSearchParams, name: string, max = MAX_Q) =>
  params.get(name)?.trim().slice(0, max) || undefined;

export function readPeopleQuery(params: URLSearchParams): PeopleQuery {
  const status = USER_STATUSES.find((one) => one === params.get("status"));
  const organization = params.get("organization") ?? "";
  return {
    q: textOf(params, "q"),
    status,
    organization: isId(organization) ? organization : undefined,
    after: textOf(params, "after", 40),
  };
}

export function readOrganizationsQuery(params: URLSearchParams): OrganizationsQuery {
  const standing = (["active", "suspended"] as const).find((one) => one === params.get("standing"));
  const reported = params.get("reported") === "yes" || undefined;
  return { q: textOf(params, "q"), standing, reported, after: textOf(params, "after", 40) };
}

const MAX_WORDS = 3;

/** The search words, each of which must be the beginning of a name or address. */
export function wordsOf(q: string | undefined): string[] {
  return (q ?? "").toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
}

/** A person in a list: in one organisation, or in the one they are in now. No bank data. */
export type ListedPerson = {
  userId: string;
  firstName: string;
  lastName: string;
  email: string;
  emailVerified: boolean;
  role: UserRole;
  status: UserStatus;
  organizationId: string | null;
  organizationName: string | null;
  lastLoginAt: number | null;
  createdAt: number;
};

/** An organisation in the super admins' list. No bank data. */
export type ListedOrganization = {
  id: string;
  name: string;
  active: boolean;
  closedAt: number | null;
  subscriptionStatus: SubscriptionStatus | null;
  trialEndsAt: number | null;
  createdAt: number;
  /** Its primary email domain. */
  domain: string | null;
  /** Active members, counted up to a limit. */
  members: number;
  /** Messages that outside people have reported, counted up to a limit. */
  reports: number;
  firstPaidAt: number | null;
};

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

/** Without an organisation there is nobody to approve the person: an account can only be ended or restored. */
function actsOf({ organizationId, status }: ListedPerson): MemberAct[] {
  const acts = actsFor(status);
  return organizationId === null ? acts.filter((act) => act === "deactivate" || act === "reactivate") : acts;
}

function timeOf(at: number, { timeZone, now }: Zone) {
  return { dateTime: toIso(at), exact: formatDateTime(at, timeZone), relative: formatRelative(at, now) };
}

/** One row of the super admins' list of organisations. */
export function toOrganizationRow(organization: ListedOrganization, zone: Zone) {
  const { id, name, domain, active, members, reports, subscriptionStatus, trialEndsAt, createdAt } = organization;
  const trial = trialEndsAt === null ? "No subscription" : trialLabel(trialEndsAt, zone);
  const hasPaid = organization.firstPaidAt !== null;
  return {
    id,
    name,
    domain,
    active,
    isClosed: organization.closedAt !== null,
    members: formatCount(members),
    reports: reports === 0 ? null : `${formatCount(reports, "message")} reported`,
    subscription:
      subscriptionStatus === null || (!hasPaid && isUnpaidAttempt(subscriptionStatus))
        ? trial
        : STATUS_TEXT[subscriptionStatus],
    createdOn: formatDate(createdAt, zone.timeZone),
  };
}

export type OrganizationRow = ReturnType<typeof toOrganizationRow>;

/** A name that waits for a super admin's decision. */
type WaitingName = {
  id: string;
  name: string;
  why: NameDoubt;
  meanwhile: string;
  abn: string | null;
  email: string;
  emailVerifiedAt: number | null;
  requestedAt: number;
};

export function toNameRow({ id, name, why, meanwhile, abn, email, ...asked }: WaitingName, { timeZone, now }: Zone) {
  return {
    id,
    name,
    why: NAME_DOUBT_TEXT[why],
    meanwhile,
    abn: abn && formatAbn(abn),
    email,
    isConfirmed: asked.emailVerifiedAt !== null,
    at: timeOf(asked.requestedAt, { timeZone, now }),
  };
}

const trialLabel = (endsAt: number, { timeZone, now }: Zone) =>
  endsAt > now ? `Trial until ${formatDate(endsAt, timeZone)}` : `Trial ended ${formatDate(endsAt, timeZone)}`;

const DONE_TITLES: Readonly<Record<MemberAct | "change_role", string>> = {
  approve: "Approved",
  reject: "Not approved",
  deactivate: "Access ended",
  reactivate: "Access given again",
  change_role: "Role changed",
};

/** The message after a person was changed. @param isChanged false: the person had the role already */
export const flashOfPerson = (act: MemberAct | "change_role", name: string, isChanged = true) =>
  isChanged
    ? { tone: "success" as const, title: DONE_TITLES[act], description: name }
    : { tone: "info" as const, title: "Nothing to change", description: `${name} already has this role.` };

export const STATUS_FILTERS: readonly (UserStatus | undefined)[] = [
  undefined,
  "pending",
  "active",
  "inactive",
  "rejected",
];
