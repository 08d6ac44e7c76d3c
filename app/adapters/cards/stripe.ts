import Stripe from "stripe";
import * as z from "zod";
import { type CardEvent, CardEventRejected, type CardOnFile, type Cards, type CustomerState } from "~/ports/cards";
import type { Clock } from "~/services-and-actor";
import {
  ask,
  chargeSchema,
  checkoutSchema,
  createStripeClient,
  customerSchema,
  invoiceSchema,
  isRejection,
  malformed,
  paymentSchema,
  read,
  readForCustomer,
  type StripeClientOptions,
  subscriptionSchema,
  wrongTenant,
} from "./stripe-schema";

/** How old, or how far ahead, a delivery may be (docs.stripe.com/webhooks#replay-attacks). */
const TOLERANCE_SECONDS = 300;

const objectSchema = z.object({
  object: z.string().nullish(),
  id: z.string().nullish(),
  customer: z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).nullish(),
});

const eventSchema = z.object({
  id: z.string().min(1).max(200),
  type: z.string().min(1).max(200),
  data: z.object({ object: objectSchema }),
});

/** An event of the provider's newer interface, which contains no object. We use no such events. */
const thinEventSchema = eventSchema.omit({ data: true }).extend({ object: z.literal("v2.core.event") });

/**
 * Checks a delivery with the SDK's own signature check, under any of several secrets (we rotate). The SDK accepts a
 * signature from the future; we do not.
 *
 * @throws CardEventRejected
 */
async function readStripeEvent(
  stripe: Stripe,
  input: { secrets: readonly string[]; rawBody: string; signature: string | null; nowMs: number },
): Promise<CardEvent> {
  const { secrets, rawBody, signature, nowMs } = input;
  if (!signature || isFromTheFuture(signature, nowMs)) throw new CardEventRejected("bad_signature");
  const crypto = Stripe.createSubtleCryptoProvider();
  const { signature: verifier } = stripe.webhooks;
  if (!verifier) throw new Error("the SDK has no check of signatures");
  for (const secret of secrets) {
    try {
      await verifier.verifyHeaderAsync(rawBody, signature, secret, TOLERANCE_SECONDS, crypto, nowMs);
      return toCardEvent(JSON.parse(rawBody));
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) continue;
      throw error instanceof CardEventRejected ? error : new CardEventRejected("malformed");
    }
  }
  throw new CardEventRejected("bad_signature");
}

function isFromTheFuture(signature: string, nowMs: number): boolean {
  const timestamp = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature)?.[1]);
  return !(timestamp <= Math.floor(nowMs / 1000) + TOLERANCE_SECONDS);
}

function toCardEvent(event: unknown): CardEvent {
  const thin = thinEventSchema.safeParse(event).data;
  if (thin) return { id: thin.id, type: thin.type, customerId: null };
  const parsed = eventSchema.safeParse(event);
  if (!parsed.success) throw new CardEventRejected("malformed");
  const { id, type, data } = parsed.data;
  const { object, customer, id: objectId } = data.object;
  return { id, type, customerId: customer ?? (object === "customer" ? objectId : undefined) ?? null };
}

const PAGE = 100;
/** An organisation has a few rows a year, so a list that continues beyond this is not trusted. */
const MAX_ROWS = 1_000;

/** For a customer so old that the provider has forgotten the idempotency key, and whose id we failed to store. */
async function findCustomer(stripe: Stripe, organizationId: string): Promise<string | undefined> {
  const found = await ask(stripe.customers.search({ query: `metadata['organizationId']:'${organizationId}'` }));
  return found.data[0]?.id;
}

/** Only fields that never change are sent, so that a retry is the identical request. */
async function makeCustomer(stripe: Stripe, organizationId: string): Promise<string> {
  const created = await ask(
    stripe.customers.create({ metadata: { organizationId } }, { idempotencyKey: `customer-${organizationId}` }),
  );
  return read(customerSchema, created).id;
}

