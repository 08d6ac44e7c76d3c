import type { Services } from "~/services";
import { bankCheckHandlers } from "./bank-checks";
import { consumeDeadLetters } from "./dead-letters";
import { jobHandlers } from "./jobs";
import { runJobs } from "./run-jobs";

/** One file per queue says what its jobs do; this says which queue is whose. */
export async function consume(batch: MessageBatch, services: Services): Promise<void> {
  switch (batch.queue) {
    case "jobs":
      return runJobs(batch, services, jobHandlers);
    case "bank-checks":
      return runJobs(batch, services, bankCheckHandlers);
    case "dead-letters":
      return consumeDeadLetters(batch, services);
    default:
      services.log.error("queue.unknown", { queue: batch.queue });
  }
}
