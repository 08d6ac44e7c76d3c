import { reconcileBilling } from "~/modules/billing/reconcile.commands.server";
import { sendTrialReminders } from "~/modules/billing/trial-reminders.commands.server";
import { requestOldAnswersAgain } from "~/modules/business-register/look-up.commands.server";
import { reconcileCounters } from "~/modules/housekeeping/counters.commands.server";
import { removeExpiredRows } from "~/modules/housekeeping/housekeeping.commands.server";
import type { Services } from "~/services";

/** Removes what is over, checks the counts, and looks after subscriptions, while Australia sleeps. */
export async function keepHouse(services: Services): Promise<void> {
  const removed = await removeExpiredRows(services);
  const corrected = await reconcileCounters(services);
  const trialsReminded = await sendTrialReminders(services);
  await requestOldAnswersAgain(services);
  const customersToRead = await reconcileBilling(services);
  services.log.info("housekeeping", { ...removed, corrected, trialsReminded, customersToRead });
}
