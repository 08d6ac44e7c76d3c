import { sessions } from "@db/schema";
import { and, eq, ne, sql } from "drizzle-orm";
import type { Person } from "~/kernel/actor";
import { notFound } from "~/kernel/app-error";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { WriteServices } from "~/services";
import { aboutUser, asAccountActor } from "../account-actor";

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
