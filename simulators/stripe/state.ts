import type { SimulatorContext } from "../party";
import type {
  Charge,
  CheckoutSession,
  Customer,
  Invoice,
  PaymentIntent,
  PaymentMethod,
  PortalSession,
  Price,
  Refund,
  StripeEvent,
  Subscription,
  TaxRate,
  TestClock,
} from "./objects";

/** A first answer kept under its idempotency key. */
type KeptAnswer = { fingerprint: string; status: number; body: string; at: number };

export type StripeState = {
  customers: Record<string, Customer>;
  paymentMethods: Record<string, PaymentMethod>;
  subscriptions: Record<string, Subscription>;
  invoices: Record<string, Invoice>;
  paymentIntents: Record<string, PaymentIntent>;
  charges: Record<string, Charge>;
  refunds: Record<string, Refund>;
  checkoutSessions: Record<string, CheckoutSession>;
  portalSessions: Record<string, PortalSession>;
  clocks: Record<string, TestClock>;
  events: StripeEvent[];
  kept: Record<string, KeptAnswer>;
  invoiceNumbers: number;
  /** Deliveries wait until they are released: to test shuffled, doubled and late ones. */
  held: string[] | null;
};

export function stripeState(context: Pick<SimulatorContext, "slice">): StripeState {
  return context.slice<StripeState>("stripe", () => ({
    customers: {},
    paymentMethods: {},
    subscriptions: {},
    invoices: {},
    paymentIntents: {},
    charges: {},
    refunds: {},
    checkoutSessions: {},
    portalSessions: {},
    clocks: {},
    events: [],
    kept: {},
    invoiceNumbers: 0,
    held: null,
  }));
}

/** The one plan: A$500.00 a month, GST inside. Any price id is this price. */
export const UNIT_AMOUNT = 50_000;
const CATALOGUE_CREATED = 1_750_000_000;

export function priceOf(id: string): Price {
  return {
    id,
    object: "price",
    active: true,
    currency: "aud",
    unit_amount: UNIT_AMOUNT,
    type: "recurring",
    recurring: { interval: "month", interval_count: 1, usage_type: "licensed" },
    product: "prod_payeeproof",
    nickname: "PayeeProof Standard",
    tax_behavior: "inclusive",
    created: CATALOGUE_CREATED,
    livemode: false,
  };
}

/** Any tax rate id is GST: ten per cent, inside the price. */
export function taxRateOf(id: string): TaxRate {
  return {
    id,
    object: "tax_rate",
    active: true,
    country: "AU",
    display_name: "GST",
    inclusive: true,
    percentage: 10,
    created: CATALOGUE_CREATED,
    livemode: false,
  };
}
