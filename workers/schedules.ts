import { OUTAGES, UpstreamError } from "~/kernel/app-error";
import { reconcileBilling } from "~/modules/accounts/billing/sync-billing.server";
import { sendTrialReminders } from "~/modules/accounts/billing/trial-reminders.server";
import { encryptedTotpSecrets } from "~/modules/accounts/identity/proof.server";
import { closeDueOrganizations } from "~/modules/accounts/organizations/close-organization.server";
import { lookAtProofs } from "~/modules/accounts/organizations/domains.server";
import { applyDueChanges } from "~/modules/accounts/organizations/policy-changes.server";
import { encryptedClientSecrets } from "~/modules/accounts/single-sign-on/settings.server";
import { endConnections } from "~/modules/connections/connect.server";
import { pollAccounting } from "~/modules/connections/sync.server";
import { encryptedCredentials } from "~/modules/connections/tokens.server";
import { checkSeals } from "~/modules/core/audit/failed-seals.server";
import { giveWay, sweepDueJobs } from "~/modules/core/commands/outbox.server";
import { runStatement } from "~/modules/core/commands/run-command.server";
import { reconcileCounters, removeExpiredRows } from "~/modules/core/housekeeping.server";
import { EVERY_MINUTE } from "~/modules/core/operations/problems";
import {
  type EncryptedColumn,
  encryptedPayloads,
  noteCurrentKeys,
  reencryptColumns,
} from "~/modules/core/operations/reencrypt-columns.server";
import { expectSchedules, noteRun, tellThatBlind, watchOperations } from "~/modules/core/operations/watch.server";
import { checkDatabase } from "~/modules/core/restores/database-state.server";
import { readLostTime } from "~/modules/core/restores/lost-time.server";
import { noteTrail } from "~/modules/core/restores/outside-trail.server";
import { sealAuditTrail } from "~/modules/core/seals.server";
import { queueDueDomains } from "~/modules/directories/email-domain.server";
import { requestOldAnswersAgain } from "~/modules/directories/register.server";
import { sendDigests } from "~/modules/messages/alerts/digest.server";
import { raiseAlerts } from "~/modules/messages/alerts/trail.server";
import { raiseWebhooks } from "~/modules/messages/webhook-endpoints/deliver.server";
import { sealedEndpointSecrets } from "~/modules/messages/webhook-endpoints/endpoint.server";
import { encryptedImportParts } from "~/modules/payees/imports/import.server";
import { tellConcerns, watchPayees } from "~/modules/payees/tell-of-concerns.server";
import { promoteEarnedPayees } from "~/modules/payees/whitelist/promotion.server";
import { removeOldDocuments } from "~/modules/payments/invoices/invoice-settings.server";
import { encryptedFileParts } from "~/modules/payments/payment-files/payment-file.server";
import { keepSeals } from "~/modules/records/audit-trail/kept-seals.server";
import { removeClosedOrganizations } from "~/modules/records/organization-export/remove-organization.server";
import { countTrail, reconcileReports } from "~/modules/records/reports/count-trail.server";
import { summarizeMonths } from "~/modules/records/reports/month-summary.server";
import { askConnections } from "~/modules/records/restores/ask-providers.server";
import { tellOfRestores } from "~/modules/records/restores/tell-organizations.server";
import { askAgain } from "~/modules/verifying/bank-checks/ask-again.server";
import { askWaiting } from "~/modules/verifying/bank-checks/ask-waiting.server";
import { readMissedEvents } from "~/modules/verifying/bank-checks/bank-events.server";
import { deleteOrphans, LONGEST_LOOK_BACK_MS } from "~/modules/verifying/bank-checks/provider-data.server";
import type { Services } from "~/services-and-actor";
import { runAs } from "./log";
import { runUndelivered } from "./queues";

/** Every column that holds envelopes: db/seed/keys-in-use.mjs counts the same. */
export const ENCRYPTED_COLUMNS: readonly EncryptedColumn[] = [
  encryptedPayloads,
  encryptedTotpSecrets,
  encryptedClientSecrets,
  ...sealedEndpointSecrets,
  encryptedCredentials,
  encryptedImportParts,
  encryptedFileParts,
];

/** One task of a schedule. It returns how much work it found: a number, or counts by name. */
type Sweep = (services: Services) => Promise<unknown>;

