import { systemActor } from "~/kernel/actor";
import type { DeadLetterEnding } from "~/modules/commands/dead-letters.commands.server";
import type { Job } from "~/modules/commands/job";
import { postponeJob } from "~/modules/commands/outbox.statements.server";
import { checkIsRunning } from "~/modules/verifications/running-check.statements.server";
import { verificationIsPending } from "~/modules/verifications/verification.statements.server";
import type { NotifyServices } from "~/services";
import { nextStep, stateOf } from "./bank-check";
import { findBankCheck, timesOf } from "./bank-check.queries.server";
import { finishCheck } from "./bank-check.statements.server";

/**
 * How the job of a bank check ends that the queue could not deliver: the check ends as `unable`, and the
 * job comes back once more, to delete what the provider holds. Undefined when the check is over already.
 */
export async function endDeadBankCheck(services: NotifyServices, job: Job): Promise<DeadLetterEnding | undefined> {
  const check = await findBankCheck(services, job);
  if (!check) return undefined;
  const now = services.clock.now();
  const effect = nextStep(stateOf(check), { type: "dead_lettered" }, timesOf(check), now);
  if (effect.do !== "finish") return undefined;
  const { organizationId, verificationId } = check;
  return {
    conditions: [verificationIsPending(services, organizationId, verificationId), checkIsRunning(services, check)],
    statements: [postponeJob(services, job, { dueAt: now, attempts: 0 })],
    parts: [await finishCheck(services, systemActor(organizationId, job.id), check, effect)],
    woken: [{ id: job.id, kind: job.kind }],
  };
}
