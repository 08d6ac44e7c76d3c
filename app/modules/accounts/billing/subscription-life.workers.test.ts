import { auditLogs, billingAttempts } from "@db/database";
import { and, eq, isNull } from "drizzle-orm";
import { expect, test } from "vitest";
import { aBillingWorld } from "../../../../tests/support/billing";
import { losingConnection } from "../../../../tests/support/lost-connections";
import { findAccount } from "./account.server";
import { cancelSubscription, createSubscription, resumeSubscription } from "./manage-subscription.server";
import { requireLiveSubscription } from "./subscription.server";
import { readSubscriptionPage } from "./subscription-page.server";

test("from trial to payment to renewal, decline, recovery, cancelling, resuming and lapse", async () => {
  const billing = await aBillingWorld();
  const { world, actor, status, pay, passDays, stripe, organization } = billing;
  const access = () =>
    requireLiveSubscription(world, actor.organizationId).then(
      () => "open",
      (error) => error.status,
    );
  expect([await status(), await access()]).toEqual([null, "open"]);
  await billing.trialEndsIn(0);
  expect(await access()).toBe(402);

  const started = await createSubscription(world, actor);
  expect(started).toMatchObject({
    status: "incomplete",
    payment: { clientSecret: expect.stringContaining("_secret_") },
  });
  expect([await status(), await access()]).toEqual(["incomplete", 402]);
  await pay(started.payment?.clientSecret ?? "");
  await world.drain();
  expect([await status(), await access()]).toEqual(["active", "open"]);

  await passDays(31);
  expect(await status()).toBe("active");
  await billing.breakCard();
  await passDays(31);
  expect([await status(), await access()]).toEqual(["past_due", 402]);

  const owed = await createSubscription(world, actor);
  expect(owed).toMatchObject({ status: "past_due", payment: { clientSecret: expect.any(String) } });
  await pay(owed.payment?.clientSecret ?? "");
  await world.drain();
  expect([await status(), await access()]).toEqual(["active", "open"]);
  expect((await stripe.subscriptions.list({ customer: await billing.customerId(), status: "all" })).data).toHaveLength(
    1,
  );

  expect(await cancelSubscription(world, actor)).toMatchObject({ status: "active", cancelAtPeriodEnd: true });
  expect(await access()).toBe("open");
  expect(await resumeSubscription(world, actor)).toMatchObject({ status: "active", cancelAtPeriodEnd: false });
  await cancelSubscription(world, actor);
  await passDays(32);
  expect([await status(), await access()]).toEqual(["canceled", 402]);

  const again = await createSubscription(world, actor);
  expect(again.status).toBe("incomplete");
  await passDays(1);
  expect(await status()).toBe("incomplete_expired");
  const fresh = await createSubscription(world, actor);
  await pay(fresh.payment?.clientSecret ?? "");
  await world.drain();
  expect([await status(), await access()]).toEqual(["active", "open"]);
  expect((await organization()).stripeSubscriptionId).not.toBeNull();
});

test("a subscription that nobody pays for any more is unpaid, and paying its newest invoice brings it back", async () => {
  const billing = await aBillingWorld();
  const { world, actor, status, passDays, pay } = billing;
  await billing.subscribe();
  await billing.breakCard();
  const seen: unknown[] = [];
  for (const days of [31, 3, 5, 7]) {
    await passDays(days);
    seen.push(await status());
  }
  expect(seen).toEqual(["past_due", "past_due", "past_due", "unpaid"]);
  await passDays(31);
  const { status: owed, payment } = await createSubscription(world, actor);
  expect(owed).toBe("unpaid");
  await pay(payment?.clientSecret ?? "");
  await world.drain();
  expect(await status()).toBe("active");
});

test("twenty clicks at once make one customer, one attempt and one subscription, and all are given the same payment", async () => {
  const { world, actor, stripe, customerId, status } = await aBillingWorld();
  const all = await Promise.all(Array.from({ length: 20 }, () => createSubscription(world, actor)));
  expect(new Set(all.map(({ payment }) => payment?.clientSecret)).size).toBe(1);
  expect((await stripe.customers.list({ limit: 100 })).data).toHaveLength(1);
  expect((await stripe.subscriptions.list({ customer: await customerId(), status: "all" })).data).toHaveLength(1);
  const attempts = await world.db
    .select()
    .from(billingAttempts)
    .where(and(eq(billingAttempts.organizationId, actor.organizationId), isNull(billingAttempts.endedAt)));
  expect(attempts).toHaveLength(1);
  expect(await status()).toBe("incomplete");
});

