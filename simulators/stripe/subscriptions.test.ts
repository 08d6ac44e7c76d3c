import type Stripe from "stripe";
import { expect, test } from "vitest";
import { createStripeBench } from "../../tests/support/stripe-bench";

const HOUR_SECONDS = 3_600;
const endOf = (subscription: Stripe.Subscription) => subscription.items.data[0]?.current_period_end;

test("a default_incomplete subscription waits for its first payment, and is active once a card paid", async () => {
  const { stripe, subscribe, typeCard, told, bench } = createStripeBench();
  const { subscription, invoice, clientSecret, customer } = await subscribe();
  expect(subscription.status).toBe("incomplete");
  expect(invoice).toMatchObject({ status: "open", total: 50_000, currency: "aud", attempt_count: 0 });
  expect(invoice.total_taxes?.[0]).toMatchObject({ amount: 4_545, tax_behavior: "inclusive" });
  expect(invoice.confirmation_secret?.type).toBe("payment_intent");

  expect(await typeCard(clientSecret, "4242424242424242")).toMatchObject({ status: "succeeded" });
  const paid = await stripe.subscriptions.retrieve(subscription.id, { expand: ["default_payment_method"] });
  expect(paid.status).toBe("active");
  expect(paid.default_payment_method).toMatchObject({ card: { brand: "visa", last4: "4242" }, customer: customer.id });
  expect((await stripe.invoices.retrieve(invoice.id)).status).toBe("paid");
  await bench.simulators.idle();
  // They are delivered side by side, as the real ones are: nobody may count on their order.
  expect(told().sort()).toEqual([
    "charge.succeeded",
    "customer.created",
    "customer.subscription.created",
    "customer.subscription.updated",
    "invoice.created",
    "invoice.finalized",
    "invoice.paid",
    "invoice.payment_succeeded",
    "payment_intent.created",
    "payment_intent.succeeded",
  ]);
});

test("the secret of a confirmation is shown only when it is expanded", async () => {
  const { stripe, subscribe } = createStripeBench();
  const { invoice } = await subscribe();
  expect(await stripe.invoices.retrieve(invoice.id)).not.toHaveProperty("confirmation_secret");
  const expanded = await stripe.invoices.retrieve(invoice.id, { expand: ["confirmation_secret", "payments"] });
  expect(expanded.confirmation_secret?.client_secret).toContain("_secret_");
  expect(expanded.payments?.data[0]?.payment.type).toBe("payment_intent");
});

test("a first payment that does not come within 23 hours expires the subscription and voids its invoice", async () => {
  const { stripe, subscribe, clockAdvance } = withAdvance();
  const { subscription, invoice, clock } = await subscribe();
  await clockAdvance(clock.id, 23 * HOUR_SECONDS - 1);
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe("incomplete");
  await clockAdvance(clock.id, 1);
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe("incomplete_expired");
  expect((await stripe.invoices.retrieve(invoice.id)).status).toBe("void");
});

test("voiding the first invoice expires an incomplete subscription, and a paid invoice cannot be voided", async () => {
  const { stripe, subscribe, typeCard } = createStripeBench();
  const open = await subscribe();
  await stripe.invoices.voidInvoice(open.invoice.id);
  expect((await stripe.subscriptions.retrieve(open.subscription.id)).status).toBe("incomplete_expired");
  const paid = await subscribe();
  await typeCard(paid.clientSecret, "4242424242424242");
  await expect(stripe.invoices.voidInvoice(paid.invoice.id)).rejects.toThrow(/only void open/);
});

test("a month later the card on file is charged and the period moves on", async () => {
  const { stripe, subscribe, typeCard, passDays } = createStripeBench();
  const { subscription, clientSecret, clock, customer } = await subscribe();
  await typeCard(clientSecret, "4242424242424242");
  await passDays(clock.id, 31);
  const renewed = await stripe.subscriptions.retrieve(subscription.id);
  expect(renewed.status).toBe("active");
  expect(endOf(renewed)).toBeGreaterThan(endOf(subscription) ?? 0);
  const invoices = await stripe.invoices.list({ customer: customer.id });
  expect(invoices.data.map(({ status, billing_reason }) => [status, billing_reason])).toEqual([
    ["paid", "subscription_cycle"],
    ["paid", "subscription_create"],
  ]);
});

