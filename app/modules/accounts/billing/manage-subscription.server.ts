import { billingAttempts, columnsOf } from "@db/database";
import { and, eq, isNull } from "drizzle-orm";
import { AppError, type ErrorCode, UpstreamError } from "~/kernel/app-error";
import { HOUR_MS } from "~/kernel/dates";
import type { BillingAttemptKind, SubscriptionStatus } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { type Acting, runCommand, runStatement, runStep } from "~/modules/core/commands/run-command.server";
import type { Checkout, OpenPayment, ProviderSubscription } from "~/ports/cards";
import type { Actor, ReadServices, Services } from "~/services-and-actor";
import { findAccount, hasNoCustomer, openAccount, saveCustomer } from "./account.server";
import type { BillingState } from "./ledger";
import { cancellationOf, isEndedStatus, isLiveStatus, owesInvoice } from "./subscription";
import { syncBilling } from "./sync-billing.server";

/** What has to be paid, and where; no payment when the subscription is live or nothing can be paid. */
type Subscribing = {
  status: SubscriptionStatus;
  payment: OpenPayment | null;
  /** The provider's checkout page. */
  checkoutUrl: string | null;
};

/**
 * Subscribes an organisation, or continues its open payment: the first one, or the unpaid invoice of a lapsed
 * subscription. Never creates a second subscription, however often or concurrently it is called.
 *
 * @param kind where the person will pay: with the card form on our page, or on the provider's page
 * @throws AppError 503 SUBSCRIPTION_ERROR with the specification's sentence; 409 PAYMENT_UNDER_WAY; 409
 * SUBSCRIPTION_CHANGED when somebody cancelled at the same moment
 */
