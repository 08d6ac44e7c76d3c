import * as z from "zod";
import type { Actor } from "~/kernel/actor";
import { notFound } from "~/kernel/app-error";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { allowAddress } from "~/modules/messages/notifications/deliveries.server";
import type { Services, WriteServices } from "~/services";
import { listStoppedAddresses } from "./stopped-addresses.server";

const NO_ADDRESS = "Choose an address";

/** The form that lets emails go to an address again. */
export const allowAddressSchema = z.object({ email: z.string(NO_ADDRESS).min(1, NO_ADDRESS).max(320) });

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
