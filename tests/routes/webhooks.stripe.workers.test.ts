import { outbox, webhookEvents } from "@db/database";
import { and, eq } from "drizzle-orm";
import Stripe from "stripe";
import { expect, test } from "vitest";
import { syncBilling } from "~/modules/accounts/billing/sync-billing.server";
import type { Cards } from "~/ports/cards";
import { systemActor } from "~/services-and-actor";
import { aBillingWorld, type BillingWorld } from "../support/billing";
import { TEST_ENV } from "../support/test-env";

const SECRET = TEST_ENV.STRIPE_WEBHOOK_SECRETS;
const MINUTE = 60;

type Signing = { secret?: string; at?: number; header?: string | null; body?: string };

let serial = 0;
const anEvent = (customer: string | null, type = "customer.subscription.updated") => {
  serial += 1;
  return {
    id: `evt_test${serial}`,
    object: "event",
    type,
    data: { object: { object: "subscription", id: "sub_1", customer } },
  };
};

/** Delivers an event, signed by the provider's own SDK unless told otherwise. */
async function deliver({ world }: BillingWorld, event: object, { secret = SECRET, at, header, body }: Signing = {}) {
  const payload = JSON.stringify(event);
  const timestamp = at ?? Math.floor(world.clock.now() / 1000);
  const cryptoProvider = Stripe.createSubtleCryptoProvider();
  const signed = await new Stripe("sk_test_x").webhooks.generateTestHeaderStringAsync({
    payload,
    secret,
    timestamp,
    cryptoProvider,
  });
  const headers = new Headers({ "content-type": "application/json" });
  if (header !== null) headers.set("Stripe-Signature", header ?? signed);
  const url = `${TEST_ENV.APP_ORIGIN}/webhooks/stripe`;
  return world.webhook(new Request(url, { method: "POST", headers, body: body ?? payload }));
}

async function stored({ world }: BillingWorld, event: { id: string }) {
  const events = await world.db
    .select()
    .from(webhookEvents)
    .where(and(eq(webhookEvents.provider, "stripe"), eq(webhookEvents.eventId, event.id)));
  return events.length;
}

const jobsAbout = ({ world }: BillingWorld, customer: string) =>
  world.db
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(eq(outbox.subjectId, customer), eq(outbox.kind, "billing_sync")));

const strange = () => `cus_stranger${crypto.randomUUID().slice(0, 8)}`;

test("an event that the provider signed is stored and looked after", async () => {
  const billing = await aBillingWorld();
  const customer = strange();
  const event = anEvent(customer);
  const answer = await deliver(billing, event);
  expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
  expect(await stored(billing, event)).toBe(1);
  expect(await jobsAbout(billing, customer)).toHaveLength(1);
});

test.each<[string, (now: number) => Signing]>([
  ["without a signature", () => ({ header: null })],
  ["with an empty signature", () => ({ header: "" })],
  ["with a signature that is none", () => ({ header: "v1=abc" })],
  ["signed with another key", () => ({ secret: "whsec_another" })],
  ["tampered with", () => ({ body: '{"id":"evt_evil","type":"invoice.paid","data":{"object":{}}}' })],
  ["signed more than five minutes ago", (now) => ({ at: now - 5 * MINUTE - 1 })],
  ["signed more than five minutes ahead", (now) => ({ at: now + 5 * MINUTE + 1 })],
  ["signed by an older scheme alone", (now) => ({ header: `t=${now},v0=${"0".repeat(64)}` })],
])("an event %s is refused and leaves nothing behind", async (_, signing) => {
  const billing = await aBillingWorld();
  const customer = strange();
  const event = anEvent(customer);
  const answer = await deliver(billing, event, signing(Math.floor(billing.world.clock.now() / 1000)));
  expect(answer.status).toBe(401);
  expect(await stored(billing, event)).toBe(0);
  expect(await jobsAbout(billing, customer)).toEqual([]);
});

test.each([-5 * MINUTE, 5 * MINUTE])("a clock that is %i seconds off is borne with", async (offset) => {
  const billing = await aBillingWorld();
  const at = Math.floor(billing.world.clock.now() / 1000) + offset;
  expect((await deliver(billing, anEvent(strange()), { at })).status).toBe(200);
});

test("an event replayed later, with its old signature, is refused; sent again by the provider it changes nothing", async () => {
  const billing = await aBillingWorld();
  const customer = strange();
  const event = anEvent(customer);
  const at = Math.floor(billing.world.clock.now() / 1000);
  expect((await deliver(billing, event, { at })).status).toBe(200);
  expect((await deliver(billing, event, { at })).status).toBe(200);
  billing.world.clock.advance(6 * MINUTE * 1000);
  expect((await deliver(billing, event, { at })).status).toBe(401);
  expect((await deliver(billing, event)).status).toBe(200);
  expect(await stored(billing, event)).toBe(1);
  expect(await jobsAbout(billing, customer)).toHaveLength(1);
});