async function readCustomer(stripe: Stripe, customerId: string): Promise<CustomerState> {
  const list = { customer: customerId, limit: PAGE };
  const [customer, subscriptions, invoices, charges] = await Promise.all([
    ask(stripe.customers.retrieve(customerId, { expand: ["invoice_settings.default_payment_method"] })),
    all(stripe.subscriptions.list({ ...list, status: "all", expand: ["data.default_payment_method"] })),
    all(stripe.invoices.list(list)),
    all(stripe.charges.list({ ...list, expand: ["data.refunds"] })),
  ]);
  const known = read(customerSchema, customer);
  if (known.id !== customerId) throw wrongTenant();
  return {
    card: cardOf(known.invoice_settings?.default_payment_method),
    subscriptions: subscriptions.map((row) => readForCustomer(subscriptionSchema, row, customerId).subscription),
    invoices: invoices.map((row) => readForCustomer(invoiceSchema, row, customerId).invoice),
    charges: charges.map((row) => readForCustomer(chargeSchema, row, customerId).charge),
  };
}

const cardOf = (value: CardOnFile | string | null | undefined) => (typeof value === "object" ? value : null);

/** Every row of a list, over all its pages. */
async function all<T>(list: Stripe.ApiListPromise<T>): Promise<T[]> {
  const rows = list.autoPagingToArray({ limit: MAX_ROWS }).catch((error: unknown) => {
    // The SDK throws on a malformed page.
    throw error instanceof TypeError ? malformed("the list is not a list") : error;
  });
  return ask(rows);
}

/**
 * The latest invoice of a subscription, ready to be paid. While a subscription is unpaid the provider leaves new
 * invoices as drafts; the latest is made payable, which is what brings the subscription back.
 */
async function findOpenPayment(stripe: Stripe, customerId: string, subscriptionId: string) {
  const answer = await ask(stripe.subscriptions.retrieve(subscriptionId));
  const { latestInvoiceId } = readForCustomer(subscriptionSchema, answer, customerId);
  if (!latestInvoiceId) return null;
  const expand = ["confirmation_secret"];
  let found = readForCustomer(
    invoiceSchema,
    await ask(stripe.invoices.retrieve(latestInvoiceId, { expand })),
    customerId,
  );
  if (found.invoice.status === "draft") {
    const finalized = await ask(stripe.invoices.finalizeInvoice(latestInvoiceId, { expand }));
    found = readForCustomer(invoiceSchema, finalized, customerId);
  }
  const { invoice, clientSecret, hostedUrl } = found;
  return invoice.status === "open" && clientSecret ? { invoiceId: invoice.id, clientSecret, hostedUrl } : null;
}

export type StripeOptions = StripeClientOptions & {
  /** The one plan, and the tax rate that shows its GST on invoices. */
  priceId: string;
  taxRateId: string;
  /** Any of these may have signed an event: the first is current, the rest are still accepted. */
  webhookSecrets: readonly string[];
  clock: Clock;
};

/** Refused because the money was taken, or the object has ended: the caller asks for the current state. */
const TOO_LATE = ["invoice_not_open", "invoice_not_editable", "invoice_already_paid", "resource_missing"];

/** Card payments and subscriptions by Stripe, with the official SDK. */
export function createStripeCards(options: StripeOptions): Cards {
  const stripe = createStripeClient(options);
  const { clock, webhookSecrets: secrets } = options;
  return {
    providerName: "Stripe",
    ...customerCalls(stripe),
    ...subscriptionCalls(stripe, options),
    ...checkoutCalls(stripe, options),
    ...invoiceCalls(stripe),
    readEvent: ({ rawBody, signature }) => readStripeEvent(stripe, { secrets, rawBody, signature, nowMs: clock.now() }),
  };
}