/**
 * The schedules of wrangler.toml and their tasks, in order. Each task finds all due work and never relies on an earlier
 * run. The names appear in the log.
 */
export const SCHEDULES: Readonly<Record<string, Readonly<Record<string, Sweep>>>> = {
  // Sends what was never sent, was lost by a queue, or whose consumer died; then sends people's alerts.
  [EVERY_MINUTE]: {
    "jobs sent": sweepDueJobs,
    "banks asked": askWaiting,
    "weaker policies in effect": applyDueChanges,
    "domains asked about": queueDueDomains,
    "concerns told": tellConcerns,
    "alerts raised": raiseAlerts,
    "trail noted outside": noteTrail,
    "trail counted": countTrail,
    "webhooks raised": raiseWebhooks,
    "keys noted": (services) => runStatement(services, noteCurrentKeys(services)),
    "operations watched": watchOperations,
    // Last, because jobs may use up the platform's limits for this run.
    "undelivered jobs run": runUndelivered,
  },
  "*/5 * * * *": {
    "audit sealed": sealAuditTrail,
    "organisations told of a restore": tellOfRestores,
    "accounting polled": pollAccounting,
    "sealed anew": (services) => reencryptColumns(services, ENCRYPTED_COLUMNS),
  },
  "7 * * * *": {
    "consents ended unseen": readMissedEvents,
    "orphans deleted": (services) => deleteOrphans(services),
    "payees promoted": promoteEarnedPayees,
    "banks asked again": askAgain,
    "domain proofs looked at": lookAtProofs,
    "payees watched": watchPayees,
    "digests sent": sendDigests,
    "seals kept": keepSeals,
    "seals failed": checkSeals,
    "organisations closed": (services) => closeDueOrganizations(services, endConnections),
  },
  // At night in Australia.
  "23 16 * * *": {
    "expired rows removed": removeExpiredRows,
    "documents of invoices removed": removeOldDocuments,
    "closed organisations removed": removeClosedOrganizations,
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
 * Runs every task of a schedule. A failed task does not stop the others; each error is logged separately. While the app
 * is on hold after a restore, the only task is to read what was lost, from our notes and from outside parties.
 * @throws Error for a schedule that is not listed; AggregateError after the last task if any failed, so that the
 * platform counts the run as failed
 */
export async function runSchedule(cron: string, services: Services): Promise<void> {
  const sweeps = SCHEDULES[cron];
  if (!sweeps) throw new Error(`no work is scheduled at ${cron}`);
  await runAs("schedule", services.ids.next(), async () => {
    const standing = await checkDatabase(services).catch(async (error) => {
      await tellThatBlind(services, error);
      throw error;
    });
    if (standing !== "in_use") {
      services.log.warn("schedule.on_hold", { cron, standing });
      if (standing !== "on_hold") return;
      await readLostTime(services);
      await askConnections(services);
      return;
    }
    const failed = await runSweeps({ "schedules expected": expectSchedules, ...sweeps }, services);
    await noteRun(
      services,
      cron,
      failed.length === 0 ? undefined : `failed: ${failed.map(({ sweep }) => sweep).join(", ")}`,
    );
    if (failed.length > 0)
      throw new AggregateError(
        failed.map(({ error }) => error),
        "sweeps failed",
      );
  });
}

/**
 * An outside party that is down postpones the task that calls it, and is monitored separately (`providerCalls`). The
 * next run finds the same work.
 *
 * @returns the failures
 */
export async function runSweeps(sweeps: Readonly<Record<string, Sweep>>, services: Services) {
  const failed: { sweep: string; error: unknown }[] = [];
  for (const [sweep, run] of Object.entries(sweeps)) {
    await giveWay();
    try {
      const done = await run(services);
      if (typeof done === "object" && done !== null) services.log.info("sweep", { sweep, ...done });
      else if (typeof done === "number" && done > 0) services.log.info("sweep", { sweep, done });
    } catch (error) {
      const said = { sweep, error: error instanceof Error ? error.message : String(error) };
      if (error instanceof UpstreamError && OUTAGES.has(error.kind)) {
        services.log.warn("sweep.put_off", said);
        continue;
      }
      failed.push({ sweep, error });
      services.log.error("sweep.failed", said);
    }
  }
  return failed;
}
