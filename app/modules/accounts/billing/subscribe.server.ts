import type { Actor } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import type { BillingAttemptKind, SubscriptionStatus } from "~/kernel/enums";
import { UpstreamError } from "~/kernel/upstream-error";
import { runStep } from "~/modules/core/commands/run-command.server";
import type { OpenPayment } from "~/ports/cards";
import { findAccount, hasNoCustomer, openAccount, saveCustomer } from "./account.server";
import { openAttempt } from "./attempts.server";
import { isLiveStatus, isOverStatus, owesInvoice } from "./subscription-status";
import { type Syncing, syncBilling } from "./sync-billing.server";

/** What there is to pay, and where; no payment when the subscription is live or nothing can be paid. */
export type Subscribing = {
  status: SubscriptionStatus;
  payment: OpenPayment | null;
  /** The provider's own page to subscribe on. */
  checkoutUrl: string | null;
};

/**
 * Subscribes an organisation, or goes on with the payment it has open: the first one, or the invoice that a lapsed
 * subscription owes. Never a second subscription, however often and however parallel it is called.
 *
 * @param kind where the person will pay: with the card form on our page, or on the provider's
 * @throws AppError 503 SUBSCRIPTION_ERROR with the specification's sentence; 409 PAYMENT_UNDER_WAY
 */
export async function createSubscription(
  services: Syncing,
  actor: Actor,
  kind: BillingAttemptKind = "element",
): Promise<Subscribing> {
  try {
    return await subscribe(services, actor, kind);
  } catch (error) {
    if (error instanceof UpstreamError) throw toSubscriptionError(error);
    throw error;
  }
}

export const SUBSCRIPTION_ERROR = "Unable to initialize the subscription process. Please try again.";

/** When a cancellation was made at the same moment, what is true settles within seconds. */
const RETRY_SECONDS = 5;

function toSubscriptionError(error: UpstreamError): AppError {
  const retryAfterSeconds = Math.ceil((error.options.retryAfterMs ?? RETRY_SECONDS * 1000) / 1000);
  return new AppError("SUBSCRIPTION_ERROR", 503, SUBSCRIPTION_ERROR, {
    retryAfterSeconds,
    logText: error.message,
    cause: error,
  });
}

async function subscribe(services: Syncing, actor: Actor, kind: BillingAttemptKind): Promise<Subscribing> {
  const account = await findAccount(services, actor.organizationId);
  const { status = null, subscriptionId = null } = account ?? {};
  if (status !== null && isLiveStatus(status)) return { status, payment: null, checkoutUrl: null };
  const customerId = account?.customerId ?? (await ensureCustomer(services, actor));
  if (status !== null && subscriptionId && owesInvoice(status)) {
    const payment = await services.cards.findOpenPayment(customerId, subscriptionId);
    if (payment) return { status, payment, checkoutUrl: null };
    // Paid, cancelled or voided since we last heard: look before anything new begins.
    const state = await syncBilling(services, actor);
    if (state?.status && !isOverStatus(state.status)) return { status: state.status, payment: null, checkoutUrl: null };
  }
  const opened = await openAttempt(services, actor, customerId, kind);
  const state = await syncBilling(services, actor);
  if (opened.state === "paid") return { status: opened.subscription.status, payment: null, checkoutUrl: null };
  if (opened.kind === "checkout") {
    return { status: state?.status ?? "incomplete", payment: null, checkoutUrl: opened.checkout.url };
  }
  const payment = await services.cards.findOpenPayment(customerId, opened.subscription.id);
  if (!payment)
    throw new AppError("SUBSCRIPTION_ERROR", 503, SUBSCRIPTION_ERROR, {
      retryAfterSeconds: RETRY_SECONDS,
      logText: "nothing to pay",
    });
  return { status: opened.subscription.status, payment, checkoutUrl: null };
}

/** The organisation's customer, made once: parallel calls are given the same one by the provider. */
async function ensureCustomer(services: Syncing, actor: Actor): Promise<string> {
  const { organizationId, organizationName, email } = actor;
  const { customerId } = await services.cards.createCustomer({ id: organizationId, name: organizationName, email });
  await runStep(services, {
    conditions: [hasNoCustomer(services, organizationId)],
    statements: [saveCustomer(services, organizationId, customerId), openAccount(services, organizationId)],
  });
  return (await findAccount(services, organizationId))?.customerId ?? customerId;
}
