/** What the stand-in keeps, in the provider's own shape (docs.stripe.com/api): unexpanded, instants in seconds. */

type Metadata = Record<string, string>;

export type Customer = {
  id: string;
  object: "customer";
  created: number;
  name: string | null;
  email: string | null;
  metadata: Metadata;
  invoice_settings: { default_payment_method: string | null };
  test_clock: string | null;
  livemode: false;
  /** It has ended: only its id is left. */
  deleted?: true;
};

export type PaymentMethod = {
  id: string;
  object: "payment_method";
  type: "card";
  created: number;
  customer: string | null;
  card: {
    brand: string;
    last4: string;
    exp_month: number;
    exp_year: number;
    country: string;
    funding: "credit" | "debit";
  };
  livemode: false;
  /** Not part of the provider's shape and never sent: how the card behaves. */
  behaviour: string;
};

export type SubscriptionStatus =
  | "incomplete"
  | "incomplete_expired"
  | "trialing"
  | "active"
  | "past_due"
  | "unpaid"
  | "canceled"
  | "paused";

export type Subscription = {
  id: string;
  object: "subscription";
  created: number;
  customer: string;
  status: SubscriptionStatus;
  currency: "aud";
  collection_method: "charge_automatically";
  billing_cycle_anchor: number;
  start_date: number;
  cancel_at_period_end: boolean;
  cancel_at: number | null;
  canceled_at: number | null;
  ended_at: number | null;
  trial_end: number | null;
  default_payment_method: string | null;
  default_tax_rates: string[];
  latest_invoice: string | null;
  pending_setup_intent: null;
  payment_settings: { save_default_payment_method: "off" | "on_subscription" };
  metadata: Metadata;
  items: SubscriptionItem[];
  test_clock: string | null;
  livemode: false;
};

type SubscriptionItem = {
  id: string;
  object: "subscription_item";
  price: string;
  quantity: number;
  current_period_start: number;
  current_period_end: number;
};

export type Invoice = {
  id: string;
  object: "invoice";
  created: number;
  customer: string;
  currency: "aud";
  number: string | null;
  status: "draft" | "open" | "paid" | "uncollectible" | "void";
  billing_reason: "subscription_create" | "subscription_cycle";
  collection_method: "charge_automatically";
  amount_due: number;
  amount_paid: number;
  amount_remaining: number;
  subtotal: number;
  subtotal_excluding_tax: number;
  total: number;
  total_excluding_tax: number;
  total_taxes: {
    amount: number;
    tax_behavior: "inclusive" | "exclusive";
    taxability_reason: "standard_rated";
    taxable_amount: number;
    tax_rate_details: { tax_rate: string };
    type: "tax_rate_details";
  }[];
  attempt_count: number;
  attempted: boolean;
  auto_advance: boolean;
  next_payment_attempt: number | null;
  period_start: number;
  period_end: number;
  hosted_invoice_url: string | null;
  invoice_pdf: string | null;
  parent: {
    type: "subscription_details";
    quote_details: null;
    subscription_details: { subscription: string; metadata: Metadata };
  };
  status_transitions: {
    finalized_at: number | null;
    paid_at: number | null;
    voided_at: number | null;
    marked_uncollectible_at: number | null;
  };
  metadata: Metadata;
  test_clock: string | null;
  livemode: false;
  /** Not sent: the payment behind `confirmation_secret` and `payments`. */
  payment: string | null;
};

export type CardError = {
  type: "card_error";
  code: string;
  decline_code?: string;
  message: string;
  payment_method?: string;
};

export type PaymentIntent = {
  id: string;
  object: "payment_intent";
  created: number;
  amount: number;
  currency: "aud";
  customer: string;
  client_secret: string;
  status: "requires_payment_method" | "requires_action" | "processing" | "succeeded" | "canceled";
  payment_method: string | null;
  latest_charge: string | null;
  last_payment_error: CardError | null;
  next_action: { type: "redirect_to_url"; redirect_to_url: { url: string; return_url: string | null } } | null;
  metadata: Metadata;
  livemode: false;
  /** Not sent: the invoice it pays. */
  invoice: string;
};

export type Charge = {
  id: string;
  object: "charge";
  created: number;
  amount: number;
  amount_refunded: number;
  currency: "aud";
  customer: string;
  payment_intent: string;
  payment_method: string;
  status: "succeeded" | "failed" | "pending";
  paid: boolean;
  refunded: boolean;
  disputed: boolean;
  failure_code: string | null;
  failure_message: string | null;
  description: string;
  metadata: Metadata;
  livemode: false;
};

export type Refund = {
  id: string;
  object: "refund";
  created: number;
  amount: number;
  currency: "aud";
  charge: string;
  payment_intent: string;
  status: "succeeded";
  reason: string | null;
  metadata: Metadata;
};

export type CheckoutSession = {
  id: string;
  object: "checkout.session";
  created: number;
  expires_at: number;
  mode: "subscription";
  customer: string;
  client_reference_id: string | null;
  status: "open" | "complete" | "expired";
  payment_status: "unpaid" | "paid";
  subscription: string | null;
  invoice: string | null;
  success_url: string;
  cancel_url: string | null;
  url: string | null;
  currency: "aud";
  amount_total: number;
  metadata: Metadata;
  livemode: false;
  /** Not sent: what the subscription will be, and the card that waits for its bank. */
  order: { price: string; taxRates: string[]; metadata: Metadata };
  waitingCard: string | null;
};

export type PortalSession = {
  id: string;
  object: "billing_portal.session";
  created: number;
  customer: string;
  return_url: string;
  url: string;
  flow: { type: string } | null;
  livemode: false;
};

export type TestClock = {
  id: string;
  object: "test_helpers.test_clock";
  created: number;
  frozen_time: number;
  name: string | null;
  status: "ready";
  livemode: false;
};

export type StripeEvent = {
  id: string;
  object: "event";
  api_version: string;
  created: number;
  type: string;
  data: { object: unknown };
  livemode: false;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
};

export type TaxRate = {
  id: string;
  object: "tax_rate";
  active: boolean;
  country: string;
  display_name: string;
  inclusive: boolean;
  percentage: number;
  created: number;
  livemode: false;
};

export type Price = {
  id: string;
  object: "price";
  active: boolean;
  currency: "aud";
  unit_amount: number;
  type: "recurring";
  recurring: { interval: "month"; interval_count: 1; usage_type: "licensed" };
  product: string;
  nickname: string;
  tax_behavior: "inclusive";
  created: number;
  livemode: false;
};
