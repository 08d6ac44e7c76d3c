import { reconcileCounters } from "~/modules/housekeeping/counters.commands.server";
import { removeExpiredRows } from "~/modules/housekeeping/housekeeping.commands.server";
import type { Services } from "~/services";

/** Removes what is over and checks the counts, while Australia sleeps. */
export async function keepHouse(services: Services): Promise<void> {
  const removed = await removeExpiredRows(services);
  const corrected = await reconcileCounters(services);
  services.log.info("housekeeping", { ...removed, corrected });
}
