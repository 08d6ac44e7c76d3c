import type { Actor } from "~/kernel/actor";
import { UpstreamError } from "~/kernel/upstream-error";
import type { PaymentOutcome } from "./payment-outcome";
import { findOutcome } from "./subscription-page.server";
import { isLiveStatus } from "./subscription-status";
import { type Syncing, syncBilling } from "./sync-billing.server";

/** From where at the provider a person came back. */
export type ReturnFrom = { from: "payment"; clientSecret: string } | { from: "checkout" } | { from: "portal" };

/**
 * Looks at once at what a person did at the provider, so that the page is right before any event has come.
 * @returns how the payment ended; null after the portal
 */
export async function syncAfterReturn(
  services: Syncing,
  actor: Actor,
  back: ReturnFrom,
): Promise<PaymentOutcome | null> {
  try {
    const outcome = back.from === "payment" ? await findOutcome(services, actor, back.clientSecret) : null;
    const state = await syncBilling(services, actor);
    if (back.from === "checkout") return isLiveStatus(state?.status ?? null) ? "succeeded" : "processing";
    return outcome;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    // The events will tell.
    services.log.warn("billing.return_unread", { error: error.message });
    return back.from === "portal" ? null : "processing";
  }
}
