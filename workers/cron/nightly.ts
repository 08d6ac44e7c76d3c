import { reconcileBilling } from "~/modules/billing/reconcile.commands.server";
import { sendTrialReminders } from "~/modules/billing/trial-reminders.commands.server";
import { requestOldAnswersAgain } from "~/modules/business-register/look-up.commands.server";
import { reconcileCounters } from "~/modules/housekeeping/counters.commands.server";
import { removeExpiredRows } from "~/modules/housekeeping/housekeeping.commands.server";
import { summarizeMonths } from "~/modules/reports/month-summary.commands.server";
import { reconcileReports } from "~/modules/reports/reconcile.commands.server";
import type { Services } from "~/services";

/** Removes what is over, checks the counts, looks after subscriptions, and sums up the month that has ended, while Australia sleeps. */
export async function keepHouse(services: Services): Promise<void> {
  const removed = await removeExpiredRows(services);
  const corrected = await reconcileCounters(services);
  const trialsReminded = await sendTrialReminders(services);
  await requestOldAnswersAgain(services);
  const customersToRead = await reconcileBilling(services);
  const daysCorrected = await reconcileReports(services);
  const summaries = await summarizeMonths(services);
  const looked = { corrected, daysCorrected, trialsReminded, customersToRead, summaries };
  services.log.info("housekeeping", { ...removed, ...looked });
}
