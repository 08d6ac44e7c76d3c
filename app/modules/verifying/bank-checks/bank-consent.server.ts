import { bankChecks, rowIn, verifications } from "@db/database";
import { and, eq, isNull } from "drizzle-orm";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import { runCommand, runStep, wakeJob } from "~/modules/core/commands/run-command.server";
import { getPayee } from "~/modules/payees/payee.server";
import { payeeLinkState } from "~/modules/payees/payee-links/payee-link";
import { findPayeeContact, getPayeeLink, type LinkInput } from "~/modules/payees/payee-links/payee-link.server";
import { checkIsRunning, findRunningCheck, listCheckJobs } from "~/modules/payees/verifications/running-check.server";
import { verificationIsPending } from "~/modules/payees/verifications/verification.server";
import type { Origin, Services, WriteServices } from "~/services-and-actor";
import { nextStep, stateOf } from "./bank-check";
import { findBankCheck, findCheckByState, timesOf } from "./bank-check.server";
import { createProviderUser, forgetProviderUser } from "./provider-data.server";

type Starting = WriteServices & Pick<Services, "bankData">;

/**
 * Starts the bank check of a payee who is on our page at this moment, so no link is sent: creates the provider's user
 * at once, and `startBankConsent` leads the payee on. Does nothing while a check is running, or when no check is
 * wanted.
 *
 * @throws AppError 404; 402 SUBSCRIPTION_REQUIRED; UpstreamError when the provider cannot be reached (then nothing
 * changes)
 */
export async function startCheckWithPayee(services: Starting, origin: Origin, input: LinkInput): Promise<void> {
  const { organizationId, verificationId, payee: linked, status } = await getPayeeLink(services, input);
  if (status !== "pending" || (await findRunningCheck(services, organizationId, verificationId))) return;
  const payee = await getPayee(services, { organizationId }, linked.id);
  if (!findPayeeContact(payee)) return;
  await requireLiveSubscription(services, organizationId);
  const checkId = services.ids.next();
  const providerUserId = await createProviderUser(services, payee, checkId);
  const check = { id: checkId, organizationId, verificationId, providerUserId };
  const isWritten = await writeCheck(services, origin, check).catch(async (error) => {
    const written = await findBankCheck(services, { organizationId, subjectId: checkId }).catch(() => "unknown");
    if (written === undefined) await forgetProviderUser(services, providerUserId);
    throw error;
  });
  // The button was pressed twice: the other request has its own check and user.
  if (!isWritten) await forgetProviderUser(services, providerUserId);
}

type Check = { id: string; organizationId: string; verificationId: string; providerUserId: string };

async function writeCheck(services: Starting, origin: Origin, check: Check): Promise<boolean> {
  const { db, clock, ids } = services;
  const { organizationId, verificationId } = check;
  const now = clock.now();
  const times = { lastActivityAt: now, linkExpiresAt: null, returnedAt: null, silentSince: null, silentMs: 0 };
  const step = nextStep("starting", { type: "payee_asked" }, times, now);
  const dueAt = step.do === "wait" ? step.until : now;
  const { ok } = await runCommand(
    services,
    { userId: null, organizationId, origin },
    {
      conditions: [verificationIsPending(services, organizationId, verificationId)],
      uniques: { started_already: "bank_checks" },
      statements: [
        db.insert(bankChecks).values({ ...check, step: "awaiting_payee", startedAt: now }),
        db
          .update(verifications)
          .set({ method: "basiq" })
          .where(and(eq(verifications.organizationId, organizationId), eq(verifications.id, verificationId))),
      ],
      audit: [{ action: "verification.bank_check_started", entityId: verificationId }],
      jobs: [{ id: ids.next(), kind: "bank_check", organizationId, subjectId: check.id, dueAt }],
    },
  );
  return ok;
}

/**
 * The address of the provider's consent pages for a payee who has confirmed. Each address has a new `state`, and only
 * the newest is recognised when the payee returns.
 *
 * @returns null when no bank check waits for this payee
 * @throws AppError 404; UpstreamError when the provider cannot be reached (then nothing changes)
 */
export async function startBankConsent(
  services: WriteServices & Pick<Services, "bankData">,
  origin: Origin,
  input: LinkInput,
): Promise<{ consentUrl: string; organizationName: string } | null> {
  const { db, clock, ids, secrets, bankData } = services;
  const link = await getPayeeLink(services, input);
  if (payeeLinkState(link, clock.now()) !== "confirmed" || link.status !== "pending") return null;
  const { organizationId, organizationName, verificationId } = link;
  const check = await findRunningCheck(services, organizationId, verificationId);
  if (!check?.providerUserId) return null;
  const state = ids.secret();
  const consentUrl = await bankData.createConsentUrl({ providerUserId: check.providerUserId, state });
  const { ok } = await runCommand(
    services,
    { userId: null, organizationId, origin },
    {
      conditions: [checkIsRunning(services, check)],
      statements: [
        db
          .update(bankChecks)
          .set({
            step: "at_bank",
            stateHash: await secrets.hashToken(state),
            returnedAt: null,
            silentSince: null,
            silentMs: 0,
          })
          .where(and(eq(bankChecks.organizationId, organizationId), eq(bankChecks.id, check.id))),
        wakeJob(services, "bank_check", check.id),
      ],
      audit: [{ action: "verification.payee_sent_to_bank", entityId: verificationId }],
      woken: await listCheckJobs(services, check.id),
    },
  );
  return ok ? { consentUrl, organizationName } : null;
}

/**
 * Records that the payee is back from the bank: the check polls at once instead of at its next turn. Returning a second
 * time changes nothing.
 *
 * @returns the organisation that asked; null for a `state` that no running check waits for
 */
export async function recordBankReturn(services: WriteServices, input: { state: string }) {
  const { db, clock, secrets } = services;
  const check = await findCheckByState(services, await secrets.hashToken(input.state));
  if (!check) return null;
  const effect = nextStep(stateOf(check), { type: "payee_returned" }, timesOf(check), clock.now());
  if (effect.do !== "wake") return { organizationName: check.organizationName };
  const isAwaited = and(
    eq(bankChecks.organizationId, check.organizationId),
    eq(bankChecks.id, check.id),
    isNull(bankChecks.finishedAt),
    isNull(bankChecks.returnedAt),
  );
  await runStep(services, {
    conditions: [{ name: "returned_already", found: rowIn(db, bankChecks).where(isAwaited) }],
    statements: [
      db.update(bankChecks).set({ returnedAt: clock.now() }).where(isAwaited),
      wakeJob(services, "bank_check", check.id),
    ],
    woken: await listCheckJobs(services, check.id),
  });
  return { organizationName: check.organizationName };
}
