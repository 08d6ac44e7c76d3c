import { createHmac } from "node:crypto";
import { Resend } from "resend";
import Stripe from "stripe";
import { Webhook } from "svix";
import twilio from "twilio";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { TokenSet, XeroClient } from "xero-node";
import { readSmsReport } from "~/adapters/sms/sms-webhook";
import { readStandardWebhook } from "~/adapters/standard-webhook";
import { FIRST_TENANT } from "../../simulators/xero/state";
import { aClock } from "../support/clock";
import { pathsOf } from "../support/json-shapes";
import { createHarness } from "../support/simulator-bench";
import { SIMULATORS_ORIGIN, TEST_ENV } from "../support/test-env";
import { redirectHttps } from "./redirected-https";
import stripeAnswers from "./stripe/published.json";

/** The vendors' own client libraries against the simulators. */

let harness: ReturnType<typeof createHarness>;
let sent: Request[];
let stop: () => void;

const ask = (request: Request) => {
  const { pathname, search } = new URL(request.url);
  return harness.fetch(new Request(SIMULATORS_ORIGIN + pathname + search, request));
};

beforeAll(async () => {
  const hosts = { "identity.xero.com": "/xero/identity", "api.xero.com": "/xero/api", "simulators.test": "" };
  stop = await redirectHttps({ ...hosts, "api.twilio.com": "/sms" }, (request) => ask(request));
});
afterAll(() => stop());

beforeEach(() => {
  sent = [];
  // The clients check tokens and signatures against the real time.
  const clock = aClock(Date.now());
  const callApp = async (request: Request) => {
    sent.push(request);
    return new Response(null, { status: 200 });
  };
  harness = createHarness({ clock, log: { warn() {} }, callApp, impatient: true });
});

test("xero-node finds the identity server, is let in, and reads what it needs", async () => {
  const redirectUri = `${TEST_ENV.APP_ORIGIN}/integrations/xero/return`;
  const scopes = "openid profile email offline_access accounting.contacts accounting.settings.read".split(" ");
  const xero = new XeroClient({
    clientId: TEST_ENV.XERO_CLIENT_ID,
    clientSecret: TEST_ENV.XERO_CLIENT_SECRET,
    redirectUris: [redirectUri],
    scopes,
    state: "s1",
  });
  const consent = new URL(await xero.buildConsentUrl());
  const form = new URLSearchParams({ tenantId: FIRST_TENANT, answer: "allow" });
  const answer = await harness.fetch(new Request(consent, { method: "POST", body: form }));
  const tokens = await xero.apiCallback(answer.headers.get("location") ?? "");
  expect(tokens.claims()).toMatchObject({ aud: TEST_ENV.XERO_CLIENT_ID, email: "sam.lee@alpha.example" });
  const access = JSON.parse(Buffer.from(tokens.access_token?.split(".")[1] ?? "", "base64url").toString());
  expect(access).toMatchObject({ client_id: TEST_ENV.XERO_CLIENT_ID, scope: scopes });

  const [tenant] = await xero.updateTenants();
  expect(tenant).toMatchObject({
    tenantId: FIRST_TENANT,
    orgData: { organisationID: FIRST_TENANT, name: tenant.tenantName },
  });
  const { body, response } = await xero.accountingApi.getContacts(
    FIRST_TENANT,
    undefined,
    undefined,
    undefined,
    undefined,
    1,
  );
  const [first, second] = body.contacts ?? [];
  expect(first).toMatchObject({ contactStatus: "ACTIVE", bankAccountDetails: expect.any(String) });
  expect(first?.updatedDateUTC).toBeInstanceOf(Date);
  for (const name of ["x-daylimit-remaining", "x-minlimit-remaining", "x-appminlimit-remaining"]) {
    expect(Number(response.headers[name])).toBeGreaterThan(0);
  }
  const id = second?.contactID ?? "";
  expect((await xero.accountingApi.getContact(FIRST_TENANT, id)).body.contacts?.[0]?.contactID).toBe(id);
  const some = await xero.accountingApi.getContacts(FIRST_TENANT, undefined, undefined, undefined, [id]);
  expect(some.body.contacts?.map(({ contactID }) => contactID)).toEqual([id]);
  const { historyRecords } = (await xero.accountingApi.getContactHistory(FIRST_TENANT, id)).body;
  expect(historyRecords?.[0]).toMatchObject({ changes: "Created", user: "Sam Lee" });

  const renewed = await xero.refreshToken();
  expect(renewed).toBeInstanceOf(TokenSet);
  expect(renewed.access_token).not.toBe(tokens.access_token);
  await xero.revokeToken();
  await expect(
    xero.refreshWithRefreshToken(TEST_ENV.XERO_CLIENT_ID, TEST_ENV.XERO_CLIENT_SECRET, renewed.refresh_token ?? ""),
  ).rejects.toBeDefined();
});

