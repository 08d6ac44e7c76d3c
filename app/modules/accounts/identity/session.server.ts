import type { Statement } from "@db/client";
import { sessions } from "@db/schema";
import { and, desc, eq, gt, ne, sql } from "drizzle-orm";
import type { Origin, Person, SessionOrigin } from "~/kernel/actor";
import { AppError, notFound } from "~/kernel/app-error";
import { DAY_MS, formatDateTime, formatRelative, HOUR_MS, toIso } from "~/kernel/dates";
import type { SignInMethod } from "~/kernel/enums";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { ReadServices, Services, WriteServices } from "~/services";
import { aboutUser, asAccountActor, closeAllSessions } from "./account.server";
import { describeDevice } from "./device.server";
import { findPersonBySession, idleMs } from "./person.server";

/** A session ends this long after sign-in in any case. */
const SESSION_ABSOLUTE_MS = 7 * DAY_MS;

/** How long a provider's sign-in is valid: after this, a person who was removed at the provider has no session here. */
export const VOUCHED_MS = HOUR_MS;

/** An open session as shown to its person. */
export type SessionView = {
  /** Identifies it in the form that ends it; it cannot be used to sign in. */
  id: string;
  device: string;
  place: string | null;
  ipAddress: string | null;
  /** How the session began; null: unknown. */
  method: SignInMethod | null;
  isThisOne: boolean;
  signedIn: string;
  lastSeen: { dateTime: string; exact: string; relative: string };
};

/** A new session: the token for the cookie, and its person. */
export type SignedIn = {
  token: string;
  person: Person;
  /** The next page suggests passkeys: once, after a sign-in with the password. */
  offersPasskey?: boolean;
};

/**
 * Reads a new session back as the next request will find it.
 * @throws AppError 401 SIGNED_OUT when it was ended, or the person became inactive, meanwhile
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

/** A person's open sessions: this one first, then the most recently used. */
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

/** A session to be opened: the token is for the cookie and is not stored anywhere else. */
type NewSession = { token: string; sessionId: string; statement: Statement };

/** A new session for the batch that signs a person in. Every sign-in and change of privileges gets a new one. */
export async function openSession(
  services: Services,
  userId: string,
  origin: Origin,
  { signInMethod = null, passkeyCountsFrom, provenAt, vouchedBy }: SessionOrigin = {},
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

/** Ends one session; ending one that is gone already changes nothing. */
export function closeSession(services: ReadServices, sessionId: string): Statement {
  return services.db.delete(sessions).where(eq(sessions.id, sessionId));
}

/**
 * Replaces all of a person's sessions with a new one, for a command that changes how they sign in. The statements come
 * after the command's own.
 */
export async function replaceSessions(
  services: Services,
  { userId, origin, ...sessionOrigin }: Pick<Person, "userId" | "origin"> & SessionOrigin,
): Promise<{ token: string; sessionId: string; statements: Statement[] }> {
  const { statement, ...session } = await openSession(services, userId, origin, sessionOrigin);
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

/** Ends this session. Signing out of a session that has ended already changes nothing. */
export async function signOut(services: WriteServices, person: Person): Promise<void> {
  await runCommand(services, asAccountActor(person), {
    statements: [closeSession(services, person.sessionId)],
    audit: [{ action: "session.ended", ...aboutUser(person.userId) }],
    answer: undefined,
    evenOnHold: true,
  });
}