test("twenty clicks at once for both ways of paying leave one thing that can be paid", async () => {
  const { world, actor, stripe, customerId, pay } = await aBillingWorld();
  const all = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) => createSubscription(world, actor, i % 2 === 0 ? "element" : "checkout")),
  );
  const given = all.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const customer = await customerId();
  const card = { number: "4242 4242 4242 4242", expiry: "12/34", cvc: "314" };
  for (const { payment, checkoutUrl } of given) {
    if (payment) await pay(payment.clientSecret);
    if (checkoutUrl) await world.visit(checkoutUrl, card);
  }
  await world.drain();
  const { data } = await stripe.subscriptions.list({ customer, status: "active" });
  expect(data).toHaveLength(1);
  expect((await stripe.charges.list({ customer })).data.filter((charge) => charge.paid)).toHaveLength(1);
});

test("a subscriber is told that they have subscribed already and given nothing to pay", async () => {
  const { world, actor, subscribe, stripe, customerId } = await aBillingWorld();
  await subscribe();
  expect(await createSubscription(world, actor)).toEqual({ status: "active", payment: null, checkoutUrl: null });
  expect(await createSubscription(world, actor, "checkout")).toMatchObject({ status: "active", checkoutUrl: null });
  expect((await stripe.subscriptions.list({ customer: await customerId(), status: "all" })).data).toHaveLength(1);
});

test("a person who paid while every event was lost is not asked to pay again", async () => {
  const { world, actor, pay, status } = await aBillingWorld();
  world.lose.webhooks = true;
  const { payment } = await createSubscription(world, actor);
  await pay(payment?.clientSecret ?? "");
  await world.drain();
  expect(await status()).toBe("incomplete");
  expect(await createSubscription(world, actor)).toMatchObject({ status: "active", payment: null });
  expect(await status()).toBe("active");
});

test("a hosted checkout subscribes, and starting the form afterwards finds it live", async () => {
  const { world, actor, status } = await aBillingWorld();
  const { checkoutUrl } = await createSubscription(world, actor, "checkout");
  const again = await createSubscription(world, actor, "checkout");
  expect(again.checkoutUrl).toBe(checkoutUrl);
  const paid = await world.visit(checkoutUrl ?? "", { number: "4242424242424242", expiry: "12/34", cvc: "314" });
  expect(paid.headers.get("location")).toBe("http://app.test/subscription?checkout=done");
  expect(await createSubscription(world, actor)).toMatchObject({ status: "active", payment: null });
  await world.drain();
  expect(await status()).toBe("active");
});

test("cancelling before anything was paid ends the attempt, and the next one is new", async () => {
  const { world, actor, status } = await aBillingWorld();
  const first = await createSubscription(world, actor);
  await cancelSubscription(world, actor);
  expect(["canceled", "incomplete_expired"]).toContain(await status());
  const second = await createSubscription(world, actor);
  expect(second.payment?.clientSecret).not.toBe(first.payment?.clientSecret);
});

test("there is nothing to cancel or resume before a subscription, and nothing twice after", async () => {
  const { world, actor, subscribe } = await aBillingWorld();
  await expect(cancelSubscription(world, actor)).rejects.toMatchObject({ status: 409, code: "NOTHING_TO_CANCEL" });
  await subscribe();
  await expect(resumeSubscription(world, actor)).rejects.toMatchObject({ status: 409, code: "NOTHING_TO_RESUME" });
  await cancelSubscription(world, actor);
  expect(await cancelSubscription(world, actor)).toMatchObject({ cancelAtPeriodEnd: true });
});

test.each(["timeout", "500", "503", "429", "malformed", "truncated", "empty", "401"])(
  "when the provider answers %s the person reads the specification's sentence, and the next try works",
  async (fault) => {
    const { world, actor, stripe } = await aBillingWorld({ timeoutMs: 50 });
    await world.fault({ party: "stripe", fault, times: 4, retryAfter: 0 });
    await expect(createSubscription(world, actor)).rejects.toMatchObject({
      status: 503,
      code: "SUBSCRIPTION_ERROR",
      message: "Unable to initialize the subscription process. Please try again.",
    });
    await world.clearFaults();
    expect(await createSubscription(world, actor)).toMatchObject({ status: "incomplete" });
    expect((await stripe.customers.list()).data).toHaveLength(1);
    expect((await stripe.subscriptions.list({ status: "all" })).data).toHaveLength(1);
  },
);

test("acknowledgements that are lost on the way make nothing twice", async () => {
  const { world, actor, stripe } = await aBillingWorld();
  await world.fault({ party: "stripe", fault: "lost_acknowledgement", times: 3 });
  await createSubscription(world, actor).catch(() => undefined);
  await world.clearFaults();
  await createSubscription(world, actor);
  expect((await stripe.customers.list()).data).toHaveLength(1);
  expect((await stripe.subscriptions.list({ status: "all" })).data).toHaveLength(1);
});

test("an answer about another customer is never used", async () => {
  const { world, actor, status } = await aBillingWorld();
  await createSubscription(world, actor);
  await world.fault({ party: "stripe", fault: "wrong_tenant", times: 20 });
  await expect(createSubscription(world, actor)).rejects.toMatchObject({ status: 503 });
  expect(await status()).toBe("incomplete");
});

