import { sendDigests } from "~/modules/alerts/digest.commands.server";
import { promoteEarnedPayees } from "~/modules/whitelist/promotion.commands.server";
import type { Services } from "~/services";

/** Whitelists payees that have earned it by successful payments, and sends the daily summaries that are due. */
export async function runHourly(services: Services): Promise<void> {
  const promoted = await promoteEarnedPayees(services);
  if (promoted > 0) services.log.info("promotion", { promoted });
  const digests = await sendDigests(services);
  if (digests > 0) services.log.info("digests", { digests });
}
