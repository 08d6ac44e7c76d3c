import { UpstreamError } from "~/kernel/upstream-error";
import { JOB_KINDS, type Job, type JobKind } from "~/modules/core/commands/job";
import { claimJob, retryJobLater } from "~/modules/core/commands/outbox.server";
import type { Services } from "~/services";
import { parseMessage } from "./message";

export type JobHandler = {
  /** Does the work and settles the job in its own batch (done, or postponed while waiting). */
  run: (services: Services, job: Job) => Promise<void>;
  /** No more tries: leaves a state that a person sees, and settles the job. */
  giveUp: (services: Services, job: Job, error: string) => Promise<void>;
};

export type JobHandlers = Partial<Record<JobKind, JobHandler>>;

const RETRY_DELAY_SECONDS = 30;

/**
 * Works through a batch, each message for itself: parse, claim, run, acknowledge. A job that fails is put back with its
 * attempts counted in its row and acknowledged; only when even that cannot be written does the queue try again.
 */
export async function runJobs(batch: MessageBatch, services: Services, handlers: JobHandlers): Promise<void> {
  for (const message of batch.messages) {
    try {
      const parsed = parseMessage(message.body);
      if (parsed) await runJob(services, parsed.jobId, handlers);
      else services.log.error("queue.malformed_message", { queue: batch.queue });
      message.ack();
    } catch (error) {
      services.log.error("queue.unsettled", { queue: batch.queue, error: String(error) });
      message.retry({ delaySeconds: RETRY_DELAY_SECONDS });
    }
  }
}

async function runJob(services: Services, jobId: string, handlers: JobHandlers): Promise<void> {
  const job = await claimJob(services, jobId);
  const handler = job && handlers[job.kind];
  if (!job || !handler) return;
  try {
    await handler.run(services, job);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const upstream = error instanceof UpstreamError ? error : undefined;
    const isLast = job.attempts + 1 >= JOB_KINDS[job.kind].maxAttempts;
    services.log.warn("job.failed", { jobId, kind: job.kind, attempts: job.attempts + 1, error: text });
    if (isLast || upstream?.retryable === false) await handler.giveUp(services, job, text);
    else await retryJobLater(services, job, { error: text, retryAfterMs: upstream?.options.retryAfterMs });
  }
}
