import { sendDigests } from "~/modules/alerts/digest.commands.server";
import { deleteOrphans } from "~/modules/bank-checks/provider-data.commands.server";
import { promoteEarnedPayees } from "~/modules/whitelist/promotion.commands.server";
import type { Services } from "~/services";

/** Deletes users at the bank data provider that no check names, whitelists payees that have earned it, and sends the daily summaries that are due. */
export async function runHourly(services: Services): Promise<void> {
  const orphans = await deleteOrphans(services).catch((error) => {
    services.log.warn("orphans.unread", { error: String(error) });
    return 0;
  });
  if (orphans > 0) services.log.warn("orphans.deleted", { orphans });
  const promoted = await promoteEarnedPayees(services);
  if (promoted > 0) services.log.info("promotion", { promoted });
  const digests = await sendDigests(services);
  if (digests > 0) services.log.info("digests", { digests });
}
