import { type SubscriptionStatus, USER_STATUSES, type UserRole, type UserStatus } from "~/kernel/enums";

/** Lists of people and organisations: which page of them an address asks for. Pure. */

export type PeopleQuery = {
  q?: string;
  status?: UserStatus;
  /** Id of the last row of the page before. */
  after?: string;
};

export type OrganizationsQuery = {
  q?: string;
  standing?: "active" | "suspended";
  /** Only those whose messages a person reported. */
  reported?: boolean;
  after?: string;
};

const MAX_Q = 100;

const textOf = (params: URLSearchParams, name: string, max = MAX_Q) =>
  params.get(name)?.trim().slice(0, max) || undefined;

export function readPeopleQuery(params: URLSearchParams): PeopleQuery {
  const status = USER_STATUSES.find((one) => one === params.get("status"));
  return { q: textOf(params, "q"), status, after: textOf(params, "after", 40) };
}

export function readOrganizationsQuery(params: URLSearchParams): OrganizationsQuery {
  const standing = (["active", "suspended"] as const).find((one) => one === params.get("standing"));
  const reported = params.get("reported") === "yes" || undefined;
  return { q: textOf(params, "q"), standing, reported, after: textOf(params, "after", 40) };
}

const MAX_WORDS = 3;

/** The words a person searches for, as names and addresses begin with them. */
export function wordsOf(q: string | undefined): string[] {
  return (q ?? "").toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
}

/** A person as lists of people show them: in one organisation, or in the one they are in now. No bank data. */
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

/** An organisation as super admins list it. No bank data. */
export type ListedOrganization = {
  id: string;
  name: string;
  active: boolean;
  subscriptionStatus: SubscriptionStatus | null;
  trialEndsAt: number | null;
  createdAt: number;
  /** Its primary email domain. */
  domain: string | null;
  /** Active members, counted up to a limit. */
  members: number;
  /** Messages that people outside reported, counted up to a limit. */
  reports: number;
  firstPaidAt: number | null;
};
