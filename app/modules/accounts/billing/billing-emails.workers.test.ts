import { outbox } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { systemActor } from "~/services-and-actor";
import { aBillingWorld } from "../../../../tests/support/billing";
import { aMember } from "../../../../tests/support/factories";
import { cancelSubscription, createSubscription, resumeSubscription } from "./manage-subscription.server";
import { reconcileBilling, syncBilling } from "./sync-billing.server";
import { sendTrialReminders } from "./trial-reminders.server";

test("members who can act are reminded once that the trial ends, three days before", async () => {
  const billing = await aBillingWorld();
  const { world, actor } = billing;
  const reader = await aMember(world, {
    role: "read_only",
    organization: { id: actor.organizationId, name: actor.organizationName },
  });
  await billing.trialEndsIn(4);
  await sendTrialReminders(world);
  expect(await billing.mailsTo(/trial ends/)).toEqual([]);
  world.clock.advance(DAY_MS);
  await Promise.all([sendTrialReminders(world), sendTrialReminders(world)]);
  await sendTrialReminders(world);
  const [mail, ...more] = await billing.mailsTo(/trial ends on 24 Nov 2026/);
  expect(more).toEqual([]);
  expect(mail?.text).toContain("$500.00 a month, GST included");
  expect(mail?.links).toContain("http://app.test/subscription");
  expect((await world.mails()).filter(({ to }) => to === reader.email)).toEqual([]);
});

test("nobody is reminded of a trial that is over or was followed by a subscription", async () => {
  const over = await aBillingWorld();
  await over.trialEndsIn(0);
  const paid = await aBillingWorld();
  await paid.subscribe();
  await paid.trialEndsIn(2);
  await sendTrialReminders(over.world);
  expect([await over.mailsTo(/trial/), await paid.mailsTo(/trial/)]).toEqual([[], []]);
});

test("a failed renewal is told at each try, once, and differently when it was the last", async () => {
  const billing = await aBillingWorld();
  await billing.subscribe();
  await billing.breakCard();
  for (const days of [31, 3, 5, 7]) await billing.passDays(days);
  await syncBilling(billing.world, systemActor(billing.actor.organizationId, "again"));
  const mails = await billing.mailsTo(/Payment failed: \$500\.00/);
  expect(mails.map(({ text }) => text.includes("will not try again automatically"))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test("a first payment that fails is told on the page alone", async () => {
  const billing = await aBillingWorld();
  const { payment } = await createSubscription(billing.world, billing.actor);
  const { error } = await billing.pay(payment?.clientSecret ?? "", "4000000000000002");
  expect(error?.code).toBe("card_declined");
  expect(await billing.mailsTo(/./)).toEqual([]);
});

test("cancelling, and the end, are confirmed once each; taking it back and cancelling again is confirmed anew", async () => {
  const billing = await aBillingWorld();
  const { world, actor } = billing;
  await billing.subscribe();
  await cancelSubscription(world, actor);
  await cancelSubscription(world, actor);
  expect(await billing.mailsTo(/Subscription cancelled: it runs until 20 Dec 2026/)).toHaveLength(1);
  world.clock.advance(5_000);
  await resumeSubscription(world, actor);
  await cancelSubscription(world, actor);
  expect(await billing.mailsTo(/Subscription cancelled/)).toHaveLength(2);
  await billing.passDays(32);
  await syncBilling(world, systemActor(actor.organizationId, "again"));
  expect(await billing.mailsTo(/subscription has ended/)).toHaveLength(1);
});

test("a card that runs out before the next charge is told once", async () => {
  const billing = await aBillingWorld();
  const { world, stripe } = billing;
  await billing.subscribe();
  expect(await billing.mailsTo(/expires soon/)).toEqual([]);
  world.clock.advance(5_000);
  const session = await stripe.billingPortal.sessions.create({ customer: await billing.customerId() });
  const card = { number: "5555555555554444", expiry: "11/26", cvc: "123" };
  await world.visit(`${new URL(session.url).pathname}/card`, card);
  await world.drain();
  await syncBilling(world, systemActor(billing.actor.organizationId, "again"));
  const [mail, ...more] = await billing.mailsTo(/card ending in 4444 expires soon/);
  expect(more).toEqual([]);
  expect(mail?.text).toContain("11/2026");
});

test("the ledger holds every subscription, invoice, payment and refund, once, and follows what becomes of them", async () => {
  const billing = await aBillingWorld();
  const { world, actor, stripe } = billing;
  const { payment } = await createSubscription(world, actor);
  await billing.pay(payment?.clientSecret ?? "", "4000000000009995");
  await billing.pay(payment?.clientSecret ?? "");
  await world.drain();
  await stripe.refunds.create({ payment_intent: payment?.clientSecret.split("_secret_")[0] });
  await world.drain();
  await billing.passDays(31);
  const lines = (await billing.ledger()).map(({ type, status, amount, taxAmount }) => [
    type,
    status,
    amount,
    taxAmount,
  ]);
  expect(lines.sort()).toEqual(
    [
      ["subscription", "paid", 50_000, null],
      ["invoice", "paid", 50_000, 4_545],
      ["invoice", "paid", 50_000, 4_545],
      ["payment", "failed", 50_000, null],
      ["payment", "refunded", 50_000, null],
      ["payment", "paid", 50_000, null],
      ["refund", "refunded", 50_000, null],
    ].sort(),
  );
  const [invoice] = (await billing.ledger()).filter(({ type }) => type === "invoice");
  expect(invoice).toMatchObject({ number: expect.stringMatching(/^PAYEE-/), paidAt: expect.any(Number) });
});

test("the nightly walk finds what every lost event would have told, and promises one look per customer", async () => {
  const billing = await aBillingWorld();
  const { world, stripe } = billing;
  const subscriptionId = await billing.subscribe();
  world.lose.webhooks = true;
  await stripe.subscriptions.cancel(subscriptionId);
  expect(await billing.status()).toBe("active");
  expect(await reconcileBilling(world)).toBeGreaterThan(0);
  await reconcileBilling(world);
  const jobs = await world.db
    .select({ id: outbox.id })
    .from(outbox)
    .where(
      and(
        eq(outbox.subjectId, await billing.customerId()),
        eq(outbox.kind, "billing_sync"),
        eq(outbox.status, "pending"),
      ),
    );
  expect(jobs).toHaveLength(1);
  world.clock.advance(DAY_MS);
  world.sent.push({ queue: "jobs", jobId: jobs[0]?.id ?? "" });
  await world.drain();
  expect(await billing.status()).toBe("canceled");
});
