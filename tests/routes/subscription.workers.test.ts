import { organizations } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { routeOf } from "~/api/calls.server";
import { cancelSubscription, createSubscription } from "~/modules/accounts/billing/manage-subscription.server";
import { action, loader } from "~/routes/_app+/subscription";
import { action as cancelAction, loader as cancelPage } from "~/routes/_app+/subscription_.cancel";
import { loader as invoicePdf } from "~/routes/_app+/subscription_.invoices.$id";
import { loader as stripeRedirect } from "~/routes/_app+/subscription_.stripe-redirect";
import type { Actor } from "~/services-and-actor";
import { aBillingWorld, type BillingWorld } from "../support/billing";
import { aMember } from "../support/factories";
import { routeArgs } from "../support/requests";

const { action: cancelApi } = routeOf("/api/billing/cancel-subscription");
const { action: createApi } = routeOf("/api/billing/create-subscription");
const { loader: readApi } = routeOf("/api/billing/subscription");

type Answer = { init?: { status?: number } | null; data?: unknown } | Response;

/** Whatever a loader or an action answered or threw, as status and address or body. */
async function outcomeOf(run: Promise<unknown>) {
  const answer = (await run.catch((thrown: unknown) => thrown)) as Answer;
  if (answer instanceof Response) {
    const location = answer.headers.get("Location");
    return { status: answer.status, location, body: location ? null : await answer.json() };
  }
  return { status: answer.init?.status ?? 200, location: null, body: (answer.data ?? answer) as never };
}

const get = async ({ world, actor }: BillingWorld, path: string, by: Actor | null = actor) =>
  outcomeOf(loader(await routeArgs(world, by, path)) as Promise<unknown>);

const post = async ({ world, actor }: BillingWorld, form: Record<string, string>, by: Actor | null = actor) =>
  outcomeOf(action(await routeArgs(world, by, "/subscription", {}, { form })) as Promise<unknown>);

const call = async (
  { world, actor }: BillingWorld,
  [route, name, method]: readonly [typeof createApi | typeof readApi, string, string],
  by: Actor | null = actor,
) => outcomeOf(route(await routeArgs(world, by, `/api/billing/${name}`, {}, { method })) as Promise<unknown>);

const READ = [readApi, "subscription", "GET"] as const;
const CREATE = [createApi, "create-subscription", "POST"] as const;
const CANCEL = [cancelApi, "cancel-subscription", "POST"] as const;

test("the calls answer as the interface says, from trial to cancellation", async () => {
  const billing = await aBillingWorld();
  expect((await call(billing, READ)).body).toEqual({
    success: true,
    subscription: null,
    trialEndsAt: "2026-12-04T03:00:00.000Z",
  });
  const created = await call(billing, CREATE);
  expect(created).toMatchObject({
    status: 200,
    body: {
      success: true,
      subscription: { status: "incomplete", clientSecret: expect.stringMatching(/^pi_.+_secret_/) },
    },
  });
  expect((await call(billing, CREATE)).body).toEqual(created.body);
  await billing.subscribe();
  expect((await call(billing, CREATE)).body).toEqual({
    success: true,
    subscription: { status: "active", clientSecret: null },
  });
  expect((await call(billing, CANCEL)).body).toEqual({ success: true });
  expect((await call(billing, READ)).body).toMatchObject({
    success: true,
    subscription: { status: "active", currentPeriodEnd: "2026-12-20T03:00:00.000Z", cancelAtPeriodEnd: true },
  });
});

test.each([
  ["read_only", 403, "READ_ONLY"],
  ["pending", 403, "ACCOUNT_PENDING"],
  ["nobody", 401, "SIGNED_OUT"],
] as const)("%s changes nothing about the subscription", async (who, status, code) => {
  const billing = await aBillingWorld();
  const organization = { id: billing.actor.organizationId, name: billing.actor.organizationName };
  const by =
    who === "nobody"
      ? null
      : await aMember(
          billing.world,
          who === "pending" ? { status: "pending", organization } : { role: who, organization },
        );
  for (const route of [CREATE, CANCEL]) {
    expect(await call(billing, route, by)).toMatchObject({ status, body: { code } });
  }
  const page = await post(billing, { intent: "subscribe" }, by);
  expect(page.status).toBe(who === "nobody" ? 302 : 403);
  expect(await billing.customerId()).toBe("");
});

