import Stripe from "stripe";
import { expect, test } from "vitest";
import { createStripeBench } from "../../tests/support/stripe-bench";
import { TEST_ENV } from "../../tests/support/test-env";
import { RETRY_DELAYS_MS } from "./desk";

test("the same idempotency key answers the first answer, whatever happened since", async () => {
  const { stripe } = createStripeBench();
  const options = { idempotencyKey: "customer-1" };
  const first = await stripe.customers.create({ name: "One" }, options);
  await stripe.customers.update(first.id, { name: "Renamed" });
  const again = await stripe.customers.create({ name: "One" }, options);
  expect([again.id, again.name]).toEqual([first.id, "One"]);
  expect((await stripe.customers.list()).data).toHaveLength(1);
});

test("twenty creations with one key make one subscription", async () => {
  const { stripe } = createStripeBench();
  const customer = await stripe.customers.create({});
  const params = { customer: customer.id, items: [{ price: "p" }], payment_behavior: "default_incomplete" as const };
  const made = await Promise.all(
    Array.from({ length: 20 }, () => stripe.subscriptions.create(params, { idempotencyKey: "attempt-1" })),
  );
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
});

test("a key with other parameters is an idempotency error, and is forgotten after a day", async () => {
  const { stripe, bench } = createStripeBench();
  const options = { idempotencyKey: "k" };
  const first = await stripe.customers.create({ name: "One" }, options);
  await expect(stripe.customers.create({ name: "Two" }, options)).rejects.toBeInstanceOf(
    Stripe.errors.StripeIdempotencyError,
  );
  bench.advance(24 * 60 * 60 * 1000 + 1);
  expect((await stripe.customers.create({ name: "Two" }, options)).id).not.toBe(first.id);
});

test("errors have the provider's classes, codes and parameters", async () => {
  const { stripe, bench } = createStripeBench();
  await expect(stripe.subscriptions.retrieve("sub_none")).rejects.toMatchObject({
    type: "StripeInvalidRequestError",
    code: "resource_missing",
    statusCode: 404,
  });
  const unknown = { customer: "cus_1", colour: "blue" } as unknown as Stripe.SubscriptionCreateParams;
  await expect(stripe.subscriptions.create(unknown)).rejects.toMatchObject({
    code: "parameter_unknown",
    param: "colour",
  });
  await bench.postJson("/faults", { party: "stripe", fault: "401", times: 1 });
  await expect(stripe.customers.list()).rejects.toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
  await bench.postJson("/faults", { party: "stripe", fault: "429", times: 1 });
  await expect(stripe.customers.list()).rejects.toBeInstanceOf(Stripe.errors.StripeRateLimitError);
});

test("a lost acknowledgement is found again by its key", async () => {
  const { stripe, bench } = createStripeBench();
  await bench.postJson("/faults", { party: "stripe", fault: "lost_acknowledgement", times: 1 });
  const options = { idempotencyKey: "once" };
  await expect(stripe.customers.create({ name: "One" }, options)).rejects.toBeInstanceOf(Stripe.errors.StripeAPIError);
  await stripe.customers.create({ name: "One" }, options);
  expect((await stripe.customers.list()).data).toHaveLength(1);
});

test("lists page by cursor, newest first, and the SDK walks all pages", async () => {
  const { stripe } = createStripeBench();
  for (let i = 0; i < 25; i++) await stripe.customers.create({ name: `C${i}` });
  const page = await stripe.customers.list();
  expect([page.data.length, page.has_more, page.data[0]?.name]).toEqual([10, true, "C24"]);
  const names: (string | null | undefined)[] = [];
  for await (const customer of stripe.customers.list({ limit: 7 })) names.push(customer.name);
  expect(names).toEqual(Array.from({ length: 25 }, (_, i) => `C${24 - i}`));
});

test("customers are found by their metadata", async () => {
  const { stripe } = createStripeBench();
  await stripe.customers.create({ metadata: { organizationId: "a" } });
  const wanted = await stripe.customers.create({ metadata: { organizationId: "b" } });
  const found = await stripe.customers.search({ query: "metadata['organizationId']:'b'" });
  expect(found.data.map(({ id }) => id)).toEqual([wanted.id]);
});