export async function createSubscription(
  services: Services,
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

const SUBSCRIPTION_ERROR = "Unable to initialize the subscription process. Please try again.";

const SUBSCRIPTION_CHANGED = "Someone cancelled or changed the subscription at the same time. Please reload the page.";

const RETRY_SECONDS = 5;

function toSubscriptionError(error: UpstreamError): AppError {
  const retryAfterSeconds = Math.ceil((error.options.retryAfterMs ?? RETRY_SECONDS * 1000) / 1000);
  return new AppError("SUBSCRIPTION_ERROR", SUBSCRIPTION_ERROR, {
    retryAfterSeconds,
    logText: error.message,
    cause: error,
  });
}

async function subscribe(services: Services, actor: Actor, kind: BillingAttemptKind): Promise<Subscribing> {
  const account = await findAccount(services, actor.organizationId);
  const { status = null, subscriptionId = null } = account ?? {};
  if (status !== null && isLiveStatus(status)) return { status, payment: null, checkoutUrl: null };
  const customerId = account?.customerId ?? (await ensureCustomer(services, actor));
  if (status !== null && subscriptionId && owesInvoice(status)) {
    const payment = await services.cards.findOpenPayment(customerId, subscriptionId);
    if (payment) return { status, payment, checkoutUrl: null };
    // The state at the provider may have changed, so fetch it before starting anything new.
    const state = await syncBilling(services, actor);
    if (state?.status && !isEndedStatus(state.status))
      return { status: state.status, payment: null, checkoutUrl: null };
  }
  const opened = await openAttempt(services, actor, customerId, kind);
  const state = await syncBilling(services, actor);
  if (opened.state === "paid") return { status: opened.subscription.status, payment: null, checkoutUrl: null };
  if (opened.kind === "checkout") {
    return { status: state?.status ?? "incomplete", payment: null, checkoutUrl: opened.checkout.url };
  }
  const payment = await services.cards.findOpenPayment(customerId, opened.subscription.id);
  if (!payment) throw new AppError("SUBSCRIPTION_CHANGED", SUBSCRIPTION_CHANGED);
  return { status: opened.subscription.status, payment, checkoutUrl: null };
}

/** The organisation's customer, created once: for concurrent calls the provider returns the same one. */
async function ensureCustomer(services: Services, actor: Actor): Promise<string> {
  const { organizationId, organizationName, email } = actor;
  const { customerId } = await services.cards.createCustomer({ id: organizationId, name: organizationName, email });
  await runStep(services, {
    conditions: [hasNoCustomer(services, organizationId)],
    statements: [saveCustomer(services, organizationId, customerId), openAccount(services, organizationId)],
  });
  return (await findAccount(services, organizationId))?.customerId ?? customerId;
}

type Attempt = { id: string; kind: BillingAttemptKind; providerId: string | null; createdAt: number };

/** The organisation's open attempt at the first payment. There is at most one. */
async function findOpenAttempt({ db }: ReadServices, organizationId: string): Promise<Attempt | undefined> {
  const [row] = await db
    .select(columnsOf(billingAttempts, "id", "kind", "providerId", "createdAt"))
    .from(billingAttempts)
    .where(and(eq(billingAttempts.organizationId, organizationId), isNull(billingAttempts.endedAt)));
  return row;
}

/** The organisation's open checkout; does not start one. */
export async function findOpenCheckout(services: Services, organizationId: string, customerId: string) {
  const attempt = await findOpenAttempt(services, organizationId);
  if (attempt?.kind !== "checkout" || !attempt.providerId) return undefined;
  const checkout = await services.cards.getCheckout(customerId, attempt.providerId);
  return checkout.status === "open" ? checkout : undefined;
}

/**
 * One open attempt at the first payment per organisation, so that two clicks cannot pay twice.
 *
 * The open row is unique in the database, and its id is the idempotency key at the provider: twenty concurrent calls
 * create one subscription, or one checkout. To change the kind, the present attempt is first made unpayable at the
 * provider, which refuses if it was paid at that very moment.
 */

/** The state of an attempt at the provider. */
type Opened =
  | { state: "open"; kind: "element"; subscription: ProviderSubscription }
  | { state: "open"; kind: "checkout"; checkout: Checkout }
  /** It was paid, so there is a subscription. */
  | { state: "paid"; subscription: ProviderSubscription };

type AttemptState = Opened | { state: "over" };

/** The provider forgets a key after a day; the first payment may take 23 hours (docs.stripe.com). */
const KEY_LASTS_MS = 23 * HOUR_MS;
const MAX_ROUNDS = 12;

/** @throws AppError 409 PAYMENT_UNDER_WAY when a payment is being made at this moment and cannot be withdrawn */
async function openAttempt(
  services: Services,
  acting: Acting,
  customerId: string,
  kind: BillingAttemptKind,
): Promise<Opened> {
  const { organizationId } = acting;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const attempt = await findOrBegin(services, acting, kind);
    if (!attempt) continue;
    const attemptState = await readAttemptState(services, organizationId, customerId, attempt);
    if (attemptState.state === "over") {
      await end(services, organizationId, attempt);
      continue;
    }
    if (attemptState.state === "paid" || attemptState.kind === kind) return attemptState;
    if (attemptState.kind === "element")
      await services.cards.withdrawSubscription(customerId, attemptState.subscription.id);
    else await services.cards.withdrawCheckout(attemptState.checkout.id);
  }
  throw new AppError("PAYMENT_UNDER_WAY", "A payment is being processed. Please wait a moment, then reload the page.", {
    retryAfterSeconds: 5,
  });
}

/** The open attempt, or a new one; undefined when another call began one in the same moment. */
async function findOrBegin(services: Services, acting: Acting, kind: BillingAttemptKind) {
  const { organizationId } = acting;
  const known = await findOpenAttempt(services, organizationId);
  if (known) return known;
  const attempt = { id: services.ids.next(), kind, providerId: null, createdAt: services.clock.now() };
  const begun = await runCommand(services, acting, {
    uniques: { attempt_open: "billing_attempts" },
    statements: [services.db.insert(billingAttempts).values({ ...attempt, organizationId })],
    audit: [
      {
        action: "subscription.payment_started",
        entityType: "organization",
        entityId: organizationId,
        details: { kind },
      },
    ],
    answer: attempt,
  });
  return begun.ok ? begun.answer : undefined;
}