test("read_only people see how the subscription stands, without buttons", async () => {
  const billing = await aBillingWorld();
  await billing.subscribe();
  const organization = { id: billing.actor.organizationId, name: billing.actor.organizationName };
  const reader = await aMember(billing.world, { role: "read_only", organization });
  expect((await call(billing, READ, reader)).body).toMatchObject({ subscription: { status: "active" } });
  const { body } = await get(billing, "/subscription", reader);
  expect(body).toMatchObject({
    view: { status: { text: "Active" }, step: null, canCancel: false, canResume: false, hasPortal: false },
  });
});

test("with scripts the card form follows, without them the provider's page", async () => {
  const billing = await aBillingWorld();
  const { world, actor } = billing;
  expect(await post(billing, { intent: "subscribe", scripted: "yes" })).toMatchObject({
    status: 303,
    location: "/subscription?pay=1",
  });
  const { body } = await get(billing, "/subscription?pay=1");
  expect(body).toMatchObject({
    payment: {
      amount: "$500.00",
      clientSecret: expect.stringContaining("_secret_"),
      returnUrl: "http://app.test/subscription",
      place: { publishableKey: "pk_test_simulator", standInScript: "http://simulators.test/stripe/stripe.js" },
    },
  });
  expect(await post(billing, { intent: "hosted" })).toMatchObject({
    status: 303,
    location: "/subscription/stripe-redirect?to=payment",
  });
  const redirected = await outcomeOf(
    stripeRedirect(await routeArgs(world, actor, "/subscription/stripe-redirect?to=payment")) as Promise<unknown>,
  );
  expect(redirected.body).toEqual({
    address: expect.stringMatching(/^http:\/\/simulators\.test\/stripe\/checkout\/cs_test_/),
  });
  // The form that was open before can no longer be paid.
  expect(await get(billing, "/subscription?pay=1")).toMatchObject({ status: 302, location: "/subscription" });
});

test("without scripts an invoice that is owed is paid on the provider's page of that invoice", async () => {
  const billing = await aBillingWorld();
  const { world, actor } = billing;
  await billing.subscribe();
  await billing.breakCard();
  await billing.passDays(31);
  expect(await post(billing, { intent: "subscribe" })).toMatchObject({
    location: "/subscription/stripe-redirect?to=payment",
  });
  const redirected = await outcomeOf(
    stripeRedirect(await routeArgs(world, actor, "/subscription/stripe-redirect?to=payment")) as Promise<unknown>,
  );
  expect(redirected.body).toEqual({ address: expect.stringContaining("/stripe/invoice/in_") });
});

test("where there is nothing to pay, every way to the payment leads back to the page", async () => {
  const billing = await aBillingWorld();
  const { world, actor } = billing;
  expect(await get(billing, "/subscription?pay=1")).toMatchObject({ location: "/subscription" });
  const redirected = await outcomeOf(
    stripeRedirect(await routeArgs(world, actor, "/subscription/stripe-redirect?to=payment")) as Promise<unknown>,
  );
  expect(redirected).toMatchObject({ location: "/subscription" });
});

test.each([
  ["4242424242424242", "succeeded"],
  ["4000000000000002", "requires_payment_method"],
  ["4000002760003184", "other"],
])("a person who comes back after the card %s reads how it ended, before any event has come", async (card, outcome) => {
  const billing = await aBillingWorld();
  billing.world.lose.webhooks = true;
  const { payment } = await createSubscription(billing.world, billing.actor);
  await billing.pay(payment?.clientSecret ?? "", card);
  const secret = encodeURIComponent(payment?.clientSecret ?? "");
  const back = await get(billing, `/subscription?payment_intent=pi_1&payment_intent_client_secret=${secret}`);
  expect(back).toMatchObject({ status: 302, location: `/subscription?payment=${outcome}` });
  expect((await get(billing, back.location ?? "")).body).toMatchObject({ outcome });
  expect(await billing.status()).toBe(outcome === "succeeded" ? "active" : "incomplete");
});

