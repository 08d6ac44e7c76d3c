import { systemActor } from "~/kernel/actor";
import { UpstreamError } from "~/kernel/upstream-error";
import { type Job, nextAttemptAt } from "~/modules/commands/job";
import { finishJob, moveJob } from "~/modules/commands/outbox.commands.server";
import { endJob, jobIsLeased } from "~/modules/commands/outbox.statements.server";
import { runCommand, runStep } from "~/modules/commands/run-command.server";
import { endBankCheck } from "~/modules/verifications/running-check.statements.server";
import { type Advancing, type BankCheck, findBankCheck } from "./bank-check.queries.server";

/** With this many failures behind it, about a day has been spent on deleting. */
const MAX_DELETION_ATTEMPTS = 30;

/**
 * Last step: the provider keeps nothing of a payee whose check is over. Patient, because the result is safe already
 * and the data must go.
 */
export async function deleteProviderData(services: Advancing, job: Job): Promise<void> {
  const check = await findBankCheck(services, job);
  if (!check) return finishJob(services, job);
  const { providerUserId } = check;
  try {
    if (providerUserId !== null) await services.bankData.deleteUser(providerUserId);
  } catch (error) {
    const attempts = job.attempts + 1;
    const isLasting = error instanceof UpstreamError && error.retryable && attempts < MAX_DELETION_ATTEMPTS;
    if (!isLasting) throw error;
    const now = services.clock.now();
    const dueAt = nextAttemptAt(now, attempts, error.options.retryAfterMs);
    await moveJob(services, job, { dueAt, attempts, error: error.message });
    return;
  }
  await recordDeletion(services, job, check);
}

async function recordDeletion(services: Advancing, job: Job, check: BankCheck): Promise<void> {
  const conditions = [jobIsLeased(services, job)] as const;
  const statements = [endBankCheck(services, check), endJob(services, job, "done")];
  if (check.providerUserId === null) {
    await runStep(services, { conditions, statements });
    return;
  }
  const entry = { entityType: "verification", entityId: check.verificationId } as const;
  await runCommand(services, systemActor(check.organizationId, job.id), {
    conditions,
    statements,
    audit: [{ ...entry, action: "verification.provider_data_deleted" }],
    answer: undefined,
  });
}