test("twilio sends a text message, and its own check takes the report as ours does", async () => {
  const client = twilio(`AC${"a".repeat(32)}`, TEST_ENV.SMS_AUTH_TOKEN);
  const statusCallback = `${TEST_ENV.APP_ORIGIN}/webhooks/sms`;
  const message = await client.messages.create({
    to: "+61491570156",
    from: "+61400000000",
    body: "Hello",
    statusCallback,
  });
  expect(message).toMatchObject({ status: "queued", to: "+61491570156", body: "Hello", errorCode: null });
  await harness.simulators.idle();
  await vi.waitFor(() => expect(sent.length).toBe(2));
  for (const report of sent) {
    const form = new URLSearchParams(await report.text());
    const signature = report.headers.get("x-twilio-signature") ?? "";
    expect(twilio.validateRequest(TEST_ENV.SMS_AUTH_TOKEN, signature, statusCallback, Object.fromEntries(form))).toBe(
      true,
    );
    const ours = { authTokens: [TEST_ENV.SMS_AUTH_TOKEN], signature, url: statusCallback, form };
    const status = form.get("MessageStatus");
    expect(await readSmsReport(ours)).toEqual(
      status === "delivered" ? { messageId: message.sid, isDelivered: true, code: null } : undefined,
    );
  }
  await expect(client.messages.create({ to: "nobody", from: "+61400000000", body: "x" })).rejects.toMatchObject({
    status: 400,
  });
});

test("resend sends an email once for a key, and svix takes the report as ours does", async () => {
  vi.stubGlobal("fetch", (input: string, init?: RequestInit) =>
    harness.fetch(new Request(String(input).replace("https://api.resend.com", TEST_ENV.MAIL_BASE_URL), init)),
  );
  const resend = new Resend(TEST_ENV.MAIL_API_KEY);
  const email = { from: "a@b.example", to: ["suppressed@wattle.example"], subject: "s", html: "<p>h</p>", text: "h" };
  const first = await resend.emails.send(email, { idempotencyKey: "k1" });
  expect(first.error).toBeNull();
  const again = await resend.emails.send(email, { idempotencyKey: "k1" });
  expect(again.data?.id).toBe(first.data?.id);
  vi.unstubAllGlobals();
  await harness.simulators.idle();
  const [report] = sent;
  if (!report) throw new Error("no report");
  const rawBody = await report.text();
  const given = Object.fromEntries(
    ["id", "timestamp", "signature"].map((each) => [`svix-${each}`, report.headers.get(`svix-${each}`) ?? ""]),
  );
  new Webhook(TEST_ENV.MAIL_WEBHOOK_SECRETS).verify(rawBody, given);
  const verified = JSON.parse(rawBody);
  expect(verified).toMatchObject({ type: "email.suppressed", data: { to: ["suppressed@wattle.example"] } });
  const ours = { secrets: [TEST_ENV.MAIL_WEBHOOK_SECRETS], headers: report.headers, rawBody, nowMs: Date.now() };
  expect((await readStandardWebhook(ours)).payload).toEqual(verified);
  const forged = { ...given, "svix-signature": `v1,${createHmac("sha256", "x").update(rawBody).digest("base64")}` };
  expect(() => new Webhook(TEST_ENV.MAIL_WEBHOOK_SECRETS).verify(rawBody, forged)).toThrow();
});

/** Stripe's own client, on the simulator of this test. */
const stripeOf = () =>
  new Stripe("sk_test_simulator", {
    httpClient: Stripe.createFetchHttpClient((input: RequestInfo | URL, init?: RequestInit) => {
      const { pathname, search } = new URL(String(input));
      return harness.fetch(new Request(TEST_ENV.STRIPE_API_BASE + pathname + search, init));
    }),
  });

/** The events that the app was sent, each checked as Stripe's own client checks it. */
const eventsSent = (stripe: Stripe) =>
  Promise.all(
    sent.map(async (request) =>
      stripe.webhooks.constructEventAsync(
        await request.clone().text(),
        request.headers.get("stripe-signature") ?? "",
        TEST_ENV.STRIPE_WEBHOOK_SECRETS,
      ),
    ),
  );

