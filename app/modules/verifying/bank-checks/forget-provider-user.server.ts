import { outbox } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import { DAY_MS } from "~/kernel/dates";
import { type Job, nextAttemptAt } from "~/modules/core/commands/job";
import { moveJob } from "~/modules/core/commands/outbox.server";
import { runStep } from "~/modules/core/commands/run-command.server";
import type { Services, WriteServices } from "~/services";
import { nextDeletionAt } from "./bank-check";

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
export async function requestDeletion(services: WriteServices, providerUserId: string): Promise<void> {
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
