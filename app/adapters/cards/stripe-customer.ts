import type Stripe from "stripe";
import type { CardOnFile, CustomerTruth } from "~/ports/cards";
import { ask, malformed, wrongTenant } from "./stripe-client";
import {
  chargeSchema,
  customerSchema,
  invoiceSchema,
  read,
  readForCustomer,
  subscriptionSchema,
} from "./stripe-schema";

const PAGE = 100;
/** An organisation has a handful of rows a year; a list that goes on beyond this is not an answer we can trust. */
const MAX_ROWS = 1_000;

/** For a customer made so long ago that the provider forgot the key, and whose id we then failed to store. */
export async function findCustomer(stripe: Stripe, organizationId: string): Promise<string | undefined> {
  const found = await ask(stripe.customers.search({ query: `metadata['organizationId']:'${organizationId}'` }));
  return found.data[0]?.id;
}

/** Nothing but what never changes is sent, so that a repeat is the same request. */
export async function makeCustomer(stripe: Stripe, organizationId: string): Promise<string> {
  const created = await ask(
    stripe.customers.create({ metadata: { organizationId } }, { idempotencyKey: `customer-${organizationId}` }),
  );
  return read(customerSchema, created).id;
}

export async function readCustomer(stripe: Stripe, customerId: string): Promise<CustomerTruth> {
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
    // The SDK stumbles over a page that is not one.
    throw error instanceof TypeError ? malformed("the list is not a list") : error;
  });
  return ask(rows);
}

/**
 * The latest invoice of a subscription, ready to be paid. While a subscription is unpaid the provider leaves new
 * invoices as drafts; the latest is made payable, which is what brings the subscription back.
 */
export async function findOpenPayment(stripe: Stripe, customerId: string, subscriptionId: string) {
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
