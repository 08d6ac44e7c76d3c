import type { Person } from "~/kernel/actor";
import { invalidInput } from "~/kernel/app-error";
import { formatDateTime } from "~/kernel/dates";
import { sitePaths } from "~/kernel/paths/site";
import type { NewJob } from "~/modules/core/commands/outbox.statements.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import type { NotifyServices, Services } from "~/services";
import { isCommonPassword } from "./common-passwords";

const COMMON = "This password is one of those that attackers try first. Please choose another one";
const BREACHED = "This password is known from a data breach. Please choose another one";

/**
 * Refuses a new password that attackers know: asked wherever one is set, after the rules of the specification.
 * @throws AppError 400 with the sentence beside the field
 */
export async function requireUnknownPassword(
  { breachedPasswords }: Pick<Services, "breachedPasswords">,
  password: string,
): Promise<void> {
  if (isCommonPassword(password)) throw invalidInput({ password: [COMMON] }, COMMON);
  if (await breachedPasswords.isBreached(password)) throw invalidInput({ password: [BREACHED] }, BREACHED);
}

/** The email that tells a person of their new password. */
export function queuePasswordChanged(
  services: NotifyServices,
  { organizationId, firstName, email }: Pick<Person, "organizationId" | "firstName" | "email">,
  how: "reset" | "changed",
): Promise<NewJob[]> {
  const at = formatDateTime(services.clock.now());
  return queueEmail(services, organizationId, [email], {
    template: "passwordChanged",
    data: { firstName, at, how, href: `${services.config.appOrigin}${sitePaths.forgotPassword}` },
  });
}
