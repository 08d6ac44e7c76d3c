import { systemActor } from "~/kernel/actor";
import { HOUR_MS } from "~/kernel/dates";
import { UpstreamError } from "~/kernel/upstream-error";
import { type Job, nextAttemptAt } from "~/modules/commands/job";
import { finishJob, moveJob } from "~/modules/commands/outbox.commands.server";
import { endJob, jobIsLeased } from "~/modules/commands/outbox.statements.server";
import { runCommand, runStep } from "~/modules/commands/run-command.server";
import { endBankCheck } from "~/modules/verifications/running-check.statements.server";
import type { Services } from "~/services";
import { ORPHAN_AFTER_MS } from "./bank-check";
import { type Advancing, type BankCheck, findBankCheck, findCheckOfProviderUser } from "./bank-check.queries.server";

/** With this many failures behind it, about a day has been spent on deleting. */
const MAX_DELETION_ATTEMPTS = 30;

/** Longer than a day, so that an outage of some runs loses nobody. */
const LOOK_BACK_MS = 26 * HOUR_MS;
/** A run of a schedule may make about a thousand calls; the next run goes on. */
const MAX_LOOKED_AT = 300;

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

/**
 * Deletes users at the provider that no check of ours names: the answer to their making was lost, or a crash came before
 * our commit. A younger one may be ours before our commit is. Trouble with one stops no other.
 *
 * @returns how many were deleted
 */
export async function deleteOrphans(services: Pick<Services, "db" | "clock" | "log" | "bankData">): Promise<number> {
  const { clock, log, bankData } = services;
  const now = clock.now();
  const created = await bankData.listCreatedUsers(now - LOOK_BACK_MS);
  const old = created.filter(({ createdAt }) => now - createdAt >= ORPHAN_AFTER_MS).slice(0, MAX_LOOKED_AT);
  let deleted = 0;
  for (const { providerUserId } of old) {
    if (await findCheckOfProviderUser(services, providerUserId)) continue;
    try {
      await bankData.deleteUser(providerUserId);
      deleted++;
    } catch (error) {
      log.warn("bank_check.orphan_kept", { providerUserId, error: String(error) });
    }
  }
  return deleted;
}