function customerCalls(
  stripe: Stripe,
): Pick<Cards, "createCustomer" | "findOrganizationOf" | "readCustomer" | "listCreated" | "createPortal"> {
  return {
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

    async listCreated(since) {
      const list = { created: { gte: Math.floor(since / 1000) }, limit: PAGE };
      const [customers, subscriptions] = await Promise.all([
        all(stripe.customers.list(list)),
        all(stripe.subscriptions.list({ ...list, status: "all" })),
      ]);
      return {
        customerIds: customers.map((row) => read(customerSchema, row).id),
        subscriptions: subscriptions.map((row) => {
          const { customer, subscription } = read(subscriptionSchema, row);
          return { id: subscription.id, customerId: customer };
        }),
      };
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
  };
}

type SubscriptionCalls = Pick<
  Cards,
  | "startSubscription"
  | "getSubscription"
  | "withdrawSubscription"
  | "setCancelAtPeriodEnd"
  | "cancelNow"
  | "payWithCard"
>;

function subscriptionCalls(stripe: Stripe, { priceId, taxRateId }: StripeOptions): SubscriptionCalls {
  return {
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
      // A repeated call receives the first answer, so the current state is fetched.
      return getSubscription(stripe, customerId, read(subscriptionSchema, created).subscription.id);
    },

    getSubscription: (customerId, subscriptionId) => getSubscription(stripe, customerId, subscriptionId),

    async withdrawSubscription(customerId, subscriptionId) {
      const answer = await ask(stripe.subscriptions.retrieve(subscriptionId));
      const { subscription, latestInvoiceId } = readForCustomer(subscriptionSchema, answer, customerId);
      if (subscription.status !== "incomplete" || !latestInvoiceId) return;
      // A void invoice can never be paid, so the subscription can be cancelled without checking.
      const isVoid = await unlessTooLate(stripe.invoices.voidInvoice(latestInvoiceId));
      if (isVoid) await unlessTooLate(stripe.subscriptions.cancel(subscriptionId));
    },

    async setCancelAtPeriodEnd(subscriptionId, atPeriodEnd) {
      await ask(stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: atPeriodEnd }));
    },

    async cancelNow(subscriptionId) {
      await unlessTooLate(stripe.subscriptions.cancel(subscriptionId));
    },

    async payWithCard(subscriptionId, cardId) {
      await ask(stripe.subscriptions.update(subscriptionId, { default_payment_method: cardId }));
    },
  };
}

async function getSubscription(stripe: Stripe, customerId: string, subscriptionId: string) {
  const answer = await ask(stripe.subscriptions.retrieve(subscriptionId, { expand: ["default_payment_method"] }));
  return readForCustomer(subscriptionSchema, answer, customerId).subscription;
}

type CheckoutCalls = Pick<Cards, "startCheckout" | "getCheckout" | "withdrawCheckout">;

function checkoutCalls(stripe: Stripe, { priceId, taxRateId }: StripeOptions): CheckoutCalls {
  const getCheckout: Cards["getCheckout"] = async (customerId, checkoutId) => {
    const answer = await ask(stripe.checkout.sessions.retrieve(checkoutId));
    return readForCustomer(checkoutSchema, answer, customerId).checkout;
  };
  return {
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
      return getCheckout(customerId, read(checkoutSchema, created).checkout.id);
    },

    getCheckout,

    async withdrawCheckout(checkoutId) {
      await unlessTooLate(stripe.checkout.sessions.expire(checkoutId));
    },
  };
}

function invoiceCalls(stripe: Stripe): Pick<Cards, "findOpenPayment" | "getInvoiceLinks" | "findPaymentStatus"> {
  return {
    findOpenPayment: (customerId, subscriptionId) => findOpenPayment(stripe, customerId, subscriptionId),

    async getInvoiceLinks(customerId, invoiceId) {
      const answer = await ask(stripe.invoices.retrieve(invoiceId));
      const { pdfUrl, hostedUrl } = readForCustomer(invoiceSchema, answer, customerId);
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
  };
}

/** @returns false when the provider refused because it was too late */
async function unlessTooLate(call: Promise<unknown>): Promise<boolean> {
  try {
    await ask(call);
    return true;
  } catch (error) {
    // Refusals of an ended checkout have no code.
    if (!isRejection(error, ...TOO_LATE, "")) throw error;
    return false;
  }
}
