import { commit } from "@db/commit";
import { isPreconditionError } from "@db/errors";
import { systemActor } from "~/kernel/actor";
import { UpstreamError } from "~/kernel/upstream-error";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import { type Job, nextAttemptAt } from "~/modules/commands/job";
import { finishJob } from "~/modules/commands/outbox.commands.server";
import { endJob, postponeJob, whileLeased } from "~/modules/commands/outbox.statements.server";
import { isOpen } from "~/modules/verifications/verification";
import { whilePending } from "~/modules/verifications/verification.statements.server";
import type { Services } from "~/services";
import { type BankCheck, findBankCheck } from "./bank-check.queries.server";
import { endBankCheck, finishBankCheck, whileRunning } from "./bank-check.statements.server";
import type { CheckResult } from "./compare";

export type Advancing = Pick<Services, "db" | "clock" | "ids" | "log" | "queues" | "secrets" | "config" | "bankData">;

/** Ends the check in one write, and leaves its job to delete what the provider still holds. */
export async function settle(
  services: Advancing,
  job: Job,
  check: BankCheck,
  result: CheckResult,
  charged: boolean,
): Promise<void> {
  const { db, clock, queues } = services;
  const acting = systemActor(check.organizationId, job.id);
  const finished = await finishBankCheck(services, acting, check, result, charged);
  try {
    await commit(
      db,
      [
        whileLeased(services, job),
        whilePending(services, check.organizationId, check.verificationId),
        whileRunning(services, check),
        ...finished.statements,
        postponeJob(services, job, { dueAt: clock.now(), attempts: 0 }),
      ],
      async () => (await findBankCheck(services, job))?.outcome === result.outcome,
    );
  } catch (error) {
    return yieldTo(services, job, error);
  }
  await queues.send("jobs", finished.jobIds);
  await queues.send("bank-checks", [job.id]);
}

/** A batch refused because somebody else was first: the check was decided meanwhile, or another consumer holds the job. */
export async function yieldTo(services: Advancing, job: Job, error: unknown): Promise<void> {
  if (!isPreconditionError(error)) throw error;
  const check = await findBankCheck(services, job);
  const isOver = !check || check.finishedAt !== null || !isOpen(check.verification.status);
  if (isOver) await deleteProviderData(services, job, check);
}

/** With this many failures behind it, about a day has been spent on deleting. */
const MAX_DELETION_ATTEMPTS = 30;

/**
 * Last step: the provider keeps nothing of a payee whose check is over. Patient, because the result is safe already
 * and the data must go.
 */
export async function deleteProviderData(services: Advancing, job: Job, check: BankCheck | undefined): Promise<void> {
  const { db, clock, bankData, queues } = services;
  if (!check) return finishJob(services, job);
  const { providerUserId, organizationId } = check;
  try {
    if (providerUserId !== null) await bankData.deleteUser(providerUserId);
    await db.batch([
      whileLeased(services, job),
      endBankCheck(services, check),
      ...(providerUserId === null
        ? []
        : [
            recordAudit(services, systemActor(organizationId, job.id), {
              action: "verification.provider_data_deleted",
              entityType: "verification",
              entityId: check.verificationId,
            }),
          ]),
      endJob(services, job, "done"),
    ]);
  } catch (error) {
    if (isPreconditionError(error)) return;
    const attempts = job.attempts + 1;
    const isLasting = error instanceof UpstreamError && error.retryable && attempts < MAX_DELETION_ATTEMPTS;
    if (!isLasting) throw error;
    const dueAt = Math.max(nextAttemptAt(clock.now(), attempts), clock.now() + (error.options.retryAfterMs ?? 0));
    await db.batch([postponeJob(services, job, { dueAt, attempts, error: error.message })]);
    await queues.send("bank-checks", [job.id], Math.ceil((dueAt - clock.now()) / 1000));
  }
}
