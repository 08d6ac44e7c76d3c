import { bankChecks, verifications } from "@db/schema";
import { and, eq } from "drizzle-orm";
import type { Origin } from "~/kernel/actor";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { getPayee } from "~/modules/payees/payee.server";
import {
  findPayeeContact,
  getPayeeLink,
  type LinkInput,
  toBankDataContact,
} from "~/modules/payees/payee-links/payee-link.server";
import { findRunningCheck } from "~/modules/payees/verifications/running-check.server";
import { verificationIsPending } from "~/modules/payees/verifications/verification.server";
import type { NotifyServices, Services } from "~/services";
import { nextStep } from "./bank-check";
import { findBankCheck } from "./bank-check.server";
import { forgetProviderUser } from "./forget-provider-user.server";

type Starting = NotifyServices & Pick<Services, "bankData" | "log">;

/**
 * Starts the bank check of a payee who is on our page right now, so no link is sent: the provider's user is made at once,
 * and `startBankConsent` leads on. Does nothing while a check runs, or when nobody is to be asked.
 *
 * @throws AppError 404; 402 SUBSCRIPTION_REQUIRED; UpstreamError when the provider cannot be reached (nothing is changed then)
 */
export async function startCheckWithPayee(services: Starting, origin: Origin, input: LinkInput): Promise<void> {
  const { organizationId, verificationId, payee: linked, status } = await getPayeeLink(services, input);
  if (status !== "pending" || (await findRunningCheck(services, organizationId, verificationId))) return;
  const payee = await getPayee(services, { organizationId }, linked.id);
  if (!findPayeeContact(payee)) return;
  await requireLiveSubscription(services, organizationId);
  const checkId = services.ids.next();
  const business = payee.abn === null ? {} : { businessName: payee.name, abn: payee.abn };
  const { providerUserId } = await services.bankData.createUser({ ...toBankDataContact(payee), ...business }, checkId);
  const check = { id: checkId, organizationId, verificationId, providerUserId };
  const isWritten = await writeCheck(services, origin, check).catch(async (error) => {
    const written = await findBankCheck(services, { organizationId, subjectId: checkId }).catch(() => "unknown");
    if (written === undefined) await forgetProviderUser(services, providerUserId);
    throw error;
  });
  // Pressed twice: the other press has a check and a user of its own.
  if (!isWritten) await forgetProviderUser(services, providerUserId);
}

type Check = { id: string; organizationId: string; verificationId: string; providerUserId: string };

async function writeCheck(services: Starting, origin: Origin, check: Check): Promise<boolean> {
  const { db, clock, ids } = services;
  const { organizationId, verificationId } = check;
  const now = clock.now();
  const times = { lastActivityAt: now, linkExpiresAt: null, returnedAt: null };
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
      audit: [{ action: "verification.bank_check_started", entityType: "verification", entityId: verificationId }],
      jobs: [{ id: ids.next(), kind: "bank_check", organizationId, subjectId: check.id, dueAt }],
      answer: undefined,
    },
  );
  return ok;
}
