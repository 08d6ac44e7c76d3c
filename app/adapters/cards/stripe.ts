import type { Cards } from "~/modules/billing/cards.port";
import type { Clock } from "~/services";
import { ask, createStripeClient, isRejection, malformed, type StripeClientOptions } from "./stripe-client";
import { findCustomer, findOpenPayment, makeCustomer, readCustomer } from "./stripe-customer";
import { readStripeEvent } from "./stripe-events";
import {
  checkoutSchema,
  customerSchema,
  invoiceSchema,
  paymentSchema,
  read,
  readOwn,
  subscriptionSchema,
} from "./stripe-schema";

export type StripeOptions = StripeClientOptions & {
  /** The one plan, and the tax rate that shows its GST on invoices. */
  priceId: string;
  taxRateId: string;
  /** Any of these may have signed an event: the first is current, the rest are still accepted. */
  webhookSecrets: readonly string[];
  clock: Clock;
};

/** Refused because the money is taken, or the thing is over: whoever asked looks again at what is true. */
const TOO_LATE = ["invoice_not_open", "invoice_not_editable", "invoice_already_paid", "resource_missing"];

/** Card payments and subscriptions by Stripe, with the official SDK. */
export function createStripeCards(options: StripeOptions): Cards {
  const stripe = createStripeClient(options);
  const { priceId, taxRateId, clock, webhookSecrets } = options;

  return {
    providerName: "Stripe",

    async createCustomer({ id, name, email }) {
      const customerId = (await findCustomer(stripe, id)) ?? (await makeCustomer(stripe, id));
      await ask(stripe.customers.update(customerId, { name, email }));
      return { customerId };
    },

    async findOrganizationOf(customerId) {
      try {
        const customer = read(customerSchema, await ask(stripe.customers.retrieve(customerId)));
        return customer.deleted ? null : (customer.metadata?.organizationId ?? null);
      } catch (error) {
        if (isRejection(error, "resource_missing")) return null;
        throw error;
      }
    },

    readCustomer: (customerId) => readCustomer(stripe, customerId),

    async startSubscription({ customerId, organizationId, attemptId }) {
      const created = await ask(
        stripe.subscriptions.create(
          {
            customer: customerId,
            items: [{ price: priceId }],
            default_tax_rates: [taxRateId],
            payment_behavior: "default_incomplete",
            payment_settings: { save_default_payment_method: "on_subscription" },
            metadata: { organizationId },
          },
          { idempotencyKey: `subscription-${attemptId}` },
        ),
      );
      // A repeated call is given the first answer: what has become of it since is asked for.
      return this.getSubscription(customerId, read(subscriptionSchema, created).subscription.id);
    },

    async getSubscription(customerId, subscriptionId) {
      const answer = await ask(stripe.subscriptions.retrieve(subscriptionId, { expand: ["default_payment_method"] }));
      return readOwn(subscriptionSchema, answer, customerId).subscription;
    },

    async startCheckout({ customerId, organizationId, attemptId, successUrl, cancelUrl }) {
      const created = await ask(
        stripe.checkout.sessions.create(
          {
            mode: "subscription",
            customer: customerId,
            client_reference_id: organizationId,
            line_items: [{ price: priceId, quantity: 1 }],
            subscription_data: { default_tax_rates: [taxRateId], metadata: { organizationId } },
            success_url: successUrl,
            cancel_url: cancelUrl,
          },
          { idempotencyKey: `checkout-${attemptId}` },
        ),
      );
      return this.getCheckout(customerId, read(checkoutSchema, created).checkout.id);
    },

    async getCheckout(customerId, checkoutId) {
      return readOwn(checkoutSchema, await ask(stripe.checkout.sessions.retrieve(checkoutId)), customerId).checkout;
    },

    async withdrawSubscription(customerId, subscriptionId) {
      const answer = await ask(stripe.subscriptions.retrieve(subscriptionId));
      const { subscription, latestInvoiceId } = readOwn(subscriptionSchema, answer, customerId);
      if (subscription.status !== "incomplete" || !latestInvoiceId) return;
      // A void invoice can never be paid: what is left of the subscription may go without a look at it.
      const isVoid = await unlessTooLate(stripe.invoices.voidInvoice(latestInvoiceId));
      if (isVoid) await unlessTooLate(stripe.subscriptions.cancel(subscriptionId));
    },

    async withdrawCheckout(checkoutId) {
      await unlessTooLate(stripe.checkout.sessions.expire(checkoutId));
    },

    findOpenPayment: (customerId, subscriptionId) => findOpenPayment(stripe, customerId, subscriptionId),

    async setCancelAtPeriodEnd(subscriptionId, atPeriodEnd) {
      await ask(stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: atPeriodEnd }));
    },

    async cancelNow(subscriptionId) {
      await unlessTooLate(stripe.subscriptions.cancel(subscriptionId));
    },

    async payWithCard(subscriptionId, cardId) {
      await ask(stripe.subscriptions.update(subscriptionId, { default_payment_method: cardId }));
    },

    async createPortal({ customerId, returnUrl, goTo }) {
      const session = await ask(
        stripe.billingPortal.sessions.create({
          customer: customerId,
          return_url: returnUrl,
          ...(goTo === "card" && { flow_data: { type: "payment_method_update" } }),
        }),
      );
      if (!session.url || !URL.canParse(session.url)) throw malformed("the portal has no address");
      return { url: session.url };
    },

    async getInvoiceLinks(customerId, invoiceId) {
      const { pdfUrl, hostedUrl } = readOwn(invoiceSchema, await ask(stripe.invoices.retrieve(invoiceId)), customerId);
      return { pdfUrl, hostedUrl };
    },

    async findPaymentStatus(customerId, clientSecret) {
      const paymentId = /^(pi_[A-Za-z0-9]+)_secret_[A-Za-z0-9]+$/.exec(clientSecret)?.[1];
      if (!paymentId) return null;
      try {
        const payment = read(paymentSchema, await ask(stripe.paymentIntents.retrieve(paymentId)));
        const isTheirs = payment.customer === customerId && payment.client_secret === clientSecret;
        return isTheirs ? payment.status : null;
      } catch (error) {
        if (isRejection(error, "resource_missing")) return null;
        throw error;
      }
    },

    readEvent: ({ rawBody, signature }) =>
      readStripeEvent(stripe, { secrets: webhookSecrets, rawBody, signature, nowMs: clock.now() }),
  };
}

/** @returns false when the provider refused because it was too late */
async function unlessTooLate(call: Promise<unknown>): Promise<boolean> {
  try {
    await ask(call);
    return true;
  } catch (error) {
    // A checkout that is over is refused without a code.
    if (!isRejection(error, ...TOO_LATE, "")) throw error;
    return false;
  }
}
