import type { Statement } from "@db/client";
import { prepared } from "@db/prepared";
import {
  apiTokens,
  organizationPolicies,
  organizations,
  organizationUsers,
  passkeys,
  sessions,
  twoSteps,
  users,
} from "@db/schema";
import { and, desc, eq, gt, isNotNull, isNull, lte, ne, or, type SQL, sql } from "drizzle-orm";
import { type Came, cameWithPasskey, isByPasskey, type Origin, type PageNotice, type Person } from "~/kernel/actor";
import { AppError, notFound } from "~/kernel/app-error";
import { DAY_MS, DEFAULT_TIME_ZONE, formatDateTime, formatRelative, HOUR_MS, MINUTE_MS, toIso } from "~/kernel/dates";
import type { OrganizationRole, SignInMethod, SubscriptionStatus, UserRole, UserStatus } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { isLive } from "~/modules/accounts/billing/subscription";
import { allChanges, readChanges, withDue } from "~/modules/accounts/organizations/policy-changes.server";
import { providerOnly } from "~/modules/accounts/single-sign-on/provider-rule.server";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { ReadServices, Services, TimedServices, WriteServices } from "~/services";
import { aboutUser, asAccountActor, closeAllSessions } from "./account.server";
import { describeDevice } from "./device.server";
import { parseRecoveryCode } from "./proof.server";

/** A session ends after this long without a request, or earlier where the organisation says so ... */
const SESSION_IDLE_MS = 12 * HOUR_MS;

/** ... and in any case this long after sign-in. */
const SESSION_ABSOLUTE_MS = 7 * DAY_MS;

/** How long the word of an organisation's provider is good: a person who is removed there has no session here after it. */
export const VOUCHED_MS = HOUR_MS;

/** How stale `lastSeenAt` may become before a request writes it again: less where sessions end soon. */
export const sessionTouchMs = ({ idleMinutes = LONGEST_IDLE_MINUTES }: Pick<Person, "idleMinutes">): number =>
  Math.min(5, idleMinutes / 15) * MINUTE_MS;

/** An open session as its person sees it. */
export type SessionView = {
  /** Names it in the form that ends it; it opens nothing. */
  id: string;
  device: string;
  place: string | null;
  ipAddress: string | null;
  /** How the session began; null where it is not known. */
  method: SignInMethod | null;
  isThisOne: boolean;
  signedIn: string;
  lastSeen: { dateTime: string; exact: string; relative: string };
};

/** What is read of a person, whatever they come with. */
const PERSON = {
  userId: users.id,
  username: users.username,
  email: users.email,
  emailVerifiedAt: users.emailVerifiedAt,
  firstName: users.firstName,
  lastName: users.lastName,
  status: users.status,
  userRole: users.role,
  organizationId: organizations.id,
  organizationName: organizations.name,
  organizationActive: organizations.active,
  closesAt: organizations.closesAt,
  closedAt: organizations.closedAt,
  sampleFor: organizations.sampleFor,
  subscriptionStatus: organizations.subscriptionStatus,
  trialEndsAt: organizations.trialEndsAt,
  firstPaidAt: organizations.firstPaidAt,
  organizationRole: organizationUsers.role,
  membershipStatus: organizationUsers.status,
  twoStepEnabledAt: twoSteps.enabledAt,
  twoStepRequired: organizationPolicies.twoStepRequired,
  passkeysRequired: organizationPolicies.passkeysRequired,
  passkeysRequiredSince: organizationPolicies.passkeysRequiredSince,
  passkeyGraceDays: organizationPolicies.passkeyGraceDays,
  idleMinutes: organizationPolicies.idleMinutes,
  stepUpRequired: organizationPolicies.stepUpRequired,
  stepUpMinutes: organizationPolicies.stepUpMinutes,
  memberSince: organizationUsers.createdAt,
  /** Of their oldest passkey; null: they have none. */
  firstCountsFrom: sql`(SELECT min("countsFrom") FROM "passkeys" WHERE "passkeys"."userId" = ${users.id})` as SQL<
    number | null
  >,
  timeZone: organizationPolicies.timeZone,
  // Written with the table's own name: Drizzle would name the column of the join around it.
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
  /** Of the session; absent for an API token. */
  signInMethod?: SignInMethod | null;
  keyCountsFrom?: number | null;
  provenAt?: number | null;
  /** The organisation whose provider vouched for them in this session. */
  providerOrganizationId?: string | null;
  sessionUntil?: number;
  /** 1: the current organisation lets them in by its provider only. */
  providerOnly?: number;
  /** Changes of policies that wait, or that nobody has written yet. */
  changes: string;
};

