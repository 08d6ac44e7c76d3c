import type { SubscriptionStatus } from "~/kernel/enums";

/** The card that pays, as far as we store it. */
export type CardOnFile = {
  /** The provider's id of the saved card. */
  id: string;
  /** "visa" */
  brand: string;
  last4: string;
  /** 1 to 12; the card works until the end of that month. */
  expMonth: number;
  expYear: number;
  /** Epoch milliseconds. */
  savedAt: number;
};

/** Instants are epoch milliseconds, amounts integer cents of Australian dollars. */
export type ProviderInvoice = {
  id: string;
  /** As printed; null while it is a draft. */
  number: string | null;
  status: "draft" | "open" | "paid" | "void" | "uncollectible";
  subscriptionId: string | null;
  amount: number;
  /** GST inside the amount. */
  taxAmount: number;
  /** The amount due. */
  amountDue: number;
  /** How often the provider has tried on its own schedule; the first try counts. */
  attempts: number;
  createdAt: number;
  paidAt: number | null;
  periodStart: number;
  periodEnd: number;
};

export type ProviderSubscription = {
  id: string;
  status: SubscriptionStatus;
  createdAt: number;
  currentPeriodEnd: number | null;
  cancelAtPeriodEnd: boolean;
  /** When it was cancelled, on our side or theirs; it may still run until the period's end. */
  canceledAt: number | null;
  /** Its own card, which takes precedence over the customer's. */
  card: CardOnFile | null;
};

export type ProviderRefund = {
  id: string;
  amount: number;
  status: "pending" | "succeeded" | "failed" | "canceled";
  createdAt: number;
};

export type ProviderCharge = {
  id: string;
  amount: number;
  status: "pending" | "succeeded" | "failed";
  isRefunded: boolean;
  /** The provider's sentence for a person. */
  failureMessage: string | null;
  createdAt: number;
  refunds: ProviderRefund[];
};

/** The provider's complete state of one customer, from which our rows are updated. */
export type CustomerState = {
  card: CardOnFile | null;
  subscriptions: ProviderSubscription[];
  invoices: ProviderInvoice[];
  charges: ProviderCharge[];
};

/** An invoice that a person can pay now: with the form on our page, or on the provider's. */
export type OpenPayment = { invoiceId: string; clientSecret: string; hostedUrl: string | null };

export type Checkout = {
  id: string;
  status: "open" | "complete" | "expired";
  url: string | null;
  subscriptionId: string | null;
};

/** An event of the provider as we use it: something about this customer changed, so its state is fetched. */
export type CardEvent = {
  id: string;
  type: string;
  /** Null for events about no customer that we can name. */
  customerId: string | null;
};

/** Why a webhook was rejected. Nothing in it may be stored. */
export class CardEventRejected extends Error {
  override readonly name = "CardEventRejected";

  constructor(readonly reason: "bad_signature" | "malformed") {
    super(`card event rejected: ${reason}`);
  }
}

type ForAttempt = { customerId: string; organizationId: string /** The idempotency key. */; attemptId: string };

/**
 * A card payment provider that bills a monthly subscription and never lets us see a card.
 *
 * Every method throws `UpstreamError`; an answer about another customer is `wrong_tenant`.
 */
export interface Cards {
  /** Name of the provider shown to people, e.g. "Stripe". */
  readonly providerName: string;
  /** Creates the customer of an organisation; repeated and concurrent calls return the same one. */
  createCustomer(organization: { id: string; name: string; email: string }): Promise<{ customerId: string }>;
  /** The organisation that a customer was created for; null for an unknown or deleted customer. */
  findOrganizationOf(customerId: string): Promise<string | null>;
  readCustomer(customerId: string): Promise<CustomerState>;
  /** Customers and subscriptions created since then (epoch milliseconds) that still exist. */
  listCreated(since: number): Promise<{
    customerIds: string[];
    subscriptions: { id: string; customerId: string }[];
  }>;
  /** A subscription that waits for its first payment. The same attempt gives the same subscription. */
  startSubscription(input: ForAttempt): Promise<ProviderSubscription>;
  getSubscription(customerId: string, subscriptionId: string): Promise<ProviderSubscription>;
  /** The provider's own page to subscribe on. The same attempt gives the same page. */
  startCheckout(input: ForAttempt & { successUrl: string; cancelUrl: string }): Promise<Checkout>;
  getCheckout(customerId: string, checkoutId: string): Promise<Checkout>;
  /** Makes an unpaid first invoice unpayable. A paid one stays, so fetch the state again afterwards. */
  withdrawSubscription(customerId: string, subscriptionId: string): Promise<void>;
  /** Makes an open checkout unusable. A completed one stays, so fetch the state again afterwards. */
  withdrawCheckout(checkoutId: string): Promise<void>;
  /** What a person can pay now for a subscription; null when nothing is open. */
  findOpenPayment(customerId: string, subscriptionId: string): Promise<OpenPayment | null>;
  setCancelAtPeriodEnd(subscriptionId: string, atPeriodEnd: boolean): Promise<void>;
  cancelNow(subscriptionId: string): Promise<void>;
  /** Charges the subscription to this saved card from now on. */
  payWithCard(subscriptionId: string, cardId: string): Promise<void>;
  /** The provider's page for card and invoices; "card" goes straight to the form for another card. */
  createPortal(input: { customerId: string; returnUrl: string; goTo: "home" | "card" }): Promise<{ url: string }>;
  /** New addresses of an invoice, because the provider's addresses expire. */
  getInvoiceLinks(customerId: string, invoiceId: string): Promise<{ pdfUrl: string | null; hostedUrl: string | null }>;
  /** The state of a payment, for a caller who knows its secret; null for a wrong secret or a different customer. */
  findPaymentStatus(customerId: string, clientSecret: string): Promise<string | null>;
  /** Checks a delivery's signature over its raw body. @throws CardEventRejected */
  readEvent(delivery: { rawBody: string; signature: string | null }): Promise<CardEvent>;
}