test("twenty deliveries of one event at once have one effect", async () => {
  const billing = await aBillingWorld();
  const customer = strange();
  const event = anEvent(customer);
  const answers = await Promise.all(Array.from({ length: 20 }, () => deliver(billing, event)));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(await stored(billing, event)).toBe(1);
  expect(await jobsAbout(billing, customer)).toHaveLength(1);
});

test("different events of one customer that come together are one look", async () => {
  const billing = await aBillingWorld();
  const customer = strange();
  const events = Array.from({ length: 5 }, () => anEvent(customer));
  for (const event of events) await deliver(billing, event);
  expect(await jobsAbout(billing, customer)).toHaveLength(1);
});

test("an event of a kind nobody wrote for is acknowledged, kept and left alone", async () => {
  const billing = await aBillingWorld();
  for (const event of [anEvent(strange(), "radar.early_fraud_warning.created"), anEvent(null, "account.updated")]) {
    expect((await deliver(billing, event)).status).toBe(200);
    expect(await stored(billing, event)).toBe(1);
  }
  expect(billing.world.sent).toEqual([]);
});

test("a signed body that is no event is refused as such", async () => {
  const billing = await aBillingWorld();
  expect((await deliver(billing, { hello: "there" })).status).toBe(400);
});

test("an event of a customer that is not ours changes nothing", async () => {
  const billing = await aBillingWorld();
  await deliver(billing, anEvent(strange()));
  await billing.world.drain();
  expect(await billing.status()).toBeNull();
  expect(billing.world.log.lines.map(({ event }) => event)).toContain("billing.unknown_customer");
});

test("a customer that we made and could not store is found again by its event", async () => {
  const billing = await aBillingWorld();
  const { world, actor, stripe } = billing;
  const customer = await stripe.customers.create({ metadata: { organizationId: actor.organizationId } });
  await world.drain();
  expect(await billing.customerId()).toBe(customer.id);
});

test("events shuffled, doubled and late always end in the provider's truth", async () => {
  const billing = await aBillingWorld();
  const { world, stripe, passDays } = billing;
  const subscriptionId = await billing.subscribe();
  for (let round = 0; round < 4; round++) {
    await world.visit("/stripe/events/hold", {});
    if (round === 1) await billing.breakCard();
    else if (round === 3) await stripe.subscriptions.cancel(subscriptionId);
    else await stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: round === 2 });
    if (round < 3) await passDays(round === 2 ? 3 : 31);
    const release = world.visit("/stripe/events/release", { copies: "3", shuffle: "yes" });
    await Promise.all([release, world.drain(), world.drain()]);
    await world.drain();
    const truth = await stripe.subscriptions.retrieve(subscriptionId);
    const organization = await billing.organization();
    expect([round, organization.subscriptionStatus]).toEqual([round, truth.status]);
  }
  expect(await billing.status()).toBe("canceled");
});

test("a look that was slow never writes an older truth over a newer one", async () => {
  const billing = await aBillingWorld();
  const { world, actor, stripe } = billing;
  const subscriptionId = await billing.subscribe();
  const acting = systemActor(actor.organizationId, "slow");
  let looks = 0;
  const readCustomer: Cards["readCustomer"] = async (customerId) => {
    const truth = await world.cards.readCustomer(customerId);
    looks += 1;
    if (looks > 1) return truth;
    // While the first answer is on its way, the subscription ends and a quicker look stores that.
    await stripe.subscriptions.cancel(subscriptionId);
    await syncBilling(world, acting);
    return truth;
  };
  await stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true });
  await syncBilling({ ...world, cards: { ...world.cards, readCustomer } }, acting);
  expect([looks, await billing.status()]).toEqual([2, "canceled"]);
});

test("while the provider is down a look is put off, and done when it is back", async () => {
  const billing = await aBillingWorld();
  const { world, stripe } = billing;
  const subscriptionId = await billing.subscribe();
  await stripe.subscriptions.cancel(subscriptionId);
  await world.fault({ party: "stripe", fault: "503", times: 12 });
  await world.drain();
  expect(await billing.status()).toBe("active");
  await world.clearFaults();
  await world.pass(60_000);
  expect(await billing.status()).toBe("canceled");
});

test("an event of the provider's newer interface is taken, logged, and followed by nothing", async () => {
  const office = await aBillingWorld();
  const type = "v1.billing.meter.no_meter_found";
  const event = { id: "evt_thin_1", object: "v2.core.event", type, livemode: false, created: "2026-11-24T00:00:00Z" };
  const related = { id: "cus_thin", type: "customer", url: "/v1/customers/cus_thin" };
  const answer = await deliver(office, { ...event, related_object: related });
  expect(answer.status).toBe(200);
  expect(await stored(office, event)).toBe(1);
  expect(await jobsAbout(office, "cus_thin")).toEqual([]);
  const { lines } = office.world.log;
  expect(lines).toContainEqual(
    expect.objectContaining({ event: "billing.event_ignored", fields: { eventId: event.id, eventType: type } }),
  );
});
