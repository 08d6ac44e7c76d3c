import { users } from "@db/schema";
import { eq } from "drizzle-orm";
import type { Person } from "~/kernel/actor";
import { invalidInput } from "~/kernel/app-error";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { NotifyServices, Services } from "~/services";
import { voidResetLinks } from "../account-access.server";
import { aboutUser, asAccountActor } from "../account-actor";
import { changedMeanwhile, requirePassword } from "../reauthenticate.server";
import { replaceSessions } from "../sessions/session.server";
import { getSignedIn, type SignedIn } from "../sessions/signed-in.server";
import { queuePasswordChanged, requireUnknownPassword } from "./new-password.server";

type Changing = NotifyServices & Pick<Services, "passwords" | "breachedPasswords">;

const SAME = "Choose a password that differs from the current one";

/**
 * Changes a person's password. They stay signed in here, with a new session, and nowhere else; links to reset the old
 * password stop working; they are told by email.
 * @throws AppError 400 beside `currentPassword` or `password`, 429 SIGN_IN_LOCKED, 409 CHANGED_MEANWHILE
 */
export async function changePassword(
  services: Changing,
  person: Person,
  input: { currentPassword: string; password: string },
): Promise<SignedIn> {
  const { userId, origin } = person;
  const proof = await requirePassword(services, person, input.currentPassword);
  if (input.password === input.currentPassword) throw invalidInput({ password: [SAME] }, SAME);
  await requireUnknownPassword(services, input.password);
  const password = await services.passwords.hash(input.password);
  const session = await replaceSessions(services, person);
  const { ok } = await runCommand(services, asAccountActor(person), {
    conditions: proof.conditions,
    statements: [
      ...proof.statements,
      services.db.update(users).set({ password, updatedAt: services.clock.now() }).where(eq(users.id, userId)),
      voidResetLinks(services, userId),
      ...session.statements,
    ],
    audit: [{ action: "user.password_changed", ...aboutUser(userId) }],
    jobs: await queuePasswordChanged(services, person, "changed"),
    answer: undefined,
  });
  if (!ok) throw changedMeanwhile();
  return getSignedIn(services, origin, session);
}
