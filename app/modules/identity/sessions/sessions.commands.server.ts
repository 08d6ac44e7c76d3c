import { isPreconditionError } from "@db/errors";
import { precondition } from "@db/precondition";
import { sessions } from "@db/schema";
import { and, eq, ne, sql } from "drizzle-orm";
import type { Person } from "~/kernel/actor";
import { notFound } from "~/kernel/app-error";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import type { Services } from "~/services";
import { aboutThemself, actingAlone } from "../acting";

type Needs = Pick<Services, "db" | "clock" | "ids">;

/** Ends one of the person's own sessions, at once. @throws AppError 404 */
export async function revokeSession(services: Needs, person: Person, input: { sessionId: string }): Promise<void> {
  const { db } = services;
  const one = and(eq(sessions.id, input.sessionId), eq(sessions.userId, person.userId));
  const mine = db.select({ one: sql`1` }).from(sessions).where(one);
  try {
    await db.batch([
      precondition(db, mine),
      db.delete(sessions).where(one),
      recordAudit(services, actingAlone(person), { action: "session.revoked", ...aboutThemself(person.userId) }),
    ]);
  } catch (error) {
    throw isPreconditionError(error) ? notFound() : error;
  }
}

/** Signs the person out everywhere but here. */
export async function revokeOtherSessions(services: Needs, person: Person): Promise<void> {
  const { db } = services;
  const { userId, sessionId } = person;
  await db.batch([
    db.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.id, sessionId))),
    recordAudit(services, actingAlone(person), { action: "session.others_revoked", ...aboutThemself(userId) }),
  ]);
}
