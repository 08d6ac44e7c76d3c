import Stripe from "stripe";
import { createBench } from "./simulator-bench";

const SIMULATOR = "http://simulators.test/stripe";

/** The provider's official SDK, talking to a simulator of this very process. For tests. */
export function createStripeBench(options: { maxNetworkRetries?: number } = {}) {
  const bench = createBench();
  const stripe = new Stripe("sk_test_bench", {
    maxNetworkRetries: options.maxNetworkRetries ?? 0,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient((input: RequestInfo | URL, init?: RequestInit) => {
      const { pathname, search } = new URL(String(input));
      return bench.fetch(new Request(SIMULATOR + pathname + search, init));
    }),
  });

  return {
    bench,
    stripe,
    subscribe: (key?: string) => subscribe(stripe, bench.clock.now(), key),
    /** What the app was told, oldest first. */
    told: () => bench.deliveries.map(({ body }) => (JSON.parse(body) as Stripe.Event).type),
    /** Lets a customer's clock go on by days. */
    async passDays(clockId: string, days: number) {
      const { frozen_time } = await stripe.testHelpers.testClocks.retrieve(clockId);
      await stripe.testHelpers.testClocks.advance(clockId, { frozen_time: frozen_time + days * 86_400 });
    },
    typeCard: (clientSecret: string, number: string, returnUrl?: string) =>
      typeCard(bench.fetch, { clientSecret, number, returnUrl }),
  };
}

/** A customer on a clock of their own, with an incomplete subscription. */
async function subscribe(stripe: Stripe, nowMs: number, key?: string) {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: Math.floor(nowMs / 1000) });
  const customer = await stripe.customers.create({ name: "Harbour", test_clock: clock.id });
  const subscription = await stripe.subscriptions.create(
    {
      customer: customer.id,
      items: [{ price: "price_standard" }],
      payment_behavior: "default_incomplete",
      payment_settings: { save_default_payment_method: "on_subscription" },
      default_tax_rates: ["txr_gst"],
      metadata: { organizationId: "org-1" },
      expand: ["latest_invoice.confirmation_secret"],
    },
    key ? { idempotencyKey: key } : {},
  );
  const invoice = subscription.latest_invoice;
  if (!invoice || typeof invoice === "string") throw new Error("the invoice was not expanded");
  const clientSecret = invoice.confirmation_secret?.client_secret ?? "";
  return {
    clock,
    customer,
    subscription,
    invoice,
    clientSecret,
    paymentIntentId: clientSecret.split("_secret_")[0] ?? "",
  };
}

type TypedCard = { clientSecret: string; number: string; returnUrl?: string };

/** Types a card as the provider's own frame does, with the publishable key. */
async function typeCard(
  fetch: (request: Request) => Promise<Response>,
  { clientSecret, number, returnUrl = "http://app.test/subscription" }: TypedCard,
) {
  const id = clientSecret.split("_secret_")[0];
  const body = new URLSearchParams({
    client_secret: clientSecret,
    return_url: returnUrl,
    "payment_method_data[type]": "card",
    "payment_method_data[card][number]": number,
    "payment_method_data[card][exp_month]": "12",
    "payment_method_data[card][exp_year]": "2034",
    "payment_method_data[card][cvc]": "314",
  });
  const headers = { authorization: "Bearer pk_test_bench" };
  const answer = await fetch(
    new Request(`${SIMULATOR}/v1/payment_intents/${id}/confirm`, { method: "POST", headers, body }),
  );
  return (await answer.json()) as Stripe.PaymentIntent & { error?: { code: string; decline_code?: string } };
}
