import { systemActor } from "~/kernel/actor";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";
import type { Services, WriteServices } from "~/services";
import type { Job, JobKind } from "./job";
import { claimJob } from "./outbox.server";
import { endJob, jobIsLeased } from "./outbox.statements.server";
import { type Decided, runCommand } from "./run-command.server";

/** What else is written when a job of a kind ends undelivered. */
export type DeadLetterEnding = Pick<
  Decided<string, never, undefined>,
  "conditions" | "statements" | "parts" | "jobs" | "woken"
>;

/** By kind of job: how it ends; undefined where there is nothing but the job itself to end. */
export type DeadLetterEndings<Needed> = Partial<
  Record<JobKind, (services: Needed, job: Job) => Promise<DeadLetterEnding | undefined>>
>;

const DEAD = "the queue could not deliver it";

/**
 * A job whose messages the queue gave up on: it ends here, in a state that a person sees. One that another consumer
 * holds, or that has moved on and is not due, is alive, and the sweep looks after it.
 *
 * No email is sent about an email that could not be delivered: it would fail in the same way. The trail and the log have it.
 *
 * @throws Error when the job's subject changed at this moment: the queue delivers the message again
 */
export async function recordDeadLetter<Needed extends WriteServices & Pick<Services, "log">>(
  services: Needed,
  jobId: string,
  endings: DeadLetterEndings<Needed>,
): Promise<void> {
  const job = await claimJob(services, jobId);
  if (!job) return services.log.info("dead_letter.moved_on", { jobId });
  services.log.error("dead_letter", { jobId, kind: job.kind });
  const ending = (await endings[job.kind]?.(services, job)) ?? { statements: [endJob(services, job, "failed", DEAD)] };
  const details = { kind: job.kind };
  const entry = { action: "job.dead_lettered", entityType: "job", entityId: job.id, details } as const;
  const result = await runCommand(services, systemActor(job.organizationId ?? PLATFORM_ORGANIZATION_ID, job.id), {
    ...ending,
    conditions: [jobIsLeased(services, job), ...(ending.conditions ?? [])],
    audit: [entry],
    answer: undefined,
  });
  if (!result.ok) throw new Error(`dead letter ${jobId}: ${result.refused}`);
}