async function readAttemptState(
  services: Services,
  organizationId: string,
  customerId: string,
  attempt: Attempt,
): Promise<AttemptState> {
  const { cards, clock, config } = services;
  const { id: attemptId, kind, providerId } = attempt;
  // The attempt got no response and the provider has forgotten its key by now, so nobody ever saw it.
  if (!providerId && clock.now() - attempt.createdAt > KEY_LASTS_MS) return { state: "over" };
  const input = { customerId, organizationId, attemptId };
  if (kind === "element") {
    const subscription = providerId
      ? await cards.getSubscription(customerId, providerId)
      : await cards.startSubscription(input);
    if (!providerId) await saveProviderId(services, organizationId, attempt, subscription.id);
    return subscription.status === "incomplete" ? { state: "open", kind, subscription } : stateOf(subscription);
  }
  const page = `${config.appOrigin}${appPaths.subscription}`;
  const checkout = providerId
    ? await cards.getCheckout(customerId, providerId)
    : await cards.startCheckout({ ...input, successUrl: `${page}?checkout=done`, cancelUrl: page });
  if (!providerId) await saveProviderId(services, organizationId, attempt, checkout.id);
  if (checkout.status === "open") return { state: "open", kind, checkout };
  if (checkout.status === "expired" || !checkout.subscriptionId) return { state: "over" };
  return stateOf(await cards.getSubscription(customerId, checkout.subscriptionId));
}

const stateOf = (subscription: ProviderSubscription): AttemptState =>
  isEndedStatus(subscription.status) ? { state: "over" } : { state: "paid", subscription };

async function saveProviderId(services: Services, organizationId: string, { id }: Attempt, providerId: string) {
  const isAttempt = and(eq(billingAttempts.organizationId, organizationId), eq(billingAttempts.id, id));
  await runStatement(services, services.db.update(billingAttempts).set({ providerId }).where(isAttempt));
}

async function end(services: Services, organizationId: string, { id }: Attempt): Promise<void> {
  const { db, clock } = services;
  const isOpen = and(
    eq(billingAttempts.organizationId, organizationId),
    eq(billingAttempts.id, id),
    isNull(billingAttempts.endedAt),
  );
  await runStatement(services, db.update(billingAttempts).set({ endedAt: clock.now() }).where(isOpen));
}

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
  if (!subscriptionId || !how) throw new AppError("NOTHING_TO_CANCEL", "There is no subscription to cancel.");
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
    throw new AppError("NOTHING_TO_RESUME", "There is no cancelled subscription to resume.");
  }
  return guarded("RESUME_FAILED", "Failed to resume subscription. Please try again.", async () => {
    await services.cards.setCancelAtPeriodEnd(subscriptionId, false);
    return syncBilling(services, actor, { action: "subscription.resumed", details: { subscriptionId } });
  });
}

/** A link to the provider's portal, for this person and a few minutes. @throws AppError 409 NO_BILLING */
export async function openPortal(services: Services, actor: Actor, goTo: "home" | "card"): Promise<string> {
  const { customerId } = await requireAccount(services, actor);
  if (!customerId) throw new AppError("NO_BILLING", "There is nothing to manage before you subscribe.");
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
  });
  return url;
}

async function requireAccount(services: Services, actor: Actor) {
  const account = await findAccount(services, actor.organizationId);
  if (!account) throw new AppError("NO_BILLING", "There is nothing to manage before you subscribe.");
  return account;
}

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
    throw new AppError(code, message, { logText: error.message, cause: error });
  }
  throw new AppError(code, message, { retryAfterSeconds: 5 });
}
