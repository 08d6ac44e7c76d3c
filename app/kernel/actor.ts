import { refusalOf, type Standing } from "./access";
import type { OrganizationRole, SignInMethod, UserRole, UserStatus } from "./enums";

/** Where a request came from, for the audit trail. */
export type Origin = {
  ipAddress: string | null;
  userAgent: string | null;
  requestId: string;
  /** City and country of the address, if the network provides them. */
  place?: string | null;
};

/**
 * A provider's sign-in on behalf of its organisation: valid for that organisation, until this time. Epoch milliseconds.
 */
export type Vouched = { organizationId: string; until: number };

/** A sentence on every page, with a link to the page that deals with it. */
export type PageNotice = { text: string; to: string; label: string };

/** A person authenticated by a session or an API token, as the database describes them for this request. */
export type Person = {
  userId: string;
  /** Empty for a call with an API token, which has no session. */
  sessionId: string;
  username: string;
  email: string;
  emailVerified: boolean;
  firstName: string;
  lastName: string;
  status: UserStatus;
  /** super_admin, or the role in the current organisation. */
  role: UserRole;
  /** The role in the current organisation, if any; super admins may have one too. */
  organizationRole: OrganizationRole | null;
  organizationId: string | null;
  organizationName: string | null;
  /** IANA name of their organisation's time zone. */
  timeZone: string;
  /**
   * Notices for every page about delayed weaker policies and the organisation's closing date; absent when there are
   * none.
   */
  notices?: readonly PageNotice[] | undefined;
  /** The organisation's trial or subscription has ended, so actions that need one are refused. Absent while it runs. */
  subscriptionEnded?: boolean | undefined;
  /** The person can switch to another organisation. */
  hasSeveralOrganizations: boolean;
  /** The current organisation is suspended; its people see only that. */
  isSuspended: boolean;
  /** The organisation is suspended because it has closed. */
  isClosed?: boolean | undefined;
  twoStepEnabled: boolean;
  /** How this session began; absent for a call with an API token. */
  signInMethod?: SignInMethod | null;
  /** From when the passkey used for this session counts; absent if none was used. Epoch milliseconds. */
  passkeyCountsFrom?: number | undefined;
  /** When they last entered a code or used a passkey in this session; absent: never. */
  provenAt?: number | undefined;
  /** The organisation whose provider signed them in to this session, and until when; absent if they signed in here. */
  vouchedBy?: Vouched;
  /** Their organisation requires two-step sign-in, and they have neither turned it on nor used a passkey. */
  needsTwoStep: boolean;
  /**
   * Their organisation requires passkeys, the time to add one is over, and they did not sign in with one. For an API
   * token: they have none. Absent when nothing is required.
   */
  needsPasskey?: boolean | undefined;
  /** The deadline for adding one, while they have none. */
  passkeyDueAt?: number | undefined;
  /**
   * For how many minutes a second step gives access to full bank details; absent if their organisation does not require
   * one.
   */
  stepUpMinutes?: number | undefined;
  /** After how many idle minutes their sessions end; absent for a call with an API token. */
  idleMinutes?: number | undefined;
  origin: Origin;
};

/** How a session began; a session that replaces it keeps this. */
export type SessionOrigin = Pick<Person, "signInMethod" | "passkeyCountsFrom" | "provenAt" | "vouchedBy">;

/**
 * True if they signed in with a passkey that is no longer new, which somebody who phished a password and a code does
 * not have.
 */
export const signedInWithPasskey = ({ passkeyCountsFrom }: SessionOrigin, now: number): boolean =>
  passkeyCountsFrom !== undefined && passkeyCountsFrom <= now;

/** True for a sign-in with a passkey. A device asks for a fingerprint, face or PIN first, so it counts as two steps. */
export const isByPasskey = (method: SignInMethod | null | undefined): boolean =>
  method === "passkey" || method === "password_and_passkey";

/** A person acting in an organisation, as commands and queries take it. */
export type Actor = Person & { organizationId: string; organizationName: string };

/** The person and organisation that a form belongs to, separated by a dot. */
export const formOwnerOf = ({ userId, organizationId }: Pick<Person, "userId" | "organizationId">): string =>
  `${userId.slice(-12)}.${(organizationId ?? "").slice(-12)}`;

/** The system acting by a rule for an organisation. */
export type SystemActor = { userId: null; organizationId: string; origin: Origin };

export const displayName = (person: Pick<Person, "firstName" | "lastName">): string =>
  [person.firstName, person.lastName].filter(Boolean).join(" ");

/** True if the person may change things; read_only people may only view. */
export function canWrite(person: Standing): boolean {
  return refusalOf(person, "change") === undefined;
}

/** True if the person may also manage the organisation: its people, domains and policies. */
export function canAdminister(person: Standing): boolean {
  return refusalOf(person, "administer") === undefined;
}

/** The system as an actor, e.g. in cron runs and consumers; `requestId` is the job's. */
export function systemActor(organizationId: string, requestId: string): SystemActor {
  return { userId: null, organizationId, origin: { ipAddress: null, userAgent: null, requestId } };
}

/** The reserved organisation for actions without an organisation (failed sign-ins, super admins). */
export const PLATFORM_ORGANIZATION_ID = "00000000-0000-7000-8000-000000000000";
