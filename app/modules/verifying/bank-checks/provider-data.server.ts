import { bankChecks, outbox, providerUsers, rowIn } from "@db/database";
import { and, asc, eq, gte, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { UpstreamError } from "~/kernel/app-error";
import { DAY_MS } from "~/kernel/dates";
import { type Job, nextAttemptAt } from "~/modules/core/commands/job";
import { finishJob, moveJob } from "~/modules/core/commands/outbox.server";
import { endJob, jobIsLeased, runCommand, runStatement, runStep } from "~/modules/core/commands/run-command.server";
import { toBankDataContact } from "~/modules/payees/payee-links/payee-link.server";
import { endBankCheck } from "~/modules/payees/verifications/running-check.server";
import { type Services, systemActor, type WriteServices } from "~/services-and-actor";
import { LOOK_BACK_MS, nextDeletionAt, ORPHAN_AFTER_MS } from "./bank-check";
import {
  type Advancing,
  type BankCheck,
  findBankCheck,
  findCheckOfProviderUser,
  listProviderUsersOfChecks,
} from "./bank-check.server";

/** How far back the provider keeps events. */
export const LONGEST_LOOK_BACK_MS = 7 * DAY_MS;
/** One cron run may make about a thousand calls; the next run continues. */
const MAX_DELETED = 300;

/**
 * The last step: deletes everything that the provider holds about a payee whose check has ended. It never gives up,
 * because the result is stored and the data must go.
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
  await runCommand(services, systemActor(check.organizationId, job.id), {
    conditions,
    statements,
    audit: [{ action: "verification.provider_data_deleted", entityId: check.verificationId }],
  });
}

/** Deletes a provider's user that no check has claimed, unless a check has claimed it by now. */
export async function deleteUnclaimedUser(services: Deleting, job: Job): Promise<void> {
  const providerUserId = job.subjectId;
  if (providerUserId === null || (await findCheckOfProviderUser(services, providerUserId))) {
    return finishJob(services, job);
  }
  if (!(await deletePatiently(services, job, providerUserId))) return;
  services.log.warn("bank_user.deleted", { providerUserId });
  await finishJob(services, job);
}

/** @returns false if the deletion failed and the job was put back for later */
async function deletePatiently(services: Deleting, job: Job, providerUserId: string): Promise<boolean> {
  try {
    await deleteProviderUser(services, providerUserId);
    return true;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    await deleteLater(services, job, { error: error.message, retryAfterMs: error.options.retryAfterMs });
    return false;
  }
}

/** Deletes the provider's user with all its data, and records that it is gone. */
export async function deleteProviderUser(services: Deleting, providerUserId: string): Promise<void> {
  await services.bankData.deleteUser(providerUserId);
  await settle(services, eq(providerUsers.providerUserId, providerUserId));
}

/** Marks these requests as settled: the users they created are gone. */
function settle(services: Deleting, which: SQL): Promise<void> {
  const { db, clock } = services;
  const left = and(which, isNull(providerUsers.goneAt));
  return runStatement(services, db.update(providerUsers).set({ goneAt: clock.now() }).where(left));
}

/**
 * Deletes users at the provider that no check has claimed, or whose check ended more than a day ago: either the
 * provider's response was lost, or we crashed. A newer user may appear before our commit. An error with one user does
 * not stop the others; a job takes care of it.
 *
 * Our own rows name every user that the provider confirmed. A user whose creation was never confirmed is found through
 * the provider's events, which it keeps for seven days, because it has no call that lists its users. A request that no
 * run could settle in that time is logged as an error each night; only the provider's dashboard shows whether it
 * created a user.
 *
 * @param lookBackMs how far back to read events; `LONGEST_LOOK_BACK_MS` at most
 * @returns how many were deleted
 */
export async function deleteOrphans(services: Deleting, lookBackMs = LOOK_BACK_MS): Promise<number> {
  const recorded = await deleteAll(services, await listRecordedOrphans(services));
  return recorded.deleted + (await deleteUnrecorded(services, lookBackMs));
}

/** Users in our own rows that no check has claimed, or whose check ended long ago without a deletion job. */
async function listRecordedOrphans({ db, clock }: Deleting): Promise<string[]> {
  const now = clock.now();
  const waiting = rowIn(db, outbox).where(
    and(eq(outbox.subjectId, bankChecks.id), eq(outbox.kind, "bank_check"), eq(outbox.status, "pending")),
  );
  const rows = await db
    .select({ id: providerUsers.providerUserId })
    .from(providerUsers)
    .leftJoin(bankChecks, eq(bankChecks.providerUserId, providerUsers.providerUserId))
    .where(
      and(
        isNull(providerUsers.goneAt),
        lte(providerUsers.requestedAt, now - ORPHAN_AFTER_MS),
        isNotNull(providerUsers.providerUserId),
        or(isNull(bankChecks.id), and(lte(bankChecks.finishedAt, now - DAY_MS), sql`NOT EXISTS ${waiting}`)),
      ),
    )
    .orderBy(asc(providerUsers.requestedAt))
    .limit(MAX_DELETED + 1);
  return rows.flatMap(({ id }) => id ?? []);
}

/** Deletes users that appear only in the provider's events, because the response to their creation was lost. */
async function deleteUnrecorded(services: Deleting, lookBackMs: number): Promise<number> {
  const { db, clock, log, bankData } = services;
  const now = clock.now();
  const from = now - lookBackMs;
  const created = await bankData.listCreatedUsers(from);
  const old = created.filter(({ createdAt }) => now - createdAt >= ORPHAN_AFTER_MS).map((user) => user.providerUserId);
  const claimed = await listProviderUsersOfChecks(services, old);
  const { deleted, isWhole } = await deleteAll(
    services,
    [...new Set(old)].filter((id) => !claimed.has(id)),
  );
  const unanswered = and(isNull(providerUsers.goneAt), isNull(providerUsers.providerUserId));
  // Every user that these requests created was among the events, and is deleted or about to be.
  const seen = and(gte(providerUsers.requestedAt, from), lte(providerUsers.requestedAt, now - ORPHAN_AFTER_MS));
  if (isWhole) await settle(services, sql`${unanswered} AND ${seen}`);
  const [lost] = await db
    .select({ checkId: providerUsers.checkId, requestedAt: providerUsers.requestedAt })
    .from(providerUsers)
    .where(and(unanswered, lte(providerUsers.requestedAt, now - LONGEST_LOOK_BACK_MS)))
    .orderBy(asc(providerUsers.requestedAt))
    .limit(1);
  if (lost) log.error("bank_check.user_unknown", lost);
  return deleted;
}

/** @returns how many were deleted; `isWhole`: none was left for the next run; failed ones have a job each */
async function deleteAll(services: Deleting, orphans: readonly string[]) {
  const { log } = services;
  if (orphans.length > MAX_DELETED) log.warn("bank_check.orphans_left", { left: orphans.length - MAX_DELETED });
  let deleted = 0;
  for (const providerUserId of orphans.slice(0, MAX_DELETED)) {
    try {
      await deleteProviderUser(services, providerUserId);
      deleted++;
    } catch (error) {
      log.warn("bank_check.orphan_kept", { providerUserId, error: String(error) });
      await requestDeletion(services, providerUserId);
    }
  }
  return { deleted, isWhole: orphans.length <= MAX_DELETED };
}

/** The services needed to delete data at the provider. */
export type Deleting = WriteServices & Pick<Services, "bankData">;

/** Puts a deletion job back for later: it never gives up, and logs once a day that it has not succeeded. */
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
 * Creates the provider's user for a check. The request is stored before the provider is called, and the response before
 * anything else happens, so that every user is accounted for by a row of ours.
 *
 * The provider receives our check id as an idempotency key, but does not promise to honour it, so a crash between its
 * response and our commit may leave a second user there. That user never gets a consent link, so it never holds bank
 * data; it is deleted by a cron run (`deleteOrphans`) or by the job of its `user.created` event.
 */
export async function createProviderUser(
  services: Deleting,
  payee: Parameters<typeof toBankDataContact>[0] & { name: string; abn: string | null },
  checkId: string,
): Promise<string> {
  const { db, clock, ids, bankData } = services;
  const id = ids.next();
  await runStatement(services, db.insert(providerUsers).values({ id, checkId, requestedAt: clock.now() }));
  const business = payee.abn === null ? {} : { businessName: payee.name, abn: payee.abn };
  const { providerUserId } = await bankData.createUser({ ...toBankDataContact(payee), ...business }, checkId);
  try {
    await runStatement(services, db.update(providerUsers).set({ providerUserId }).where(eq(providerUsers.id, id)));
  } catch (error) {
    await forgetProviderUser(services, providerUserId);
    throw error;
  }
  return providerUserId;
}

/**
 * Deletes a user that we cannot use: nobody can consent for it, but the provider has the payee's contact. Deletes it
 * now, or through a job if the provider does not respond.
 */
export async function forgetProviderUser(services: Deleting, providerUserId: string): Promise<void> {
  try {
    await deleteProviderUser(services, providerUserId);
  } catch (error) {
    services.log.warn("bank_check.orphan_kept", { providerUserId, error: String(error) });
    await requestDeletion(services, providerUserId).catch((failure) =>
      services.log.error("bank_check.orphan_unknown", { providerUserId, error: String(failure) }),
    );
  }
}

/** Queues the deletion of a user that no check has claimed, unless that is already queued. */
async function requestDeletion(services: WriteServices, providerUserId: string): Promise<void> {
  const { db, clock, ids } = services;
  const now = clock.now();
  const waiting = rowIn(db, outbox).where(
    and(eq(outbox.subjectId, providerUserId), eq(outbox.kind, "bank_user"), eq(outbox.status, "pending")),
  );
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
