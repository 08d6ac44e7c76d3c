import type { ConsentProgress } from "~/ports/bank-data";
import type { BasiqJob } from "./basiq-schema";

/** Steps that collect what we never ask for: their fate says nothing about the check. */
const UNUSED_STEPS = new Set(["retrieve-transactions", "retrieve-statements"]);

/** Codes that mean the payee (or the bank on the payee's behalf) said no. Everything else may work on another try. */
const REFUSALS = new Set(["authorization-failed", "access-denied", "access_denied", "forbidden-access"]);

const CONNECTION_IN_LINK = /\/connections\/([^/?#]+)/;

/** The job that was created last, by the provider's clock; a payee who tries again gets a new one. */
export function newestJob(jobs: readonly BasiqJob[]): BasiqJob | undefined {
  const age = (job: BasiqJob) =>
    Date.parse(job.created ?? job.createdDate ?? job.updated ?? job.updatedDate ?? "") || 0;
  return jobs.reduce<BasiqJob | undefined>(
    (newest, job) => (newest && age(newest) >= age(job) ? newest : job),
    undefined,
  );
}

/** What a job's steps say together: one failed step fails it, and it succeeds when all have. */
export function toProgress(job: BasiqJob): ConsentProgress {
  const steps = (job.steps ?? []).filter((step) => !UNUSED_STEPS.has(step.title ?? ""));
  const failed = steps.find((step) => step.status === "failed");
  if (failed) {
    const code = failed.result?.code ?? "unknown-error";
    return { state: "failed", jobId: job.id, code, retryable: !REFUSALS.has(code) };
  }
  if (steps.length === 0 || steps.some((step) => step.status !== "success")) return { state: "running", jobId: job.id };
  const connectionId = CONNECTION_IN_LINK.exec(job.links?.source ?? "")?.[1];
  return { state: "succeeded", jobId: job.id, ...(connectionId && { connectionId }) };
}
