import { type Actor, canWrite } from "~/kernel/actor";
import { notFound } from "~/kernel/app-error";
import { formatAud } from "~/kernel/money";
import { findPolicy } from "~/modules/accounts/organizations/policies/policy.server";
import type { Services } from "~/services";
import { findAccount, findInvoiceId, listInvoices } from "./account.server";
import { findOpenCheckout } from "./attempts.server";
import { type PaymentOutcome, toOutcome } from "./payment-outcome";
import { PLAN } from "./plan";
import { toSubscriptionView } from "./subscription.view";

type Reading = Pick<Services, "db" | "clock">;
type Asking = Pick<Services, "db" | "cards">;

/** What the subscription page shows, from our own rows. */
export async function readSubscriptionPage(services: Reading, actor: Actor) {
  const { organizationId } = actor;
  const [account, invoices, { timeZone }] = await Promise.all([
    findAccount(services, organizationId),
    listInvoices(services, organizationId),
    findPolicy(services, organizationId),
  ]);
  if (!account) throw notFound();
  return toSubscriptionView(account, invoices, { now: services.clock.now(), timeZone, canWrite: canWrite(actor) });
}

/** The payment that is open, for the card form; null when there is nothing to pay. */
export async function findPayment({ db, cards }: Asking, actor: Actor) {
  const account = await findAccount({ db }, actor.organizationId);
  if (!account?.customerId || !account.subscriptionId) return null;
  const payment = await cards.findOpenPayment(account.customerId, account.subscriptionId);
  return payment && { ...payment, amount: formatAud(account.amountDue ?? PLAN.amount) };
}

/** Where the provider's page for the present payment is: its checkout, or the open invoice's own page. */
export async function findPaymentPage(services: Asking, actor: Actor): Promise<string | null> {
  const account = await findAccount(services, actor.organizationId);
  if (!account?.customerId) return null;
  const checkout = await findOpenCheckout(services, actor.organizationId, account.customerId);
  if (checkout?.url) return checkout.url;
  return (await findPayment(services, actor))?.hostedUrl ?? null;
}

/** How a payment ended, for a person who came back from it and holds its secret. */
export async function findOutcome({ db, cards }: Asking, actor: Actor, clientSecret: string): Promise<PaymentOutcome> {
  const account = await findAccount({ db }, actor.organizationId);
  if (!account?.customerId) return "other";
  return toOutcome(await cards.findPaymentStatus(account.customerId, clientSecret));
}

/** A fresh address of one invoice's PDF. @throws AppError 404 */
export async function getInvoicePdf({ db, cards }: Asking, actor: Actor, recordId: string): Promise<string> {
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