/** Undefined for people who may not come in any more. */
function toPerson(row: Row, sessionId: string, origin: Origin, now: number): Person | undefined {
  const { userRole, organizationActive, membershipStatus, emailVerifiedAt, twoStepEnabledAt, ...rest } = row;
  const { memberships, timeZone: zone, changes, closesAt, closedAt, sampleFor, ...others } = rest;
  const { subscriptionStatus, trialEndsAt, firstPaidAt, ...stored } = others;
  // Without a row of policies the organisation has decided nothing.
  const timeZone = zone ?? DEFAULT_TIME_ZONE;
  const { due, waiting } = readChanges(changes, now, timeZone);
  const { memberSince, firstCountsFrom, keyCountsFrom, provenAt, ...policies } = withDue(stored, due);
  const { passkeysRequired, passkeysRequiredSince, passkeyGraceDays, idleMinutes, ...ruled } = policies;
  const { stepUpRequired, stepUpMinutes, ...sure } = ruled;
  const { twoStepRequired, providerOrganizationId, sessionUntil, providerOnly: isProviderOnly, ...known } = sure;
  if (providerOrganizationId ? providerOrganizationId !== row.organizationId : isProviderOnly === 1) return undefined;
  // Without an organisation there is nothing to have a role in; a member no more, but not yet moved on, only looks.
  const fallback = row.organizationId === null ? "member" : "read_only";
  const role = userRole === "super_admin" ? userRole : (row.organizationRole ?? fallback);
  // The account's status is a copy of the membership's; should they ever differ, the stricter one counts.
  const status = row.status === "active" ? (membershipStatus ?? row.status) : row.status;
  if (status === "inactive") return undefined;
  const twoStepEnabled = twoStepEnabledAt !== null;
  const isDecider = row.organizationRole === "admin" || row.organizationRole === "member";
  const passkeyDueAt =
    passkeysRequired && isDecider
      ? Math.max(passkeysRequiredSince ?? 0, memberSince ?? 0) + (passkeyGraceDays ?? 0) * DAY_MS
      : undefined;
  // A program has no finger to show: its person has a passkey, or it changes nothing.
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
    needsPasskey: passkeyDueAt !== undefined && now >= passkeyDueAt && !cameWithPasskey({ passkeyCountsFrom }, now),
    passkeyDueAt: firstCountsFrom === null ? passkeyDueAt : undefined,
    idleMinutes: idleMinutes ?? LONGEST_IDLE_MINUTES,
    // A program has no second step to take.
    stepUpMinutes: stepUpRequired && sessionId !== "" ? (stepUpMinutes ?? undefined) : undefined,
    ...(providerOrganizationId
      ? { vouchedBy: { organizationId: providerOrganizationId, until: sessionUntil ?? 0 } }
      : {}),
    origin,
  };
}

const LONGEST_IDLE_MINUTES = SESSION_IDLE_MS / MINUTE_MS;

const idleMs = ({ idleMinutes = LONGEST_IDLE_MINUTES }: Pick<Person, "idleMinutes">): number => idleMinutes * MINUTE_MS;

type Standing = { closesAt: number | null; waiting: string | undefined; isSample: boolean };

/** Stand on every page: until the day on which the organisation closes, while weaker policies wait, and where all is invented. */
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

/** A device that signs with a passkey asks for a finger, a face or a PIN first: that is two steps. So may a provider. */
const hasTakenTwoSteps = (method: SignInMethod | null | undefined): boolean =>
  isByPasskey(method) || method === "provider_two_step";