test("a renewal that fails is tried three times more, then the subscription is unpaid and its invoices stay drafts", async () => {
  const { stripe, subscribe, typeCard, passDays } = createStripeBench();
  const { subscription, clientSecret, clock, customer } = await subscribe();
  await typeCard(clientSecret, "4242424242424242");
  const failing = await stripe.paymentMethods.attach("pm_card_chargeCustomerFail", { customer: customer.id });
  await stripe.subscriptions.update(subscription.id, { default_payment_method: failing.id });
  const status = async () => (await stripe.subscriptions.retrieve(subscription.id)).status;
  const seen: string[] = [];
  for (const days of [31, 3, 5, 7]) {
    await passDays(clock.id, days);
    seen.push(await status());
  }
  expect(seen).toEqual(["past_due", "past_due", "past_due", "unpaid"]);
  const charges = await stripe.charges.list({ customer: customer.id, limit: 100 });
  expect(charges.data.filter((charge) => charge.status === "failed")).toHaveLength(4);

  await passDays(clock.id, 31);
  const latest = (await stripe.invoices.list({ customer: customer.id, limit: 1 })).data[0];
  expect(latest?.status).toBe("draft");
  const finalized = await stripe.invoices.finalizeInvoice(latest?.id ?? "");
  await stripe.invoices.pay(finalized.id, { payment_method: "pm_card_visa" });
  expect(await status()).toBe("active");
});

test("cancelling at the period's end keeps the service until then, and can be taken back before", async () => {
  const { stripe, subscribe, typeCard, passDays } = createStripeBench();
  const { subscription, clientSecret, clock } = await subscribe();
  await typeCard(clientSecret, "4242424242424242");
  const cancelled = await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
  expect(cancelled).toMatchObject({ status: "active", cancel_at_period_end: true });
  expect(cancelled.canceled_at).not.toBeNull();
  const resumed = await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false });
  expect(resumed).toMatchObject({ cancel_at_period_end: false, canceled_at: null });
  await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
  await passDays(clock.id, 31);
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe("canceled");
});

test.each([
  ["4000000000000002", "card_declined", "generic_decline"],
  ["4000000000009995", "card_declined", "insufficient_funds"],
  ["4000000000000069", "expired_card", undefined],
  ["4000000000000127", "incorrect_cvc", undefined],
  ["4242424242424241", "incorrect_number", undefined],
])("the card %s is refused as %s %s, and the payment stays open for another", async (number, code, decline) => {
  const { stripe, subscribe, typeCard } = createStripeBench();
  const { clientSecret, paymentIntentId, subscription } = await subscribe();
  const { error } = await typeCard(clientSecret, number);
  expect([error?.code, error?.decline_code]).toEqual([code, decline]);
  expect((await stripe.paymentIntents.retrieve(paymentIntentId)).status).toBe("requires_payment_method");
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe("incomplete");
  expect(await typeCard(clientSecret, "4242424242424242")).toMatchObject({ status: "succeeded" });
});

test.each([
  ["confirm", "succeeded", "active"],
  ["refuse", "requires_payment_method", "incomplete"],
])("a card that asks its bank, which says %s, leaves the payment %s", async (answer, payment, status) => {
  const { stripe, subscribe, typeCard, bench } = createStripeBench();
  const { clientSecret, paymentIntentId, subscription } = await subscribe();
  const intent = await typeCard(clientSecret, "4000002500003155");
  expect(intent.status).toBe("requires_action");
  const page = new URL(intent.next_action?.redirect_to_url?.url ?? "");
  const back = await bench.postForm(page.pathname + page.search, { answer });
  const location = new URL(back.headers.get("location") ?? "");
  expect(location.pathname).toBe("/subscription");
  expect(location.searchParams.get("payment_intent_client_secret")).toBe(clientSecret);
  expect((await stripe.paymentIntents.retrieve(paymentIntentId)).status).toBe(payment);
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe(status);
});

function withAdvance() {
  const made = createStripeBench();
  return {
    ...made,
    async clockAdvance(id: string, seconds: number) {
      const { frozen_time } = await made.stripe.testHelpers.testClocks.retrieve(id);
      await made.stripe.testHelpers.testClocks.advance(id, { frozen_time: frozen_time + seconds });
    },
  };
}