test("events are signed so that the SDK believes them, and only untouched ones", async () => {
  const { stripe, bench } = createStripeBench();
  await stripe.customers.create({ name: "One" });
  await bench.simulators.idle();
  const { body, headers } = bench.deliveries[0] ?? { body: "", headers: new Headers() };
  const header = headers.get("stripe-signature") ?? "";
  const read = (text: string) =>
    stripe.webhooks.constructEventAsync(
      text,
      header,
      TEST_ENV.STRIPE_WEBHOOK_SECRETS,
      300,
      undefined,
      bench.clock.now(),
    );
  expect((await read(body)).type).toBe("customer.created");
  await expect(read(body.replace("One", "Two"))).rejects.toBeInstanceOf(Stripe.errors.StripeSignatureVerificationError);
});

test("an event that the app does not take is sent again for about three days", async () => {
  const { stripe, bench } = createStripeBench();
  bench.app.webhookStatus = 503;
  await stripe.customers.create({});
  await bench.simulators.idle();
  while (bench.timersSet() > 0) await bench.runNextTimer();
  expect(bench.deliveries).toHaveLength(1 + RETRY_DELAYS_MS.length);
  expect(new Set(bench.deliveries.map(({ body }) => (JSON.parse(body) as Stripe.Event).id)).size).toBe(1);
});

test("held deliveries wait until they are released, as often and in whatever order is asked for", async () => {
  const { stripe, bench, told } = createStripeBench();
  await bench.postJson("/stripe/events/hold", {});
  for (let i = 0; i < 5; i++) await stripe.customers.create({ name: `C${i}` });
  await bench.simulators.idle();
  expect(told()).toEqual([]);
  await bench.postJson("/stripe/events/release", { copies: 3, shuffle: true });
  expect(told()).toHaveLength(15);
});

test("a checkout makes its subscription when it is paid, and goes back to the merchant", async () => {
  const { stripe, bench } = createStripeBench();
  const customer = await stripe.customers.create({});
  const open = () =>
    stripe.checkout.sessions.create({
      mode: "subscription",
      customer: customer.id,
      line_items: [{ price: "price_standard", quantity: 1 }],
      success_url: "http://app.test/subscription?session={CHECKOUT_SESSION_ID}",
      cancel_url: "http://app.test/subscription",
      subscription_data: { metadata: { organizationId: "o" } },
    });
  const card = { number: "4242 4242 4242 4242", expiry: "12/34", cvc: "314" };
  const session = await open();
  const path = new URL(session.url ?? "").pathname;
  const refused = await bench.postForm(path, { ...card, number: "4000 0000 0000 0002" });
  expect([refused.status, await refused.text()]).toEqual([402, expect.stringContaining("Your card was declined.")]);
  expect((await stripe.subscriptions.list({ customer: customer.id })).data).toEqual([]);

  const paid = await bench.postForm(path, card);
  expect(paid.headers.get("location")).toBe(`http://app.test/subscription?session=${session.id}`);
  const [subscription] = (await stripe.subscriptions.list({ customer: customer.id })).data;
  expect(subscription).toMatchObject({ status: "active", metadata: { organizationId: "o" } });
  await expect(stripe.checkout.sessions.expire(session.id)).rejects.toThrow(/status of `complete`/);

  const unused = await open();
  expect((await stripe.checkout.sessions.expire(unused.id)).status).toBe("expired");
  await bench.postForm(new URL(unused.url ?? "").pathname, card);
  expect((await stripe.subscriptions.list({ customer: customer.id })).data).toHaveLength(1);
});