test.each([
  ["confirms", "confirm", "succeeded", "active", "payment_intent.succeeded", "invoice.paid"],
  [
    "refuses",
    "refuse",
    "requires_payment_method",
    "incomplete",
    "payment_intent.payment_failed",
    "invoice.payment_failed",
  ],
] as const)("Stripe's client pays with 3-D Secure and the bank %s", async (_, answer, paid, status, ...types) => {
  const stripe = stripeOf();
  const ours = harness.cards;
  const { customerId } = await ours.createCustomer({ id: "org-1", name: "Harbour", email: "accounts@harbour.example" });
  const started = await ours.startSubscription({ customerId, organizationId: "org-1", attemptId: "a-1" });
  const open = await ours.findOpenPayment(customerId, started.id);
  const clientSecret = open?.clientSecret ?? "";
  const [paymentId = ""] = clientSecret.split("_secret_");
  const asked = await stripe.paymentIntents.confirm(paymentId, {
    payment_method: "pm_card_threeDSecure2Required",
    return_url: `${TEST_ENV.APP_ORIGIN}/subscription`,
  });
  expect([asked.status, asked.next_action?.type]).toEqual(["requires_action", "redirect_to_url"]);
  expect(await ours.findPaymentStatus(customerId, clientSecret)).toBe("requires_action");
  expect(await ours.getSubscription(customerId, started.id)).toMatchObject({ status: "incomplete" });

  const bank = new URL(asked.next_action?.redirect_to_url?.url ?? "");
  const body = new URLSearchParams({ answer });
  const back = await ask(new Request(bank, { method: "POST", body }));
  expect(new URL(back.headers.get("location") ?? "").searchParams.get("payment_intent")).toBe(paymentId);
  expect((await stripe.paymentIntents.retrieve(paymentId)).status).toBe(paid);
  expect(await ours.findPaymentStatus(customerId, clientSecret)).toBe(paid);
  expect((await stripe.subscriptions.retrieve(started.id)).status).toBe(status);
  expect(await ours.getSubscription(customerId, started.id)).toMatchObject({ status });

  await harness.simulators.idle();
  const events = await eventsSent(stripe);
  expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(["payment_intent.requires_action", ...types]));
  for (const request of sent) {
    const event = await ours.readEvent({
      rawBody: await request.text(),
      signature: request.headers.get("stripe-signature"),
    });
    expect(event.customerId).toBe(customerId);
  }
});

test.each([
  ["pm_card_visa_chargeDeclined", "card_declined", "generic_decline"],
  ["pm_card_visa_chargeDeclinedInsufficientFunds", "card_declined", "insufficient_funds"],
  ["pm_card_visa_chargeDeclinedLostCard", "card_declined", "lost_card"],
  ["pm_card_visa_chargeDeclinedStolenCard", "card_declined", "stolen_card"],
  ["pm_card_chargeDeclinedExpiredCard", "expired_card", ""],
  ["pm_card_chargeDeclinedIncorrectCvc", "incorrect_cvc", ""],
  ["pm_card_chargeDeclinedProcessingError", "processing_error", ""],
])("Stripe's client is refused with %s, and the payment waits for another card", async (card, code, decline_code) => {
  const stripe = stripeOf();
  const ours = harness.cards;
  const { customerId } = await ours.createCustomer({ id: "org-1", name: "Harbour", email: "accounts@harbour.example" });
  const { id } = await ours.startSubscription({ customerId, organizationId: "org-1", attemptId: "a-1" });
  const [paymentId = ""] = ((await ours.findOpenPayment(customerId, id))?.clientSecret ?? "").split("_secret_");
  await expect(stripe.paymentIntents.confirm(paymentId, { payment_method: card })).rejects.toMatchObject({
    type: "StripeCardError",
    code,
    decline_code,
  });
  expect((await stripe.paymentIntents.confirm(paymentId, { payment_method: "pm_card_au" })).status).toBe("succeeded");
  expect(await ours.getSubscription(customerId, id)).toMatchObject({ status: "active" });
});

test("what Stripe publishes of an object, the simulator's object has", async () => {
  const stripe = stripeOf();
  const customer = await stripe.customers.create({ payment_method: "pm_card_visa" });
  const [card] = (await stripe.customers.listPaymentMethods(customer.id)).data;
  const item = { customer: customer.id, items: [{ price: "p" }], default_payment_method: card?.id };
  const subscription = await stripe.subscriptions.create(item);
  const [invoice] = (await stripe.invoices.list({ customer: customer.id })).data;
  const [charge] = (await stripe.charges.list({ customer: customer.id })).data;
  const intent = await stripe.paymentIntents.retrieve(String(charge?.payment_intent));
  const checkout = await stripe.checkout.sessions.create({
    mode: "subscription",
    customer: customer.id,
    line_items: [{ price: "p", quantity: 1 }],
    success_url: TEST_ENV.APP_ORIGIN,
  });
  const { resources } = stripeAnswers;
  for (const [published, simulated] of [
    [resources.customer, customer],
    [resources.subscription, subscription],
    [resources.invoice, invoice],
    [resources.charge, charge],
    [resources.payment_method, card],
    [resources.payment_intent, intent],
    [resources["checkout.session"], checkout],
  ] as const) {
    const has = new Set(Object.keys(simulated ?? {}));
    expect(Object.keys(published).filter((name) => !has.has(name) && name !== "refunds")).toEqual([]);
  }
  expect(pathsOf(JSON.parse(JSON.stringify(subscription)))).toContain("items.data[].current_period_end");
});
