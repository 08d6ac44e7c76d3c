import { billingRecords, organizations } from "@db/database";
import { eq } from "drizzle-orm";
import Stripe from "stripe";
import { DAY_MS } from "~/kernel/dates";
import { createSubscription } from "~/modules/accounts/billing/manage-subscription.server";
import type { Actor } from "~/services-and-actor";
import { aMember } from "./factories";
import { aWorld, type World } from "./simulators";
import { TEST_ENV } from "./test-env";

/** The provider's SDK, for actions that only the provider's staff or people on its pages can take. */
function deskOf(world: World): Stripe {
  return new Stripe(TEST_ENV.STRIPE_SECRET_KEY, {
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(async (input: RequestInfo | URL, init?: RequestInit) => {
      const { pathname, search } = new URL(String(input));
      const { method, body } = init ?? {};
      const headers = new Headers(init?.headers);
      return world.ask(new Request(`${TEST_ENV.STRIPE_API_BASE}${pathname}${search}`, { method, body, headers }));
    }),
  });
}

/** Services with a card provider, a member of an organisation, and the member's actions with a card. */
export async function aBillingWorld(options: { timeoutMs?: number } = {}) {
  const world = aWorld(options);
  const actor = await aMember(world, { role: "admin" });
  const stripe = deskOf(world);
  const { organizationId } = actor;

  const organization = async () => {
    const [row] = await world.db.select().from(organizations).where(eq(organizations.id, organizationId));
    if (!row) throw new Error("the organisation is gone");
    return row;
  };
  const customerId = async () => (await organization()).stripeCustomerId ?? "";

  /** Types a card into the provider's frame. */
  async function pay(clientSecret: string, number = "4242424242424242") {
    const id = clientSecret.split("_secret_")[0];
    const body = new URLSearchParams({
      client_secret: clientSecret,
      "payment_method_data[card][number]": number,
      "payment_method_data[card][exp_month]": "12",
      "payment_method_data[card][exp_year]": "2034",
      "payment_method_data[card][cvc]": "314",
    });
    const headers = { authorization: "Bearer pk_test_simulator" };
    const url = `${TEST_ENV.STRIPE_API_BASE}/v1/payment_intents/${id}/confirm`;
    const answer = await world.ask(new Request(url, { method: "POST", headers, body }));
    return (await answer.json()) as { status?: string; error?: { code: string } };
  }

  return {
    world,
    actor,
    stripe,
    organization,
    customerId,
    pay,
    status: async () => (await organization()).subscriptionStatus,
    ledger: () => world.db.select().from(billingRecords).where(eq(billingRecords.organizationId, organizationId)),
    /** Subscribes and pays, events delivered. */
    async subscribe(by: Actor = actor) {
      const { payment } = await createSubscription(world, by);
      await pay(payment?.clientSecret ?? "");
      await world.drain();
      return (await organization()).stripeSubscriptionId ?? "";
    },
    /** Advances the provider's test clock of this customer and delivers the events. */
    async passDays(days: number) {
      await world.visit("/stripe/advance", { customer: await customerId(), days: String(days) });
      await world.drain();
    },
    /** The card that pays from now on fails when it is charged. */
    async breakCard() {
      const customer = await customerId();
      const method = await stripe.paymentMethods.attach("pm_card_chargeCustomerFail", { customer });
      await stripe.subscriptions.update((await organization()).stripeSubscriptionId ?? "", {
        default_payment_method: method.id,
      });
      await world.drain();
    },
    trialEndsIn: (days: number) =>
      world.db
        .update(organizations)
        .set({ trialEndsAt: world.clock.now() + days * DAY_MS })
        .where(eq(organizations.id, organizationId)),
    async mailsTo(subject: RegExp) {
      await world.drain();
      return (await world.mails()).filter((mail) => mail.to === actor.email && subject.test(mail.subject));
    },
  };
}

export type BillingWorld = Awaited<ReturnType<typeof aBillingWorld>>;