const personBySession = prepared((db) =>
  db
    .select({
      ...PERSON,
      signInMethod: sessions.method,
      keyCountsFrom: sessions.passkeyCountsFrom,
      provenAt: sessions.provenAt,
      lastSeenAt: sessions.lastSeenAt,
      providerOrganizationId: sessions.providerOrganizationId,
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
 * The person behind a session, with role, status and organisation as they are now; undefined when the session is
 * unknown or over, or the person may not come in any more.
 * @param options.evenOver whatever its end; it was used within the idle limit all the same
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

/** What an API token may do, and when it was last used. */
type TokenHolder = { person: Person; tokenId: string; scopes: string[]; lastUsedAt: number | null };

/**
 * The person behind an API token, in the organisation that the token was made for, with the role they have there now;
 * undefined when it is unknown, revoked or expired, or the person may not come in, or belongs there, no more.
 */
export async function findPersonByApiToken(
  services: Services,
  tokenHash: string,
  origin: Origin,
): Promise<TokenHolder | undefined> {
  const now = services.clock.now();
  const [found] = await services.db
    .select({
      ...PERSON,
      tokenId: apiTokens.id,
      scopes: apiTokens.scopes,
      lastUsedAt: apiTokens.lastUsedAt,
    })
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
  // The account's status is about the person's current organisation; this is about the token's.
  const status = found.status === "inactive" ? found.status : (found.membershipStatus ?? found.status);
  const person = toPerson({ ...row, status }, "", origin, now);
  return person && { person, tokenId, scopes, lastUsedAt };
}

/** A session that has just begun: the token for the cookie, and the person it belongs to. */
export type SignedIn = {
  token: string;
  person: Person;
  /** The next page tells them of passkeys: once, after a sign-in with the password. */
  offersPasskey?: boolean;
};

/**
 * A new session as the very next request will find it.
 * @throws AppError 401 SIGNED_OUT when it was ended, or the person made inactive, in the meantime
 */
export async function getSignedIn(
  services: Services,
  origin: Origin,
  session: { token: string; sessionId: string },
): Promise<SignedIn> {
  const found = await findPersonBySession(services, session.sessionId, origin);
  if (!found) throw new AppError("SIGNED_OUT", 401, "Sign in first.");
  return { token: session.token, person: found.person };
}

const MAX_SHOWN = 100;

/** A person's open sessions, this one first, then by when they were last used. */
export async function listSessions(services: Services, person: Person): Promise<SessionView[]> {
  const now = services.clock.now();
  const rows = await services.db
    .select({
      id: sessions.id,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      ipAddress: sessions.ipAddress,
      userAgent: sessions.userAgent,
      place: sessions.place,
      method: sessions.method,
    })
    .from(sessions)
    .where(
      and(
        eq(sessions.userId, person.userId),
        gt(sessions.expiresAt, now),
        gt(sessions.lastSeenAt, now - idleMs(person)),
      ),
    )
    .orderBy(desc(sessions.lastSeenAt))
    .limit(MAX_SHOWN);
  const views = rows.map((row) => ({
    id: row.id,
    device: describeDevice(row.userAgent),
    place: row.place,
    ipAddress: row.ipAddress,
    method: row.method,
    isThisOne: row.id === person.sessionId,
    signedIn: formatDateTime(row.createdAt),
    lastSeen: {
      dateTime: toIso(row.lastSeenAt),
      exact: formatDateTime(row.lastSeenAt),
      relative: formatRelative(row.lastSeenAt, now),
    },
  }));
  return views.sort((one, other) => Number(other.isThisOne) - Number(one.isThisOne));
}

/** A session about to be opened: the token is for the cookie and is kept nowhere else. */
type NewSession = { token: string; sessionId: string; statement: Statement };

/** A new session of a person, for the batch that signs them in. Every sign-in and change of privilege gets its own. */
export async function openSession(
  services: Services,
  userId: string,
  origin: Origin,
  { signInMethod = null, passkeyCountsFrom, provenAt, vouchedBy }: Came = {},
): Promise<NewSession> {
  const { db, clock, ids, secrets } = services;
  const token = ids.secret();
  const sessionId = await secrets.hashToken(token);
  const now = clock.now();
  const statement = db.insert(sessions).values({
    id: sessionId,
    userId,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: vouchedBy?.until ?? now + SESSION_ABSOLUTE_MS,
    ipAddress: origin.ipAddress,
    userAgent: origin.userAgent,
    place: origin.place ?? null,
    method: signInMethod,
    passkeyCountsFrom,
    provenAt,
    providerOrganizationId: vouchedBy?.organizationId,
  });
  return { token, sessionId, statement };
}

/** Ends one session; ending one that is gone changes nothing. */
export function closeSession(services: ReadServices, sessionId: string): Statement {
  return services.db.delete(sessions).where(eq(sessions.id, sessionId));
}

/**
 * A new session in place of every session the person has: for a command that changes how they sign in.
 * The statements go at the end of the command's own.
 */
export async function replaceSessions(
  services: Services,
  { userId, origin, ...came }: Pick<Person, "userId" | "origin"> & Came,
): Promise<{ token: string; sessionId: string; statements: Statement[] }> {
  const { statement, ...session } = await openSession(services, userId, origin, came);
  return { ...session, statements: [closeAllSessions(services, userId), statement] };
}

/** Ends one of the person's own sessions, at once. @throws AppError 404 */
export async function revokeSession(
  services: WriteServices,
  person: Person,
  input: { sessionId: string },
): Promise<void> {
  const { db } = services;
  const one = and(eq(sessions.id, input.sessionId), eq(sessions.userId, person.userId));
  const found = db.select({ one: sql`1` }).from(sessions).where(one);
  const { ok } = await runCommand(services, asAccountActor(person), {
    conditions: [{ name: "session_over", found }],
    statements: [db.delete(sessions).where(one)],
    audit: [{ action: "session.revoked", ...aboutUser(person.userId) }],
    answer: undefined,
    evenOnHold: true,
  });
  if (!ok) throw notFound();
}

/** Signs the person out everywhere but here. */
export async function revokeOtherSessions(services: WriteServices, person: Person): Promise<void> {
  const { userId, sessionId } = person;
  const others = and(eq(sessions.userId, userId), ne(sessions.id, sessionId));
  await runCommand(services, asAccountActor(person), {
    statements: [services.db.delete(sessions).where(others)],
    audit: [{ action: "session.others_revoked", ...aboutUser(userId) }],
    answer: undefined,
    evenOnHold: true,
  });
}

/** Signs a person out of this session. Signing out of a session that has ended already changes nothing. */
export async function signOut(services: WriteServices, person: Person): Promise<void> {
  await runCommand(services, asAccountActor(person), {
    statements: [closeSession(services, person.sessionId)],
    audit: [{ action: "session.ended", ...aboutUser(person.userId) }],
    answer: undefined,
    evenOnHold: true,
  });
}

/**
 * A passkey that is added without one of before counts this much later, and so does a code that is turned on in a session
 * without a second step: whoever phished a password, or has the mailbox, adds one too, and the person is told of it first.
 */
export const NEW_FOR_MS = DAY_MS;

/** How an organisation asks for passkeys: to decide anything, or also at certain decisions only. */
const ASKS = {
  always: eq(organizationPolicies.passkeysRequired, true),
  somewhere: or(
    eq(organizationPolicies.passkeysRequired, true),
    eq(organizationPolicies.passkeyForApprovals, true),
    eq(organizationPolicies.passkeyForFiles, true),
    eq(organizationPolicies.passkeyForPolicies, true),
    eq(organizationPolicies.passkeyForPeople, true),
  ),
};

/**
 * Where an organisation of theirs asks for passkeys, at whichever decision, people who have one change how they sign in only
 * after they came with it: a phished password and code add no key of the thief's. A recovery code stands in for passkeys that
 * were lost. A passkey that is still new asks for nothing: it may be the thief's, and its owner removes it.
 * @throws AppError 403 PASSKEY_REQUIRED
 */
export async function requireOwnPasskey(
  services: TimedServices,
  { userId, passkeyCountsFrom }: Pick<Person, "userId" | "passkeyCountsFrom">,
  typed?: string,
): Promise<void> {
  if (cameWithPasskey({ passkeyCountsFrom }, services.clock.now())) return;
  if (typed !== undefined && parseRecoveryCode(typed) !== undefined) return;
  if (!(await isAskedForPasskey(services, userId, "somewhere"))) return;
  const way = typed === undefined ? "" : " If you lost them all, enter one of your recovery codes.";
  throw new AppError(
    "PASSKEY_REQUIRED",
    403,
    `Your organisation asks for passkeys, and you have one: sign in with it before you change this.${way}`,
  );
}

/** An organisation of theirs asks for passkeys, and they have one that counts. */
export async function isAskedForPasskey(
  { db, clock }: TimedServices,
  userId: string,
  how: keyof typeof ASKS,
): Promise<boolean> {
  const asking = await db
    .select({ one: sql`1` })
    .from(passkeys)
    .innerJoin(organizationUsers, eq(organizationUsers.userId, passkeys.userId))
    .innerJoin(organizationPolicies, eq(organizationPolicies.organizationId, organizationUsers.organizationId))
    .where(and(eq(passkeys.userId, userId), lte(passkeys.countsFrom, clock.now()), ASKS[how]))
    .limit(1);
  return asking.length > 0;
}
