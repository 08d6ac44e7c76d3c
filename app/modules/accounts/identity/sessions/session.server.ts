import type { Statement } from "@db/client";
import { sessions } from "@db/schema";
import { and, desc, eq, gt, ne, sql } from "drizzle-orm";
import type { Origin, Person } from "~/kernel/actor";
import { notFound } from "~/kernel/app-error";
import { formatDateTime, formatRelative, toIso } from "~/kernel/dates";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { ReadServices, Services, WriteServices } from "~/services";
import { aboutUser, asAccountActor } from "../account-actor";
import { describeDevice } from "../sign-in/device";
import { SESSION_ABSOLUTE_MS, SESSION_IDLE_MS } from "./session";
import type { SessionView } from "./session.view";

const MAX_SHOWN = 100;

/** A person's open sessions, this one first, then by when they were last used. */
export async function listSessions(services: Pick<Services, "db" | "clock">, person: Person): Promise<SessionView[]> {
  const now = services.clock.now();
  const rows = await services.db
    .select({
      id: sessions.id,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      ipAddress: sessions.ipAddress,
      userAgent: sessions.userAgent,
      place: sessions.place,
    })
    .from(sessions)
    .where(
      and(
        eq(sessions.userId, person.userId),
        gt(sessions.expiresAt, now),
        gt(sessions.lastSeenAt, now - SESSION_IDLE_MS),
      ),
    )
    .orderBy(desc(sessions.lastSeenAt))
    .limit(MAX_SHOWN);
  const views = rows.map((row) => ({
    id: row.id,
    device: describeDevice(row.userAgent),
    place: row.place,
    ipAddress: row.ipAddress,
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
export type NewSession = { token: string; sessionId: string; statement: Statement };

/** A new session of a person, for the batch that signs them in. Every sign-in and change of privilege gets its own. */
export async function openSession(
  services: Pick<Services, "db" | "clock" | "ids" | "secrets">,
  userId: string,
  origin: Origin,
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
    expiresAt: now + SESSION_ABSOLUTE_MS,
    ipAddress: origin.ipAddress,
    userAgent: origin.userAgent,
    place: origin.place ?? null,
  });
  return { token, sessionId, statement };
}

/** Ends one session; ending one that is gone changes nothing. */
export function closeSession(services: ReadServices, sessionId: string): Statement {
  return services.db.delete(sessions).where(eq(sessions.id, sessionId));
}

/** Ends every session of a person. The statement of a new one goes after it in the batch. */
export function closeAllSessions(services: ReadServices, userId: string): Statement {
  return services.db.delete(sessions).where(eq(sessions.userId, userId));
}

/**
 * A new session in place of every session the person has: for a command that changes how they sign in.
 * The statements go at the end of the command's own.
 */
export async function replaceSessions(
  services: Pick<Services, "db" | "clock" | "ids" | "secrets">,
  { userId, origin }: Pick<Person, "userId" | "origin">,
): Promise<{ token: string; sessionId: string; statements: Statement[] }> {
  const { statement, ...session } = await openSession(services, userId, origin);
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
  });
}
