import { commit } from "@db/commit";
import { isPreconditionError, isUniqueError } from "@db/errors";
import { bankChecks, verifications } from "@db/schema";
import { and, eq } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import { requireLiveSubscription } from "~/modules/billing/subscription.queries.server";
import type { Job } from "~/modules/commands/job";
import { finishJob } from "~/modules/commands/outbox.commands.server";
import { enqueueJob } from "~/modules/commands/outbox.statements.server";
import { requirePayeeContact } from "~/modules/payee-links/payee-link-contact.server";
import { isOpen } from "~/modules/verifications/verification";
import { getVerification } from "~/modules/verifications/verification.queries.server";
import { whilePending } from "~/modules/verifications/verification.statements.server";
import type { Services } from "~/services";
import { findBankCheck, findRunningCheck } from "./bank-check.queries.server";
import { requireUndecided } from "./bank-check-guards.server";
import { type Advancing, deleteProviderData, settle } from "./bank-check-settle.server";
import { askPayee, followPayee } from "./bank-check-steps.server";
import { withoutData } from "./compare";

type Starting = Pick<Services, "db" | "clock" | "ids" | "queues">;

/**
 * Asks the payee's own bank, in the background: writes down the check and the job that carries it out.
 * Starting again while a check runs is the same check.
 *
 * @throws AppError 404; 409 ALREADY_DECIDED, PAYEE_DISPUTED, PAYEE_CONTACT_REQUIRED; 402 SUBSCRIPTION_REQUIRED
 */
export async function startBankDataCheck(
  services: Starting,
  actor: Actor,
  input: { verificationId: string },
): Promise<{ checkId: string }> {
  const { db, clock, ids, queues } = services;
  const { organizationId } = actor;
  const verification = await getVerification(services, actor, input.verificationId);
  if (verification.runningCheck) return { checkId: verification.runningCheck.id };
  await requireUndecided(services, actor, verification);
  requirePayeeContact(verification.payee);
  await requireLiveSubscription(services, organizationId);

  const checkId = ids.next();
  const jobId = ids.next();
  const clearsUnable = verification.outcome === "unable";
  const statements = [
    whilePending(services, organizationId, verification.id),
    db.insert(bankChecks).values({
      id: checkId,
      organizationId,
      verificationId: verification.id,
      startedById: actor.userId,
      step: "starting",
      startedAt: clock.now(),
    }),
    db
      .update(verifications)
      .set({
        method: "basiq",
        ...(clearsUnable && { outcome: null, reasonCode: null, resultData: null, verifiedName: null }),
      })
      .where(and(eq(verifications.organizationId, organizationId), eq(verifications.id, verification.id))),
    recordAudit(services, actor, {
      action: "verification.bank_check_started",
      entityType: "verification",
      entityId: verification.id,
    }),
    enqueueJob(services, { id: jobId, kind: "bank_check", organizationId, subjectId: checkId }),
  ];
  try {
    await commit(
      db,
      statements,
      async () => (await findBankCheck(services, { organizationId, subjectId: checkId })) !== undefined,
    );
  } catch (error) {
    if (isUniqueError(error, "bank_checks")) {
      const running = await findRunningCheck(services, organizationId, verification.id);
      if (running) return { checkId: running.id };
    }
    if (isPreconditionError(error)) {
      await requireUndecided(services, actor, await getVerification(services, actor, verification.id));
    }
    throw error;
  }
  await queues.send("bank-checks", [jobId]);
  return { checkId };
}

/**
 * Moves a check on as far as it can go now. Runs at least once, maybe twice, maybe after a crash: every step asks the
 * provider first and then writes once, only while this consumer holds the job and the check is still wanted.
 */
export async function advanceBankCheck(services: Advancing, job: Job): Promise<void> {
  const check = await findBankCheck(services, job);
  if (!check || check.finishedAt !== null || !isOpen(check.verification.status)) {
    return deleteProviderData(services, job, check);
  }
  const { providerUserId } = check;
  if (providerUserId === null) return askPayee(services, job, check);
  return followPayee(services, job, { ...check, providerUserId });
}

/** The check cannot be carried out: it ends as `unable`, which is no word against the payee, and can be started again. */
export async function giveUpBankCheck(services: Advancing, job: Job, error: string): Promise<void> {
  const check = await findBankCheck(services, job);
  if (check && check.finishedAt === null && isOpen(check.verification.status)) {
    await settle(services, job, check, withoutData("unable", "provider_unavailable"), false);
    return;
  }
  services.log.error("bank_check.provider_data_kept", { checkId: job.subjectId, error });
  await finishJob(services, job, "failed", error);
}
