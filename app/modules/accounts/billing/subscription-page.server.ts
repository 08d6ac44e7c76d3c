import { notFound, UpstreamError } from "~/kernel/app-error";
import { formatAud } from "~/kernel/money";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { type Actor, canWrite, type Services } from "~/services-and-actor";
import { findAccount, findInvoiceId, listInvoices } from "./account.server";
import { findOpenCheckout } from "./manage-subscription.server";
import { isLiveStatus, PLAN } from "./subscription";
import { type PaymentOutcome, toOutcome, toSubscriptionView } from "./subscription.view";
import { syncBilling } from "./sync-billing.server";

/** The subscription page, from our own rows. */
export async function readSubscriptionPage(services: Services, actor: Actor) {
  const { organizationId } = actor;
  const [account, invoices, { timeZone }] = await Promise.all([
    findAccount(services, organizationId),
    listInvoices(services, organizationId),
    findPolicy(services, organizationId),
  ]);
  if (!account) throw notFound();
  return toSubscriptionView(account, invoices, { now: services.clock.now(), timeZone, canWrite: canWrite(actor) });
}

/** The open payment for the card form; null when there is nothing to pay. */
export async function findPayment({ db, cards }: Services, actor: Actor) {
  const account = await findAccount({ db }, actor.organizationId);
  if (!account?.customerId || !account.subscriptionId) return null;
  const payment = await cards.findOpenPayment(account.customerId, account.subscriptionId);
  return payment && { ...payment, amount: formatAud(account.amountDue ?? PLAN.amount) };
}

/** The provider's page for the present payment: its checkout, or the open invoice's page. */
export async function findPaymentPage(services: Services, actor: Actor): Promise<string | null> {
  const account = await findAccount(services, actor.organizationId);
  if (!account?.customerId) return null;
  const checkout = await findOpenCheckout(services, actor.organizationId, account.customerId);
  if (checkout?.url) return checkout.url;
  return (await findPayment(services, actor))?.hostedUrl ?? null;
}

/** The result of a payment, for a person who returns from it with its secret. */
async function findOutcome({ db, cards }: Services, actor: Actor, clientSecret: string): Promise<PaymentOutcome> {
  const account = await findAccount({ db }, actor.organizationId);
  if (!account?.customerId) return "other";
  return toOutcome(await cards.findPaymentStatus(account.customerId, clientSecret));
}

/** A fresh link to one invoice's PDF. @throws AppError 404 */
export async function getInvoicePdf({ db, cards }: Services, actor: Actor, recordId: string): Promise<string> {
  const { organizationId } = actor;
  const [account, invoiceId] = await Promise.all([
    findAccount({ db }, organizationId),
    findInvoiceId({ db }, organizationId, recordId),
  ]);
  if (!account?.customerId || !invoiceId) throw notFound();
  const { pdfUrl } = await cards.getInvoiceLinks(account.customerId, invoiceId);
  if (!pdfUrl) throw notFound();
  return pdfUrl;
}

/** Which of the provider's pages a person returned from. */
export type ReturnFrom = { from: "payment"; clientSecret: string } | { from: "checkout" } | { from: "portal" };

/**
 * Fetches the provider's state at once after a person's return, so that the page is right before any event arrives.
 * @returns the payment's result; null after the portal
 */
export async function syncAfterReturn(services: Services, actor: Actor, back: ReturnFrom) {
  try {
    const outcome = back.from === "payment" ? await findOutcome(services, actor, back.clientSecret) : null;
    const state = await syncBilling(services, actor);
    if (back.from === "checkout") return isLiveStatus(state?.status ?? null) ? "succeeded" : "processing";
    return outcome;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    // The provider's events will update our rows later.
    services.log.warn("billing.return_unread", { error: error.message });
    return back.from === "portal" ? null : "processing";
  }
}
