import { users } from "@db/schema";
import { eq } from "drizzle-orm";
import type { Origin } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { NotifyServices, Services } from "~/services";
import { endAllAccess } from "../account-access.server";
import { aboutUser, asAccountActor } from "../account-actor";
import { linkIsOpen } from "../open-link.server";
import { forgetFailures, passwordLock } from "../sign-in/sign-in-lock.server";
import { queuePasswordChanged, requireUnknownPassword } from "./new-password.server";
import { findPasswordReset, type PasswordReset } from "./password-reset.server";

type Resetting = NotifyServices & Pick<Services, "passwords" | "breachedPasswords">;

/**
 * Sets a new password by a link. Every session, API token, other link and unfinished change of address of the person
 * ends, a locked account is unlocked, and they are told by email. Two-step sign-in stays on: the link does not replace it.
 * @throws AppError 404 NOT_FOUND, 410 LINK_USED, LINK_EXPIRED, 400 for a password that attackers know
 */
export async function resetPassword(
  services: Resetting,
  origin: Origin,
  input: { token: string; password: string },
): Promise<void> {
  const reset = await getOpenReset(services, input.token);
  await requireUnknownPassword(services, input.password);
  const password = await services.passwords.hash(input.password);
  const { userId, email } = reset;
  const { ok } = await runCommand(services, asAccountActor({ ...reset, origin }), {
    conditions: [linkIsOpen(services, reset)],
    statements: [
      services.db.update(users).set({ password, updatedAt: services.clock.now() }).where(eq(users.id, userId)),
      ...endAllAccess(services, userId),
      forgetFailures(services, await passwordLock(services, email, userId)),
    ],
    audit: [{ action: "user.password_reset", ...aboutUser(userId) }],
    jobs: await queuePasswordChanged(services, reset, "reset"),
    answer: undefined,
  });
  if (ok) return;
  await getOpenReset(services, input.token);
  throw linkUsed();
}

const linkUsed = () => new AppError("LINK_USED", 410, "This link was used already. Ask for a new one if you need it.");

async function getOpenReset(services: Resetting, token: string): Promise<PasswordReset> {
  const reset = await findPasswordReset(services, token);
  if (!reset) throw new AppError("NOT_FOUND", 404, "This link is not known. Please use the link in the newest email.");
  if (reset.state === "used") throw linkUsed();
  if (reset.state === "expired") {
    throw new AppError("LINK_EXPIRED", 410, "This link has expired. It worked for one hour.");
  }
  return reset;
}