test("a secret that is made up, or another organisation's, says nothing about a payment", async () => {
  const [mine, theirs] = [await aBillingWorld(), await aBillingWorld()];
  await mine.subscribe();
  const { payment } = await createSubscription(theirs.world, theirs.actor);
  for (const secret of ["garbage", "pi_1_secret_2", payment?.clientSecret ?? ""]) {
    const back = await get(mine, `/subscription?payment_intent_client_secret=${encodeURIComponent(secret)}`);
    expect(back.location).toBe("/subscription?payment=other");
  }
});

test("an address that claims a payment is not believed", async () => {
  const billing = await aBillingWorld();
  expect((await get(billing, "/subscription?payment=succeeded")).body).toMatchObject({ outcome: "processing" });
});

test("when the provider is down the page says so with the specification's words, and nothing is lost", async () => {
  const billing = await aBillingWorld({ timeoutMs: 50 });
  await billing.world.fault({ party: "stripe", fault: "500", times: 20 });
  expect(await post(billing, { intent: "subscribe", scripted: "yes" })).toMatchObject({
    status: 503,
    body: {
      title: "Subscription Error",
      formErrors: ["Unable to initialize the subscription process. Please try again."],
    },
  });
  expect((await get(billing, "/subscription")).status).toBe(200);
  expect((await get(billing, "/subscription?checkout=done")).location).toBe("/subscription?payment=processing");
});

test("cancelling has a page of its own that asks first, and says what happened", async () => {
  const billing = await aBillingWorld();
  const { world, actor } = billing;
  const args = (form?: Record<string, string>) =>
    routeArgs(world, actor, "/subscription/cancel", {}, form ? { form } : {});
  expect(await outcomeOf(cancelPage(await args()) as Promise<unknown>)).toMatchObject({ location: "/subscription" });
  await billing.subscribe();
  expect((await outcomeOf(cancelPage(await args()) as Promise<unknown>)).body).toMatchObject({
    endsNow: false,
    periodEnd: { text: "20 Dec 2026" },
  });
  await world.fault({ party: "stripe", fault: "500", times: 4 });
  expect(await outcomeOf(cancelAction(await args({})) as Promise<unknown>)).toMatchObject({
    status: 503,
    body: { title: "Error", formErrors: ["Failed to cancel subscription. Please try again."] },
  });
  await world.clearFaults();
  const done = (await cancelAction(await args({})).catch((thrown: unknown) => thrown)) as Response;
  expect([done.status, done.headers.get("Location")]).toEqual([303, "/subscription"]);
  expect(done.headers.get("Set-Cookie")).toMatch(/^flash=/);
  expect((await get(billing, "/subscription")).body).toMatchObject({ view: { canCancel: false, canResume: true } });
  expect(await post(billing, { intent: "resume" })).toMatchObject({ status: 303, location: "/subscription" });
  expect((await get(billing, "/subscription")).body).toMatchObject({ view: { canCancel: true, canResume: false } });
});

test("an invoice leads to its PDF; another organisation's is not there", async () => {
  const [mine, theirs] = [await aBillingWorld(), await aBillingWorld()];
  await mine.subscribe();
  await theirs.subscribe();
  const [invoice] = (await mine.ledger()).filter(({ type }) => type === "invoice");
  const [payment] = (await mine.ledger()).filter(({ type }) => type === "payment");
  const open = async ({ world, actor }: BillingWorld, id = "") =>
    outcomeOf(invoicePdf(await routeArgs(world, actor, `/subscription/invoices/${id}`, { id })) as Promise<unknown>);
  expect(await open(mine, invoice?.id)).toMatchObject({
    status: 302,
    location: expect.stringMatching(/\/in_[^/]+\/pdf$/),
  });
  expect((await open(theirs, invoice?.id)).status).toBe(404);
  expect((await open(mine, payment?.id)).status).toBe(404);
  expect((await open(mine, "garbage")).status).toBe(404);
});

test("an organisation whose customer was entered by hand is followed all the same", async () => {
  const billing = await aBillingWorld();
  const { world, actor, stripe } = billing;
  const customer = await stripe.customers.create({ name: "By hand" });
  await world.db
    .update(organizations)
    .set({ stripeCustomerId: customer.id })
    .where(eq(organizations.id, actor.organizationId));
  await billing.subscribe();
  expect(await billing.status()).toBe("active");
  expect((await cancelSubscription(world, actor)).cancelAtPeriodEnd).toBe(true);
});
