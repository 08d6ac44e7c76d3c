import type { Statement } from "@db/client";
import { sessions } from "@db/schema";
import { eq } from "drizzle-orm";
import type { Origin, Person } from "~/kernel/actor";
import type { ReadServices, Services } from "~/services";
import { SESSION_ABSOLUTE_MS } from "./session";

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
