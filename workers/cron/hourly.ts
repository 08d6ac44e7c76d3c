import { promoteEarnedPayees } from "~/modules/whitelist/promotion.commands.server";
import type { Services } from "~/services";

/** Whitelists payees that have earned it by successful payments. */
export async function promotePayees(services: Services): Promise<void> {
  const promoted = await promoteEarnedPayees(services);
  if (promoted > 0) services.log.info("promotion", { promoted });
}
