import { outbox } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import { systemActor } from "~/kernel/actor";
import { DAY_MS } from "~/kernel/dates";
import { UpstreamError } from "~/kernel/upstream-error";
import { type Job, nextAttemptAt } from "~/modules/core/commands/job";
import { finishJob, moveJob } from "~/modules/core/commands/outbox.server";
import { endJob, jobIsLeased } from "~/modules/core/commands/outbox.statements.server";
import { runCommand, runStep } from "~/modules/core/commands/run-command.server";
import { toBankDataContact } from "~/modules/payees/payee-links/payee-link.server";
import { endBankCheck } from "~/modules/payees/verifications/running-check.server";
import type { Services, WriteServices } from "~/services";
import { LOOK_BACK_MS, nextDeletionAt, ORPHAN_AFTER_MS } from "./bank-check";
import {
  type Advancing,
  type BankCheck,
  findBankCheck,
  findCheckOfProviderUser,
  listProviderUsersOfChecks,
} from "./bank-check.server";

/** As far back as the provider keeps events. */
export const LONGEST_LOOK_BACK_MS = 7 * DAY_MS;
/** A run of a schedule may make about a thousand calls; the next run goes on. */
const MAX_DELETED = 300;

/**
 * Last step: the provider keeps nothing of a payee whose check is over. Patient, because the result is safe already
 * and the data must go.
 */
export async function deleteProviderData(services: Advancing, job: Job): Promise<void> {
  const check = await findBankCheck(services, job);
  if (!check) return finishJob(services, job);
  const { providerUserId } = check;
  if (providerUserId !== null && !(await deletePatiently(services, job, providerUserId))) return;
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

/** Deletes a user at the provider whom no check names; one whose check has been written by now is left to that check. */
export async function deleteUnclaimedUser(services: Deleting, job: Job): Promise<void> {
  const providerUserId = job.subjectId;
  if (providerUserId === null || (await findCheckOfProviderUser(services, providerUserId))) {
    return finishJob(services, job);
  }
  if (!(await deletePatiently(services, job, providerUserId))) return;
  services.log.warn("bank_user.deleted", { providerUserId });
  await finishJob(services, job);
}

/** @returns false where it failed, and the job has been put back for another time */
async function deletePatiently(services: Deleting, job: Job, providerUserId: string): Promise<boolean> {
  try {
    await services.bankData.deleteUser(providerUserId);
    return true;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    await deleteLater(services, job, { error: error.message, retryAfterMs: error.options.retryAfterMs });
    return false;
  }
}

/**
 * Deletes users at the provider whom no check of ours names: the answer to their making was lost, or a crash came before
 * our commit. A younger one may be ours before our commit is. Trouble with one stops no other, and is left to a job.
 *
 * It sees whom the provider's events name: no call lists its users. One who was made more than seven days before any run
 * that could be carried out is found on the provider's own dashboard alone.
 *
 * @param lookBackMs how far back to read; `LONGEST_LOOK_BACK_MS` at most
 * @returns how many were deleted
 */
export async function deleteOrphans(services: Deleting, lookBackMs = LOOK_BACK_MS): Promise<number> {
  const { clock, log, bankData } = services;
  const now = clock.now();
  const created = await bankData.listCreatedUsers(now - lookBackMs);
  const old = created.filter(({ createdAt }) => now - createdAt >= ORPHAN_AFTER_MS).map((user) => user.providerUserId);
  const claimed = await listProviderUsersOfChecks(services, old);
  const orphans = [...new Set(old)].filter((id) => !claimed.has(id));
  if (orphans.length > MAX_DELETED) log.warn("bank_check.orphans_left", { left: orphans.length - MAX_DELETED });
  let deleted = 0;
  for (const providerUserId of orphans.slice(0, MAX_DELETED)) {
    try {
      await bankData.deleteUser(providerUserId);
      deleted++;
    } catch (error) {
      log.warn("bank_check.orphan_kept", { providerUserId, error: String(error) });
      await requestDeletion(services, providerUserId);
    }
  }
  return deleted;
}

/** What deleting at the provider needs. */
export type Deleting = WriteServices & Pick<Services, "log" | "bankData">;

/** Puts a job that deletes at the provider back for later: it never gives up, and the log says each day that it has not managed. */
export async function deleteLater(
  services: Omit<Deleting, "bankData">,
  job: Job,
  { error, retryAfterMs }: { error: string; retryAfterMs?: number },
): Promise<void> {
  const now = services.clock.now();
  const attempts = job.attempts + 1;
  const dueAt = Math.max(nextDeletionAt(now, attempts), nextAttemptAt(now, attempts, retryAfterMs));
  if (dueAt - now >= DAY_MS) services.log.error("bank_check.provider_data_kept", { subjectId: job.subjectId, error });
  await moveJob(services, job, { dueAt, attempts, error });
}

/**
 * Makes the provider's user for a check.
 *
 * The provider is sent our id of the check as idempotency key, but does not promise to honour it. A crash between its
 * answer and our commit may therefore leave a second user there. It never gets a consent link, so no bank data can
 * reach it; the schedule deletes it (`deleteOrphans`), or the job of its `user.created` event does.
 */
export async function createProviderUser(
  { bankData }: Pick<Services, "bankData">,
  payee: Parameters<typeof toBankDataContact>[0] & { name: string; abn: string | null },
  checkId: string,
): Promise<string> {
  const business = payee.abn === null ? {} : { businessName: payee.name, abn: payee.abn };
  return (await bankData.createUser({ ...toBankDataContact(payee), ...business }, checkId)).providerUserId;
}

/**
 * A user whom we cannot keep: nobody can consent for them, but the provider has the payee's contact. Deleted now, or by a
 * job where the provider does not answer.
 */
export async function forgetProviderUser(services: Deleting, providerUserId: string): Promise<void> {
  try {
    await services.bankData.deleteUser(providerUserId);
  } catch (error) {
    services.log.warn("bank_check.orphan_kept", { providerUserId, error: String(error) });
    await requestDeletion(services, providerUserId).catch((failure) =>
      services.log.error("bank_check.orphan_unknown", { providerUserId, error: String(failure) }),
    );
  }
}

/** Has a job delete a user whom no check names, unless one is about to. */
async function requestDeletion(services: WriteServices, providerUserId: string): Promise<void> {
  const { db, clock, ids } = services;
  const now = clock.now();
  const waiting = db
    .select({ one: sql`1` })
    .from(outbox)
    .where(and(eq(outbox.subjectId, providerUserId), eq(outbox.kind, "bank_user"), eq(outbox.status, "pending")));
  await runStep(services, {
    conditions: [{ name: "requested_already", found: sql`SELECT 1 WHERE NOT EXISTS ${waiting}` }],
    jobs: [
      {
        id: ids.next(),
        kind: "bank_user",
        organizationId: null,
        subjectId: providerUserId,
        dueAt: nextDeletionAt(now, 1),
      },
    ],
  });
}
