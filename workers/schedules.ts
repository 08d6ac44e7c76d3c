import { reconcileBilling } from "~/modules/accounts/billing/sync-billing.server";
import { sendTrialReminders } from "~/modules/accounts/billing/trial-reminders.server";
import { applyDueChanges } from "~/modules/accounts/organizations/policy-changes.server";
import { pollAccounting } from "~/modules/connections/sync.server";
import { checkSeals } from "~/modules/core/audit/failed-seals.server";
import { sweepDueJobs } from "~/modules/core/commands/outbox.server";
import { reconcileCounters, removeExpiredRows } from "~/modules/core/housekeeping.server";
import { sealAuditTrail } from "~/modules/core/seals.server";
import { requestOldAnswersAgain } from "~/modules/directories/register.server";
import { sendDigests } from "~/modules/messages/alerts/digest.server";
import { raiseAlerts } from "~/modules/messages/alerts/trail.server";
import { raiseWebhooks } from "~/modules/messages/webhook-endpoints/deliver.server";
import { promoteEarnedPayees } from "~/modules/payees/whitelist/promotion.server";
import { removeOldDocuments } from "~/modules/payments/invoices/invoice-settings.server";
import { keepSeals } from "~/modules/records/audit-trail/kept-seals.server";
import { countTrail, reconcileReports } from "~/modules/records/reports/count-trail.server";
import { summarizeMonths } from "~/modules/records/reports/month-summary.server";

import { askAgain } from "~/modules/verifying/bank-checks/ask-again.server";
import { askWaiting } from "~/modules/verifying/bank-checks/ask-by-itself.server";
import { readMissedEvents } from "~/modules/verifying/bank-checks/bank-events.server";
import { deleteOrphans, LONGEST_LOOK_BACK_MS } from "~/modules/verifying/bank-checks/provider-data.server";
import type { Services } from "~/services";

/** One thing that a schedule does. It answers how much it found to do: a number, or counts by name. */
type Sweep = (services: Services) => Promise<unknown>;

export const EVERY_MINUTE = "* * * * *";

/**
 * The schedules of wrangler.toml, and what each runs, in this order. A sweep finds all due work and never counts on having
 * run before. The names stand in the log.
 */
const SCHEDULES: Readonly<Record<string, Readonly<Record<string, Sweep>>>> = {
  // Sends what was never sent, was lost with a queue, or whose consumer died; then tells people what has happened.
  [EVERY_MINUTE]: {
    "jobs sent": sweepDueJobs,
    "banks asked": askWaiting,
    "weaker policies in effect": applyDueChanges,
    "alerts raised": raiseAlerts,
    "trail counted": countTrail,
    "webhooks raised": raiseWebhooks,
  },
  "*/5 * * * *": { "audit sealed": sealAuditTrail, "accounting polled": pollAccounting },
  "7 * * * *": {
    "consents ended unseen": readMissedEvents,
    "orphans deleted": (services) => deleteOrphans(services),
    "payees promoted": promoteEarnedPayees,
    "banks asked again": askAgain,
    "digests sent": sendDigests,
    "seals kept": keepSeals,
    "seals failed": checkSeals,
  },
  // While Australia sleeps.
  "23 16 * * *": {
    "expired rows removed": removeExpiredRows,
    "documents of invoices removed": removeOldDocuments,
    "counters corrected": reconcileCounters,
    "trial reminders": sendTrialReminders,
    "register asked again": requestOldAnswersAgain,
    "customers to read": reconcileBilling,
    "report days corrected": reconcileReports,
    "month summaries": summarizeMonths,
    "older orphans deleted": (services) => deleteOrphans(services, LONGEST_LOOK_BACK_MS),
  },
};

export const isSchedule = (cron: string): boolean => Object.hasOwn(SCHEDULES, cron);

/**
 * Runs every sweep of a schedule. One that fails does not silence the others: each has an error of its own in the log.
 * @throws Error for a schedule that is not listed; AggregateError after the last sweep where any failed, so that the
 * platform counts the run as failed
 */
export async function runSchedule(cron: string, services: Services): Promise<void> {
  const sweeps = SCHEDULES[cron];
  if (!sweeps) throw new Error(`no work is scheduled at ${cron}`);
  await runSweeps(sweeps, services);
}

export async function runSweeps(sweeps: Readonly<Record<string, Sweep>>, services: Services): Promise<void> {
  const errors: unknown[] = [];
  for (const [sweep, run] of Object.entries(sweeps)) {
    try {
      const done = await run(services);
      if (typeof done === "object" && done !== null) services.log.info("sweep", { sweep, ...done });
      else if (typeof done === "number" && done > 0) services.log.info("sweep", { sweep, done });
    } catch (error) {
      errors.push(error);
      services.log.error("sweep.failed", { sweep, error: error instanceof Error ? error.message : String(error) });
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, "sweeps failed");
}
