import { tokens, users } from "@db/schema";
import { and, eq, isNull } from "drizzle-orm";
import type { Person } from "~/kernel/actor";
import { invalidInput } from "~/kernel/app-error";
import { formatDateTime } from "~/kernel/dates";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import { jobIds, jobStatements, queueEmail } from "~/modules/notifications/notifications.statements.server";
import type { Services } from "~/services";
import { aboutThemself, actingAlone } from "../acting";
import { provePassword } from "../proof.server";
import { commitWithNewSession } from "../sessions/rotation.server";
import type { SignedIn } from "../sessions/session.queries.server";
import { requireUnknownPassword } from "./new-password.server";

type Needs = Pick<
  Services,
  "db" | "clock" | "ids" | "secrets" | "passwords" | "breachedPasswords" | "queues" | "config"
>;

const SAME = "Choose a password that differs from the current one";

/**
 * Changes a person's password. They stay signed in here, with a new session, and nowhere else; links to reset the old
 * password are void; they are told by mail.
 * @throws AppError 400 beside `currentPassword` or `password`, 429 SIGN_IN_LOCKED, 409 CHANGED_MEANWHILE
 */
export async function changePassword(
  services: Needs,
  person: Person,
  input: { currentPassword: string; password: string },
): Promise<SignedIn> {
  const { db, clock } = services;
  const { userId } = person;
  const proof = await provePassword(services, person, input.currentPassword);
  if (input.password === input.currentPassword) throw invalidInput({ password: [SAME] }, SAME);
  await requireUnknownPassword(services, input.password);
  const now = clock.now();
  const password = await services.passwords.hash(input.password);
  const mail = await queueEmail(services, person.organizationId, [person.email], {
    template: "passwordChanged",
    data: {
      firstName: person.firstName,
      at: formatDateTime(now),
      how: "changed",
      href: `${services.config.appOrigin}/auth/forgot`,
    },
  });
  const signedIn = await commitWithNewSession(services, person, [
    ...proof.statements,
    db.update(users).set({ password, updatedAt: now }).where(eq(users.id, userId)),
    db
      .update(tokens)
      .set({ usedAt: now })
      .where(and(eq(tokens.userId, userId), eq(tokens.kind, "password_reset"), isNull(tokens.usedAt))),
    ...jobStatements(services, mail),
    recordAudit(services, actingAlone(person), { action: "user.password_changed", ...aboutThemself(userId) }),
  ]);
  await services.queues.send("jobs", jobIds(mail));
  return signedIn;
}