test("a failed cancellation says the specification's sentence", async () => {
  const { world, actor, subscribe } = await aBillingWorld({ timeoutMs: 50 });
  await subscribe();
  await world.fault({ party: "stripe", fault: "500", times: 10 });
  await expect(cancelSubscription(world, actor)).rejects.toMatchObject({
    status: 503,
    message: "Failed to cancel subscription. Please try again.",
  });
});

test("what people do to the subscription, and what becomes of it, is in the trail", async () => {
  const { world, actor, subscribe } = await aBillingWorld();
  await subscribe();
  await cancelSubscription(world, actor);
  const rows = await world.db
    .select({ action: auditLogs.action, userId: auditLogs.userId })
    .from(auditLogs)
    .where(eq(auditLogs.organizationId, actor.organizationId))
    .orderBy(auditLogs.position);
  expect(rows).toEqual([
    { action: "subscription.payment_started", userId: actor.userId },
    { action: "subscription.status_changed", userId: actor.userId },
    { action: "subscription.status_changed", userId: null },
    { action: "subscription.cancelled", userId: actor.userId },
  ]);
});

test("a newer card saved in the portal pays from then on, also for a subscription with a card of its own", async () => {
  const { world, actor, subscribe, stripe, customerId, organization } = await aBillingWorld();
  const subscriptionId = await subscribe();
  const customer = await customerId();
  world.clock.advance(5_000);
  const session = await stripe.billingPortal.sessions.create({ customer });
  const path = `${new URL(session.url).pathname}/card`;
  await world.visit(path, { number: "5555555555554444", expiry: "11/33", cvc: "123" });
  await world.drain();
  const { default_payment_method: used } = await stripe.subscriptions.retrieve(subscriptionId, {
    expand: ["default_payment_method"],
  });
  expect(used).toMatchObject({ card: { last4: "4444" } });
  expect(await findAccount(world, actor.organizationId)).toMatchObject({ cardBrand: "mastercard", cardLast4: "4444" });
  expect((await organization()).subscriptionStatus).toBe("active");
});

test.each(["before", "after"] as const)(
  "connections to the database lost %s each write leave one of everything",
  async (when) => {
    const billing = await aBillingWorld();
    const { world, actor, stripe, status } = billing;
    const shaky = () => ({ ...world, db: losingConnection(world.db, when, 1) });
    await createSubscription(shaky(), actor);
    expect((await stripe.customers.list()).data).toHaveLength(1);
    expect((await stripe.subscriptions.list({ status: "all" })).data).toHaveLength(1);
    expect(await status()).toBe("incomplete");
    await billing.subscribe();
    expect(await cancelSubscription(shaky(), actor)).toMatchObject({ cancelAtPeriodEnd: true });
    const rows = await world.db
      .select({ action: auditLogs.action })
      .from(auditLogs)
      .where(eq(auditLogs.organizationId, actor.organizationId));
    expect(rows.filter(({ action }) => action === "subscription.cancelled")).toHaveLength(1);
    expect(rows.filter(({ action }) => action === "subscription.payment_started")).toHaveLength(1);
  },
);

test("subscribing and cancelling with nothing paid leaves the trial as it was", async () => {
  const { world, actor } = await aBillingWorld();
  await createSubscription(world, actor);
  expect((await cancelSubscription(world, actor)).status).toMatch(/canceled|incomplete_expired/);
  await expect(requireLiveSubscription(world, actor.organizationId)).resolves.toBeUndefined();
  const view = await readSubscriptionPage(world, actor);
  expect(view).toMatchObject({ status: null, step: "subscribe", canCancel: false, invoices: [] });
  expect(view.trial?.isOver).toBe(false);
});

test("subscribing while somebody else cancels is a conflict and no failure of the card provider", async () => {
  const { world, actor, stripe } = await aBillingWorld();
  await createSubscription(world, actor);
  const cards: typeof world.cards = {
    ...world.cards,
    getSubscription: async (...asked) => {
      const found = await world.cards.getSubscription(...asked);
      await cancelSubscription(world, actor);
      return found;
    },
  };
  await expect(createSubscription({ ...world, cards }, actor)).rejects.toMatchObject({
    status: 409,
    code: "SUBSCRIPTION_CHANGED",
  });
  expect((await stripe.subscriptions.list({ status: "all" })).data).toHaveLength(1);
});

test("a person who leaves the card form for the provider's page and pays nothing reads no failure", async () => {
  const { world, actor } = await aBillingWorld();
  await createSubscription(world, actor, "element");
  await createSubscription(world, actor, "checkout");
  const view = await readSubscriptionPage(world, actor);
  expect(view).toMatchObject({ status: null, step: "subscribe", invoices: [] });
});
