import type { Actor } from "~/kernel/actor";
import { AppError, UpstreamError } from "~/kernel/app-error";
import type { ErrorCode } from "~/kernel/error-code";
import { appPaths } from "~/kernel/paths/app";
import { type Acting, runCommand } from "~/modules/core/commands/run-command.server";
import type { Services } from "~/services";
import { findAccount } from "./account.server";
import type { BillingState } from "./ledger";
import { cancellationOf } from "./subscription";
import { syncBilling } from "./sync-billing.server";

export const CANCEL_ERROR = "Failed to cancel subscription. Please try again.";

/**
 * Cancels the subscription: a paid one runs to the end of its period, any other ends at once. Cancelling again changes
 * nothing.
 *
 * @throws AppError 409 NOTHING_TO_CANCEL; 503 CANCEL_FAILED with the specification's sentence
 */
export async function cancelSubscription(services: Services, actor: Actor): Promise<BillingState> {
  const { subscriptionId, status } = await requireAccount(services, actor);
  const how = cancellationOf(status);
  if (!subscriptionId || !how) throw nothingThere("NOTHING_TO_CANCEL", "There is no subscription to cancel.");
  return guarded("CANCEL_FAILED", CANCEL_ERROR, async () => {
    if (how === "now") await services.cards.cancelNow(subscriptionId);
    else await services.cards.setCancelAtPeriodEnd(subscriptionId, true);
    return syncBilling(services, actor, { action: "subscription.cancelled", details: { subscriptionId, how } });
  });
}

/** Ends a closing organisation's subscription at once, if it has one. @throws UpstreamError */
export async function endSubscription(services: Services, acting: Acting): Promise<void> {
  const account = await findAccount(services, acting.organizationId);
  const subscriptionId = account?.subscriptionId;
  if (!subscriptionId || !cancellationOf(account.status)) return;
  await services.cards.cancelNow(subscriptionId);
  await syncBilling(services, acting, { action: "subscription.cancelled", details: { subscriptionId, how: "now" } });
}

/** Reverses a cancellation before the period ends. @throws AppError 409 NOTHING_TO_RESUME; 503 RESUME_FAILED */
export async function resumeSubscription(services: Services, actor: Actor): Promise<BillingState> {
  const { subscriptionId, status, cancelAtPeriodEnd } = await requireAccount(services, actor);
  if (!subscriptionId || !cancelAtPeriodEnd || cancellationOf(status) !== "at_period_end") {
    throw nothingThere("NOTHING_TO_RESUME", "There is no cancelled subscription to resume.");
  }
  return guarded("RESUME_FAILED", "Failed to resume subscription. Please try again.", async () => {
    await services.cards.setCancelAtPeriodEnd(subscriptionId, false);
    return syncBilling(services, actor, { action: "subscription.resumed", details: { subscriptionId } });
  });
}

/** A link to the provider's portal, for this person and a few minutes. @throws AppError 409 NO_BILLING */
export async function openPortal(services: Services, actor: Actor, goTo: "home" | "card"): Promise<string> {
  const { customerId } = await requireAccount(services, actor);
  if (!customerId) throw nothingThere("NO_BILLING", "There is nothing to manage before you subscribe.");
  const returnUrl = `${services.config.appOrigin}${appPaths.subscription}?portal=done`;
  const { url } = await services.cards.createPortal({ customerId, returnUrl, goTo });
  await runCommand(services, actor, {
    audit: [
      {
        action: "subscription.portal_opened",
        entityType: "organization",
        entityId: actor.organizationId,
        details: { goTo },
      },
    ],
    answer: undefined,
  });
  return url;
}

async function requireAccount(services: Services, actor: Actor) {
  const account = await findAccount(services, actor.organizationId);
  if (!account) throw nothingThere("NO_BILLING", "There is nothing to manage before you subscribe.");
  return account;
}

const nothingThere = (code: ErrorCode, message: string) => new AppError(code, 409, message);

/** Runs a step at the provider; a failure becomes the error with that step's sentence. */
async function guarded(
  code: ErrorCode,
  message: string,
  run: () => Promise<BillingState | undefined>,
): Promise<BillingState> {
  try {
    const state = await run();
    if (state) return state;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    throw new AppError(code, 503, message, { logText: error.message, cause: error });
  }
  throw new AppError(code, 503, message, { retryAfterSeconds: 5 });
}
