import { refusalOf, type Standing } from "./access";
import type { OrganizationRole, SignInMethod, UserRole, UserStatus } from "./enums";

/** Where an act came from: goes into the audit trail. */
export type Origin = {
  ipAddress: string | null;
  userAgent: string | null;
  requestId: string;
  /** City and country of the address, where the network tells. */
  place?: string | null;
};

/** The word of an organisation's provider: it is good for that organisation, until then. Epoch milliseconds. */
export type Vouched = { organizationId: string; until: number };

/** A sentence that stands on every page, and the page where something is done about it. */
export type PageNotice = { text: string; to: string; label: string };

/** A person, signed in by a session or an API token, as the database knows them on this very request. */
export type Person = {
  userId: string;
  /** Empty for a call with an API token: it has no session, and gets none. */
  sessionId: string;
  username: string;
  email: string;
  emailVerified: boolean;
  firstName: string;
  lastName: string;
  status: UserStatus;
  /** super_admin, or the role in the current organisation. */
  role: UserRole;
  /** The role in the current organisation, where they have one: also a super admin's. */
  organizationRole: OrganizationRole | null;
  organizationId: string | null;
  organizationName: string | null;
  /** IANA name of the zone in which their organisation reads its dates. */
  timeZone: string;
  /** What every page says of weaker policies that wait, and of the day on which the organisation closes; absent for neither. */
  notices?: readonly PageNotice[] | undefined;
  /** Their organisation's trial or subscription is over: what needs one is refused. Absent while it runs. */
  subscriptionEnded?: boolean | undefined;
  /** There is another organisation to switch to. */
  hasSeveralOrganizations: boolean;
  /** The current organisation may not act: its people are told so, and nothing else. */
  isSuspended: boolean;
  /** It may not act because it has closed. */
  isClosed?: boolean | undefined;
  twoStepEnabled: boolean;
  /** How this session began; absent for a call with an API token. */
  signInMethod?: SignInMethod | null;
  /** From when the passkey that this session came with counts; absent where it came with none. Epoch milliseconds. */
  passkeyCountsFrom?: number | undefined;
  /** When they last gave a code or showed a passkey in this session; absent for never. */
  provenAt?: number | undefined;
  /** The organisation whose provider vouched for them in this session, and until when; absent where they signed in here. */
  vouchedBy?: Vouched;
  /** Their organisation asks for two-step sign-in, and they neither turned it on nor came with a passkey. */
  needsTwoStep: boolean;
  /**
   * Their organisation asks for passkeys, their days to add one are over, and they did not come with one. With an API token:
   * they have none. Absent while it asks for nothing.
   */
  needsPasskey?: boolean | undefined;
  /** Until when they have to add one, while they have none. */
  passkeyDueAt?: number | undefined;
  /** For how many minutes a second step opens full bank details; absent where their organisation does not ask for one. */
  stepUpMinutes?: number | undefined;
  /** Minutes without a request after which their sessions end; absent for a call with an API token. */
  idleMinutes?: number | undefined;
  origin: Origin;
};

/** What a session was begun with; a session that takes its place has the same. */
export type Came = Pick<Person, "signInMethod" | "passkeyCountsFrom" | "provenAt" | "vouchedBy">;

/** They came with a passkey that is no longer new: whoever phished a password and a code has none. */
export const cameWithPasskey = ({ passkeyCountsFrom }: Came, now: number): boolean =>
  passkeyCountsFrom !== undefined && passkeyCountsFrom <= now;

/** A device that signs with a passkey asks for a finger, a face or a PIN first: that is two steps. */
export const isByPasskey = (method: SignInMethod | null | undefined): boolean =>
  method === "passkey" || method === "password_and_passkey";

/** A person acting in an organisation: what its commands and queries take. */
export type Actor = Person & { organizationId: string; organizationName: string };

/** Names a person and the organisation they work in, before and after a dot: whose a form is. */
export const typistOf = ({ userId, organizationId }: Pick<Person, "userId" | "organizationId">): string =>
  `${userId.slice(-12)}.${(organizationId ?? "").slice(-12)}`;

/** The system itself, acting by rule for an organisation. */
export type SystemActor = { userId: null; organizationId: string; origin: Origin };

export const displayName = (person: Pick<Person, "firstName" | "lastName">): string =>
  [person.firstName, person.lastName].filter(Boolean).join(" ");

/** read_only people see everything of their organisation and change nothing. */
export function canWrite(person: Standing): boolean {
  return refusalOf(person, "change") === undefined;
}

/** Admins also look after the organisation itself: its people, domains and policies. */
export function canAdminister(person: Standing): boolean {
  return refusalOf(person, "administer") === undefined;
}

/** The system as an actor, e.g. in cron and consumers; `requestId` is the job's. */
export function systemActor(organizationId: string, requestId: string): SystemActor {
  return { userId: null, organizationId, origin: { ipAddress: null, userAgent: null, requestId } };
}

/** The reserved organisation to which acts without an organisation belong (failed sign-ins, super admins). */
export const PLATFORM_ORGANIZATION_ID = "00000000-0000-7000-8000-000000000000";
