import type { Actor } from "~/kernel/actor";
import { notFound } from "~/kernel/app-error";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { allowAddress } from "~/modules/messages/notifications/deliveries.statements.server";
import type { Services, WriteServices } from "~/services";
import { listStoppedAddresses } from "./stopped-addresses.queries.server";

/**
 * Sends emails to an address again. A bounce or a report stops it again.
 * @throws AppError 404 for an address that no email of this organisation stopped
 */
export async function sendAgainTo(
  services: WriteServices & Pick<Services, "secrets">,
  actor: Actor,
  email: string,
): Promise<void> {
  const stopped = await listStoppedAddresses(services, actor);
  if (!stopped.some((each) => each.email === email)) throw notFound();
  await runCommand(services, actor, {
    parts: [await allowAddress(services, email)],
    audit: [
      {
        action: "message.address_allowed",
        entityType: "organization",
        entityId: actor.organizationId,
        details: { email },
      },
    ],
    answer: undefined,
  });
}
