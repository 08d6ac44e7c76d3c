import type { Origin } from "~/kernel/actor";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { Services, WriteServices } from "~/services";
import { getUnusedConfirmation } from "../email/confirmation.server";
import { changedMeanwhile } from "../reauthenticate.server";
import { registrationIsUnconfirmed, removeRegistration } from "./removal.server";

/**
 * "This was not me": the person who holds the mailbox deletes a registration that another person made with their address.
 * An expired link does it too.
 * @returns the address, which is free again
 * @throws AppError 404 NOT_FOUND, 409 ALREADY_CONFIRMED
 */
export async function disownRegistration(
  services: WriteServices & Pick<Services, "secrets">,
  origin: Origin,
  token: string,
): Promise<{ email: string }> {
  const { userId, email, createdOrganizationId, hasOtherMembers } = await getUnusedConfirmation(services, token);
  const registered = { userId, email, abandonedOrganizationId: hasOtherMembers ? null : createdOrganizationId };
  const { ok } = await runCommand(
    services,
    { userId: null, organizationId: PLATFORM_ORGANIZATION_ID, origin },
    {
      conditions: [registrationIsUnconfirmed(services, registered)],
      parts: [removeRegistration(services, registered)],
      answer: undefined,
    },
  );
  if (!ok) throw changedMeanwhile();
  return { email };
}
