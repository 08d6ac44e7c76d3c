import * as z from "zod";
import { OUTAGES, UpstreamError } from "~/kernel/app-error";
import { giveUpBillingSync, syncCustomer } from "~/modules/accounts/billing/sync-billing.server";
import { giveUpPasswordReset, sendPasswordReset } from "~/modules/accounts/identity/password.server";
import { giveUpNote, writeNote } from "~/modules/connections/notes.server";
import { giveUpSync, syncAccounting } from "~/modules/connections/sync.server";
import { JOB_KINDS, type Job, type JobKind, NO_JOB, OUTAGE_ATTEMPTS } from "~/modules/core/commands/job";
import {
  claimJob,
  type DeadLetterEndings,
  finishJob,
  listUndelivered,
  recordDeadLetter,
  retryJobLater,
} from "~/modules/core/commands/outbox.server";
import { DEAD_LETTERS, QUEUES } from "~/modules/core/operations/figures.server";
import { giveUpDomains, lookUpDomains } from "~/modules/directories/email-domain.server";
import { giveUpLookUp, lookUpRequested } from "~/modules/directories/register.server";
import { giveUpChangeNotice, sendChangeNotice } from "~/modules/messages/notifications/change-notices.server";
import { giveUpMessage, sendQueuedEmail, sendQueuedSms } from "~/modules/messages/notifications/notifications.server";
import { deliverWebhook, giveUpWebhook } from "~/modules/messages/webhook-endpoints/deliver.server";
import { tellOwners } from "~/modules/payees/bsb-updates/tell-owners.server";
import { giveUpImport, runImport } from "~/modules/payees/imports/run-import.server";
import { continueHealthRun, giveUpHealthRun } from "~/modules/payees/payee-health/health.server";
import { giveUpInvoice, readInvoice } from "~/modules/payments/invoices/take-in-invoice.server";
import { checkPaymentFile, giveUpPaymentFile } from "~/modules/payments/payment-files/check-file.server";
import { giveUpRemittances, sendRemittances } from "~/modules/payments/remittances.server";
import { askBanks } from "~/modules/verifying/bank-checks/ask-waiting.server";
import { endDeadBankCheck, postponeDeadDeletion } from "~/modules/verifying/bank-checks/bank-check.server";
import { followBankEvent, giveUpBankEvent } from "~/modules/verifying/bank-checks/bank-events.server";
import {
  deleteLater,
  deleteProviderData,
  deleteUnclaimedUser,
} from "~/modules/verifying/bank-checks/provider-data.server";
import { advanceBankCheck, giveUpBankCheck } from "~/modules/verifying/bank-checks/start-bank-check.server";
import { advanceBulkCheck, giveUpBulkCheck } from "~/modules/verifying/bulk-checks/advance-bulk-check.server";
import type { QueueName, Services } from "~/services-and-actor";
import { roleOfQueue } from "./env";
import { runAs } from "./log";
import { giveUpSampleData, makeSampleData } from "./sample-story";

type Consumer = {
  /** Does the job that a message names. */
  work: (services: Services, jobId: string) => Promise<unknown>;
  /** The beginning of this consumer's names in the log. */
  event: string;
  retryDelaySeconds: number;
};

const runs: Consumer = { work: runJob, event: "queue", retryDelaySeconds: 30 };
const CONSUMERS: Readonly<Record<QueueName, Consumer>> = {
  jobs: runs,
  "bank-checks": runs,
  // Messages that the other queues gave up on.
  "dead-letters": { work: endOrRetry, event: "dead_letter", retryDelaySeconds: 60 },
};

/**
 * Processes a batch, each message separately: parse, work, acknowledge. A failed job is put back with its attempts
 * counted in its row, and its message is acknowledged. Only if that write fails does the queue retry.
 */
export async function consume(batch: MessageBatch, services: Services): Promise<void> {
  const queue = roleOfQueue(batch.queue);
  const consumer = CONSUMERS[queue as QueueName];
  if (!consumer) return services.log.error("queue.unknown", { queue: batch.queue });
  const { work, event, retryDelaySeconds } = consumer;
  for (const message of batch.messages) {
    const { jobId } = messageSchema.safeParse(message.body).data ?? {};
    try {
      if (queue === "dead-letters" && jobId !== NO_JOB)
        services.providerCalls.failed(
          DEAD_LETTERS,
          jobId ? `job ${jobId}` : `message ${message.id}, which names no job`,
        );
      if (!jobId) services.log.error(`${event}.malformed`, { queue: batch.queue, messageId: message.id });
      else if (jobId !== NO_JOB) await runAs("job", jobId, () => work(services, jobId));
      message.ack();
    } catch (error) {
      services.log.error(`${event}.unsettled`, { queue: batch.queue, jobId, error: String(error) });
      message.retry({ delaySeconds: retryDelaySeconds });
    }
  }
  services.providerCalls.answered(QUEUES[queue as QueueName]);
}

type JobHandler = {
  /** Does the work and settles the job in the same batch (done, or postponed while waiting). */
  run: (services: Services, job: Job) => Promise<void>;
  /** Called after the last attempt: leaves a state that a person sees, and settles the job. */
  giveUp: (services: Services, job: Job, error: string) => Promise<void>;
};

const runBankCheck: JobHandler["run"] = async (services, job) => {
  if ((await advanceBankCheck(services, job)) === "over") await deleteProviderData(services, job);
};

