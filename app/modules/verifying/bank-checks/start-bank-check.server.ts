import type { Actor } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { requireSendingAllowed } from "~/modules/messages/notifications/outside-messages.server";
import { requirePayeeContact } from "~/modules/payees/payee-links/payee-link.server";
import { wouldRepeat } from "~/modules/payees/verifications/outcomes";
import { findRunningCheck } from "~/modules/payees/verifications/running-check.server";
import { requireUndecided, verificationChanged } from "~/modules/payees/verifications/undecided.server";
import { getVerification, verificationIsPending } from "~/modules/payees/verifications/verification.server";
import type { NotifyServices, WriteServices } from "~/services";
import { startCheck } from "./start-check.server";

/**
 * Asks the payee's own bank, in the background: writes down the check and the job that carries it out.
 * Starting again while a check runs is the same check.
 *
 * @throws AppError 404; 409 ALREADY_DECIDED, PAYEE_DISPUTED, PAYEE_CONTACT_REQUIRED, CHECK_WOULD_REPEAT when the bank
 * would say nothing new, VERIFICATION_CHANGED when it was
 * decided or changed at this very moment; 402 SUBSCRIPTION_REQUIRED
 */
export async function startBankDataCheck(
  services: NotifyServices,
  actor: Actor,
  input: { verificationId: string },
): Promise<{ checkId: string }> {
  const { organizationId } = actor;
  const verification = await getVerification(services, actor, input.verificationId);
  if (verification.runningCheck) return { checkId: verification.runningCheck.id };
  await requireUndecided(services, actor, verification);
  if (wouldRepeat(verification)) throw checkWouldRepeat();
  const contact = requirePayeeContact(verification.payee);
  await requireSendingAllowed(services, organizationId, contact.to);
  await requireLiveSubscription(services, organizationId);

  const checkId = services.ids.next();
  const jobId = services.ids.next();
  const result = await runCommand(services, actor, {
    conditions: [verificationIsPending(services, organizationId, verification.id)],
    uniques: { started_already: "bank_checks" },
    statements: startCheck(services, { ...actor, verification, checkId }),
    audit: [{ action: "verification.bank_check_started", entityType: "verification", entityId: verification.id }],
    jobs: [{ id: jobId, kind: "bank_check", organizationId, subjectId: checkId }],
    answer: { checkId },
  });
  return result.ok ? result.answer : resolveLostRace(services, actor, verification.id);
}

const checkWouldRepeat = () =>
  new AppError(
    "CHECK_WOULD_REPEAT",
    409,
    "Asking the bank again would say nothing new about this account. Confirm the details another way.",
  );

/** Another request was first: its check is this one too; a decision or a dispute refuses; a check just ended is said. */
async function resolveLostRace(services: WriteServices, actor: Actor, id: string): Promise<{ checkId: string }> {
  const running = await findRunningCheck(services, actor.organizationId, id);
  if (running) return { checkId: running.id };
  await requireUndecided(services, actor, await getVerification(services, actor, id));
  throw verificationChanged();
}