test("the portal saves another card, and leads back", async () => {
  const { stripe, subscribe, typeCard, bench } = createStripeBench();
  const { customer, clientSecret } = await subscribe();
  await typeCard(clientSecret, "4242424242424242");
  const session = await stripe.billingPortal.sessions.create({
    customer: customer.id,
    return_url: "http://app.test/subscription",
    flow_data: { type: "payment_method_update" },
  });
  const path = new URL(session.url).pathname;
  expect(await (await bench.get(path)).text()).toContain("Return to PayeeProof");
  const saved = await bench.postForm(`${path}/card`, { number: "5555555555554444", expiry: "11/33", cvc: "123" });
  expect(saved.headers.get("location")).toBe("http://app.test/subscription");
  const changed = await stripe.customers.retrieve(customer.id, { expand: ["invoice_settings.default_payment_method"] });
  expect(changed).toMatchObject({ invoice_settings: { default_payment_method: { card: { last4: "4444" } } } });
});

test("an invoice is a page to pay on and a PDF", async () => {
  const { subscribe, stripe, bench } = createStripeBench();
  const { invoice } = await subscribe();
  const path = new URL(invoice.hosted_invoice_url ?? "").pathname;
  await bench.postForm(path, { number: "4242424242424242", expiry: "12/34", cvc: "314" });
  expect((await stripe.invoices.retrieve(invoice.id)).status).toBe("paid");
  const pdf = await (await bench.get(new URL(invoice.invoice_pdf ?? "").pathname)).text();
  expect(pdf.startsWith("%PDF-1.4")).toBe(true);
  expect(pdf).toContain("including GST A$45.45");
});

test("a refund shows on its charge", async () => {
  const { subscribe, typeCard, stripe } = createStripeBench();
  const { clientSecret, paymentIntentId, customer } = await subscribe();
  await typeCard(clientSecret, "4242424242424242");
  await stripe.refunds.create({ payment_intent: paymentIntentId });
  const [charge] = (await stripe.charges.list({ customer: customer.id, expand: ["data.refunds"] })).data;
  expect(charge).toMatchObject({ refunded: true, amount_refunded: 50_000 });
  expect(charge?.refunds?.data).toHaveLength(1);
});

test("a customer that is deleted is named as deleted, is found no more, and its subscription ends", async () => {
  const { stripe } = createStripeBench();
  const { id: customer } = await stripe.customers.create({ email: "a@wattle.example", payment_method: "pm_card_amex" });
  const [card] = (await stripe.customers.listPaymentMethods(customer)).data;
  expect(card?.card).toMatchObject({ brand: "amex", last4: "0005" });
  const { id } = await stripe.subscriptions.create({
    customer,
    items: [{ price: "p" }],
    default_payment_method: card?.id,
    metadata: { organizationId: "a" },
  });
  const byMail = () => stripe.customers.search({ query: "email~'WATTLE' AND email:\"a@wattle.example\"" });
  expect((await byMail()).data.map((found) => found.id)).toEqual([customer]);
  const bySubscription = await stripe.subscriptions.search({
    query: "status:'active' AND metadata['organizationId']:'a'",
  });
  expect(bySubscription.data.map((found) => found.id)).toEqual([id]);
  await expect(stripe.customers.search({ query: "email is a" })).rejects.toMatchObject({ param: "query" });

  expect(await stripe.customers.del(customer)).toMatchObject({ id: customer, deleted: true });
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ id: customer, deleted: true });
  expect((await byMail()).data).toEqual([]);
  expect((await stripe.subscriptions.retrieve(id)).status).toBe("canceled");
  await expect(stripe.customers.update(customer, { name: "x" })).rejects.toMatchObject({ code: "resource_missing" });
});

test("what was made since an instant is listed, to the last page, and deleted customers are not", async () => {
  const { stripe, bench } = createStripeBench();
  const { cards } = bench;
  await stripe.customers.create({ name: "Before" });
  bench.advance(60_000);
  const since = bench.clock.now();
  const made: string[] = [];
  for (let count = 0; count < 101; count++) made.push((await stripe.customers.create({})).id);
  const [first = "", gone = ""] = made;
  const subscription = await stripe.subscriptions.create({
    customer: first,
    items: [{ price: "p" }],
    payment_behavior: "default_incomplete",
  });
  await stripe.customers.del(gone);
  const { customerIds, subscriptions } = await cards.listCreated(since);
  expect(new Set(customerIds)).toEqual(new Set(made.filter((id) => id !== gone)));
  expect(subscriptions).toEqual([{ id: subscription.id, customerId: first }]);
});