const HANDLERS: Record<JobKind, JobHandler> = {
  accounting_note: { run: writeNote, giveUp: giveUpNote },
  accounting_sync: { run: syncAccounting, giveUp: giveUpSync },
  bank_check: { run: runBankCheck, giveUp: giveUpBankCheck },
  bank_event: { run: followBankEvent, giveUp: giveUpBankEvent },
  billing_sync: { run: syncCustomer, giveUp: giveUpBillingSync },
  bank_questions: { run: askBanks, giveUp: (services, job, error) => finishJob(services, job, "failed", error) },
  bank_user: { run: deleteUnclaimedUser, giveUp: (services, job, error) => deleteLater(services, job, { error }) },
  bsb_closures: { run: tellOwners, giveUp: (services, job, error) => finishJob(services, job, "failed", error) },
  bulk_check: { run: advanceBulkCheck, giveUp: giveUpBulkCheck },
  invoice_reading: { run: readInvoice, giveUp: giveUpInvoice },
  payment_file_check: { run: checkPaymentFile, giveUp: giveUpPaymentFile },
  payee_health: { run: continueHealthRun, giveUp: giveUpHealthRun },
  payee_import: { run: runImport, giveUp: giveUpImport },
  password_reset: { run: sendPasswordReset, giveUp: giveUpPasswordReset },
  domain_lookup: { run: lookUpDomains, giveUp: giveUpDomains },
  register_lookup: { run: lookUpRequested, giveUp: giveUpLookUp },
  sample_data: { run: makeSampleData, giveUp: giveUpSampleData },
  email: { run: sendQueuedEmail, giveUp: giveUpMessage },
  safety_email: { run: sendQueuedEmail, giveUp: giveUpMessage },
  safety_sms: { run: sendQueuedSms, giveUp: giveUpMessage },
  change_notice: { run: sendChangeNotice, giveUp: giveUpChangeNotice },
  remittance: { run: sendRemittances, giveUp: giveUpRemittances },
  webhook: { run: deliverWebhook, giveUp: giveUpWebhook },
  sms: { run: sendQueuedSms, giveUp: giveUpMessage },
};

/** An older build, which may serve while an upgrade rolls out or after a rollback, skips newer kinds of jobs. */
const isKnown = (job: Job) => Object.hasOwn(HANDLERS, job.kind);

/** @returns whether this consumer had the job */
async function runJob(services: Services, jobId: string): Promise<boolean> {
  const job = await claimJob(services, jobId);
  if (!job || !isKnown(job)) return false;
  try {
    await HANDLERS[job.kind].run(services, job);
  } catch (error) {
    await failJob(services, job, error);
  }
  return true;
}

async function failJob(services: Services, job: Job, error: unknown): Promise<void> {
  const text = error instanceof Error ? error.message : String(error);
  const upstream = error instanceof UpstreamError ? error : undefined;
  const attempts = job.attempts + 1;
  const isLast = attempts >= mostAttempts(job.kind, upstream);
  services.log.warn("job.failed", { jobId: job.id, kind: job.kind, attempts, error: text });
  if (isLast || upstream?.retryable === false) await HANDLERS[job.kind].giveUp(services, job, text);
  else await retryJobLater(services, job, { error: text, retryAfterMs: upstream?.options.retryAfterMs });
}

/** While the other party is down, the job does not give up. Our own errors do not go away by themselves. */
function mostAttempts(kind: JobKind, upstream: UpstreamError | undefined): number {
  const { maxAttempts, ...rest } = JOB_KINDS[kind];
  const isOutage = upstream !== undefined && OUTAGES.has(upstream.kind) && !("startsAnew" in rest);
  return isOutage ? Math.max(maxAttempts, OUTAGE_ATTEMPTS) : maxAttempts;
}

/**
 * After this time, or this many database calls, the schedule starts no further job: with the queries of its sweeps,
 * which may run twice in one event, D1 allows a thousand.
 */
const UNDELIVERED_MS = 10_000;
const UNDELIVERED_CALLS = 60;

/**
 * Runs due jobs that no consumer took, so that a stalled queue, ours or the platform's, slows work down without
 * stopping it. Later consumers find the job leased or done.
 * @returns how many jobs were run
 */
export async function runUndelivered(services: Services): Promise<number> {
  const until = services.clock.now() + UNDELIVERED_MS;
  let [ran, calls] = [0, 0];
  for (const { id, kind } of await listUndelivered(services)) {
    if (services.clock.now() >= until || calls >= UNDELIVERED_CALLS) break;
    services.log.warn("job.undelivered", { jobId: id, kind });
    await runAs("job", id, async (run) => {
      if (await runJob(services, id)) ran++;
      calls += run.waits;
    });
  }
  return ran;
}

/** Kinds of jobs with an ending of their own when the queue fails; for others it counts as a failed attempt. */
const ENDINGS: DeadLetterEndings<Services> = { bank_check: endDeadBankCheck, bank_user: postponeDeadDeletion };

async function endOrRetry(services: Services, jobId: string): Promise<void> {
  const left = await recordDeadLetter(services, jobId, ENDINGS);
  if (left && isKnown(left)) await failJob(services, left, new Error("the queue could not deliver it"));
}

/** The complete format of a message. Unknown versions are rejected. */
const messageSchema = z.object({ jobId: z.uuid(), v: z.literal(1) });
