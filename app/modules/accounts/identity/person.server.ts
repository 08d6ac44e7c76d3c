import {
  apiTokens,
  columnsOf,
  organizationPolicies,
  organizations,
  organizationUsers,
  prepared,
  sessions,
  twoSteps,
  users,
} from "@db/database";
import { and, eq, gt, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { DAY_MS, DEFAULT_TIME_ZONE, formatDateTime, HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import type { OrganizationRole, SignInMethod, SubscriptionStatus, UserRole, UserStatus } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { isLive } from "~/modules/accounts/billing/subscription";
import { withDue } from "~/modules/accounts/organizations/policy.server";
import { allChanges, readChanges } from "~/modules/accounts/organizations/policy-changes.server";
import { providerOnly } from "~/modules/accounts/single-sign-on/provider-rule.server";
import {
  isByPasskey,
  type Origin,
  type PageNotice,
  type Person,
  type Services,
  signedInWithPasskey,
} from "~/services-and-actor";

/** Finds the person behind a session or API token, for each request. */

/** A session ends after this long without a request, or earlier if the organisation has set a shorter time. */
const SESSION_IDLE_MS = 12 * HOUR_MS;

/** How old `lastSeenAt` may become before a request updates it: less if sessions end soon. */
export const sessionTouchMs = ({ idleMinutes = LONGEST_IDLE_MINUTES }: Pick<Person, "idleMinutes">): number =>
  Math.min(5, idleMinutes / 15) * MINUTE_MS;

/** The columns read about a person, however they authenticate. */
const PERSON = {
  userId: users.id,
  ...columnsOf(users, "username", "email", "emailVerifiedAt", "firstName", "lastName", "status"),
  userRole: users.role,
  organizationId: organizations.id,
  organizationName: organizations.name,
  organizationActive: organizations.active,
  ...columnsOf(organizations, "closesAt", "closedAt", "sampleFor"),
  ...columnsOf(organizations, "subscriptionStatus", "trialEndsAt", "firstPaidAt"),
  organizationRole: organizationUsers.role,
  membershipStatus: organizationUsers.status,
  twoStepEnabledAt: twoSteps.enabledAt,
  ...columnsOf(organizationPolicies, "twoStepRequired", "passkeysRequired", "passkeysRequiredSince"),
  ...columnsOf(organizationPolicies, "passkeyGraceDays", "idleMinutes", "stepUpRequired", "stepUpMinutes"),
  memberSince: organizationUsers.createdAt,
  /** From when their oldest passkey counts; null: they have none. */
  firstCountsFrom: sql`(SELECT min("countsFrom") FROM "passkeys" WHERE "passkeys"."userId" = ${users.id})` as SQL<
    number | null
  >,
  timeZone: organizationPolicies.timeZone,
  // With the table's own name, because Drizzle would use the column of the surrounding join.
  memberships: sql`(SELECT count(*) FROM (SELECT 1 FROM "organization_users" AS mine
    WHERE mine."userId" = ${users.id} AND mine."status" <> 'inactive' LIMIT 2) AS walk)` as SQL<number>,
  changes: allChanges(organizations.id),
};

type Row = {
  userId: string;
  username: string;
  email: string;
  emailVerifiedAt: number | null;
  firstName: string;
  lastName: string;
  status: UserStatus;
  userRole: UserRole;
  organizationId: string | null;
  organizationName: string | null;
  organizationActive: boolean | null;
  closesAt: number | null;
  closedAt: number | null;
  sampleFor: string | null;
  subscriptionStatus: SubscriptionStatus | null;
  trialEndsAt: number | null;
  firstPaidAt: number | null;
  organizationRole: OrganizationRole | null;
  membershipStatus: UserStatus | null;
  twoStepEnabledAt: number | null;
  twoStepRequired: boolean | null;
  passkeysRequired: boolean | null;
  passkeysRequiredSince: number | null;
  passkeyGraceDays: number | null;
  idleMinutes: number | null;
  stepUpRequired: boolean | null;
  stepUpMinutes: number | null;
  memberSince: number | null;
  firstCountsFrom: number | null;
  timeZone: string | null;
  memberships: number;
  /** How the session began; absent for an API token. */
  signInMethod?: SignInMethod | null;
  keyCountsFrom?: number | null;
  provenAt?: number | null;
  /** The organisation whose provider signed them in to this session. */
  providerOrganizationId?: string | null;
  sessionUntil?: number;
  /** 1: the current organisation allows sign-in through its provider only. */
  providerOnly?: number;
  /** Policy changes that are delayed, or due but not written yet. */
  changes: string;
};

/** Undefined for people who may not sign in any more. */
function toPerson(row: Row, sessionId: string, origin: Origin, now: number): Person | undefined {
  const { userRole, organizationActive, membershipStatus, emailVerifiedAt, twoStepEnabledAt, ...rest } = row;
  const { memberships, timeZone: zone, changes, closesAt, closedAt, sampleFor, ...others } = rest;
  const { subscriptionStatus, trialEndsAt, firstPaidAt, ...stored } = others;
  // Without a policy row, the organisation has the defaults.
  const timeZone = zone ?? DEFAULT_TIME_ZONE;
  const { due, waiting } = readChanges(changes, now, timeZone);
  const { memberSince, firstCountsFrom, keyCountsFrom, provenAt, ...policies } = withDue(stored, due);
  const { passkeysRequired, passkeysRequiredSince, passkeyGraceDays, idleMinutes, ...ruled } = policies;
  const { stepUpRequired, stepUpMinutes, ...sure } = ruled;
  const { twoStepRequired, providerOrganizationId, sessionUntil, providerOnly: isProviderOnly, ...known } = sure;
  if (providerOrganizationId ? providerOrganizationId !== row.organizationId : isProviderOnly === 1) return undefined;
  // Sample data is read-only for everybody, whatever role a super admin gave them there.
  const organizationRole = row.organizationRole && sampleFor !== null ? "read_only" : row.organizationRole;
  // The fallback role: without an organisation it does not matter; a former member who has not switched yet is
  // read-only.
  const fallback = row.organizationId === null ? "member" : "read_only";
  const role = userRole === "super_admin" ? userRole : (organizationRole ?? fallback);
  // The account's status is a copy of the membership's; if they ever differ, the stricter one counts.
  const status = row.status === "active" ? (membershipStatus ?? row.status) : row.status;
  if (status === "inactive") return undefined;
  const twoStepEnabled = twoStepEnabledAt !== null;
  const isDecider = organizationRole === "admin" || organizationRole === "member";
  const passkeyDueAt =
    passkeysRequired && isDecider
      ? Math.max(passkeysRequiredSince ?? 0, memberSince ?? 0) + (passkeyGraceDays ?? 0) * DAY_MS
      : undefined;
  // A program cannot use a passkey: its person must have one, or the token cannot change anything.
  const passkeyCountsFrom =
    sessionId === ""
      ? (firstCountsFrom ?? undefined)
      : isByPasskey(row.signInMethod)
        ? (keyCountsFrom ?? 0)
        : undefined;
  return {
    ...known,
    sessionId,
    passkeyCountsFrom,
    provenAt: provenAt ?? undefined,
    role,
    organizationRole,
    status,
    timeZone,
    ...(closesAt === null && waiting === undefined && sampleFor === null
      ? {}
      : { notices: standingNotices({ closesAt, waiting, isSample: sampleFor !== null }, timeZone) }),
    isClosed: closedAt !== null,
    hasSeveralOrganizations: memberships > 1,
    isSuspended: organizationActive === false,
    subscriptionEnded: row.organizationId !== null && !isLive({ subscriptionStatus, trialEndsAt, firstPaidAt }, now),
    emailVerified: emailVerifiedAt !== null,
    twoStepEnabled,
    needsTwoStep: twoStepRequired === true && !twoStepEnabled && !hasTakenTwoSteps(row.signInMethod),
    needsPasskey: passkeyDueAt !== undefined && now >= passkeyDueAt && !signedInWithPasskey({ passkeyCountsFrom }, now),
    passkeyDueAt: firstCountsFrom === null ? passkeyDueAt : undefined,
    idleMinutes: idleMinutes ?? LONGEST_IDLE_MINUTES,
    // A program cannot repeat a second step.
    stepUpMinutes: stepUpRequired && sessionId !== "" ? (stepUpMinutes ?? undefined) : undefined,
    ...(providerOrganizationId
      ? { vouchedBy: { organizationId: providerOrganizationId, until: sessionUntil ?? 0 } }
      : {}),
    origin,
  };
}

const LONGEST_IDLE_MINUTES = SESSION_IDLE_MS / MINUTE_MS;

export const idleMs = ({ idleMinutes = LONGEST_IDLE_MINUTES }: Pick<Person, "idleMinutes">): number =>
  idleMinutes * MINUTE_MS;

type Standing = { closesAt: number | null; waiting: string | undefined; isSample: boolean };

/** Shown on every page: the organisation's closing date, pending weaker policies, and that the data is a sample. */
function standingNotices({ closesAt, waiting, isSample }: Standing, timeZone: string): PageNotice[] {
  const closing = `This organisation closes on ${formatDateTime(closesAt ?? 0, timeZone)} unless an administrator cancels that under Settings.`;
  return [
    ...(isSample ? [{ text: SAMPLE_NOTICE, to: appPaths.sampleData, label: "Leave or remove it" }] : []),
    ...(closesAt === null ? [] : [{ text: closing, to: appPaths.settings, label: "Go to Settings" }]),
    ...(waiting === undefined ? [] : [{ text: waiting, to: appPaths.policies, label: "Go to Policies" }]),
  ];
}

const SAMPLE_NOTICE =
  "Sample data: every payee, payment and answer of a bank here is invented. You can look at everything and change nothing.";

/** A passkey counts as two steps: the device asks for a fingerprint, face or PIN. A provider may ask for two. */
const hasTakenTwoSteps = (method: SignInMethod | null | undefined): boolean =>
  isByPasskey(method) || method === "provider_two_step";

const personBySession = prepared((db) =>
  db
    .select({
      ...PERSON,
      signInMethod: sessions.method,
      keyCountsFrom: sessions.passkeyCountsFrom,
      ...columnsOf(sessions, "provenAt", "lastSeenAt", "providerOrganizationId"),
      sessionUntil: sessions.expiresAt,
      providerOnly,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(organizations, eq(organizations.id, users.organizationId))
    .leftJoin(
      organizationUsers,
      and(eq(organizationUsers.organizationId, users.organizationId), eq(organizationUsers.userId, users.id)),
    )
    .leftJoin(twoSteps, eq(twoSteps.userId, users.id))
    .leftJoin(organizationPolicies, eq(organizationPolicies.organizationId, users.organizationId))
    .where(
      and(
        eq(sessions.id, sql.placeholder("sessionId")),
        gt(sessions.expiresAt, sql.placeholder("now")),
        gt(sessions.lastSeenAt, sql.placeholder("idleSince")),
      ),
    )
    .prepare(),
);

/**
 * The person behind a session, with their present role, status and organisation; undefined when the session is unknown
 * or has ended, or the person may no longer sign in.
 * @param options.evenOver also finds a session past its maximum length, if it was used within the idle limit
 */
export async function findPersonBySession(
  services: Services,
  sessionId: string,
  origin: Origin,
  { evenOver = false }: { evenOver?: boolean } = {},
): Promise<{ person: Person; lastSeenAt: number } | undefined> {
  const now = services.clock.now();
  const at = { now: evenOver ? 0 : now, idleSince: now - SESSION_IDLE_MS };
  const [found] = await personBySession(services.db).all({ sessionId, ...at });
  if (!found) return undefined;
  const { lastSeenAt, ...row } = found;
  const person = toPerson(row, sessionId, origin, now);
  return person && lastSeenAt > now - idleMs(person) ? { person, lastSeenAt } : undefined;
}

/**
 * The person behind an API token, in the organisation that the token was created for, with their present role there;
 * undefined when it is unknown, revoked or expired, or the person may no longer sign in or is no longer a member.
 */
export async function findPersonByApiToken(services: Services, tokenHash: string, origin: Origin) {
  const now = services.clock.now();
  const [found] = await services.db
    .select({ ...PERSON, tokenId: apiTokens.id, ...columnsOf(apiTokens, "scopes", "lastUsedAt") })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .innerJoin(organizations, eq(organizations.id, apiTokens.organizationId))
    .innerJoin(
      organizationUsers,
      and(eq(organizationUsers.organizationId, apiTokens.organizationId), eq(organizationUsers.userId, users.id)),
    )
    .leftJoin(twoSteps, and(eq(twoSteps.userId, users.id), isNotNull(twoSteps.enabledAt)))
    .leftJoin(organizationPolicies, eq(organizationPolicies.organizationId, apiTokens.organizationId))
    .where(
      and(
        eq(apiTokens.tokenHash, tokenHash),
        isNull(apiTokens.revokedAt),
        or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, now)),
      ),
    );
  if (!found) return undefined;
  const { tokenId, scopes, lastUsedAt, ...row } = found;
  // The account's status is for the person's current organisation; this status is for the token's.
  const status = found.status === "inactive" ? found.status : (found.membershipStatus ?? found.status);
  const person = toPerson({ ...row, status }, "", origin, now);
  return person && { person, tokenId, scopes, lastUsedAt };
}
