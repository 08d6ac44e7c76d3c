import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { createMyob } from "~/adapters/accounting/myob";
import { createXero } from "~/adapters/accounting/xero";
import { readXeroEvents } from "~/adapters/accounting/xero-webhook";
import { createAbr } from "~/adapters/business-register/abr";
import { createStripeCards } from "~/adapters/cards/stripe";
import {
  chargeSchema,
  checkoutSchema,
  customerSchema,
  invoiceSchema,
  paymentSchema,
  read,
  subscriptionSchema,
} from "~/adapters/cards/stripe-schema";
import { readMailWebhook } from "~/adapters/mail/mail-webhook";
import { createBreachedRange } from "~/adapters/passwords/breached-range";
import { createTwilioSms } from "~/adapters/sms/twilio-sms";
import { readStandardWebhook } from "~/adapters/standard-webhook";
import { aClock } from "../support/clock";
import { type Json, withUnknownFields } from "../support/json-shapes";
import { TEST_ENV } from "../support/test-env";
import abrAnswers from "./abr/published.json";
import messages from "./messages/published.json";
import myobAnswers from "./myob/published.json";
import passwordAnswers from "./passwords/published.json";
import stripeAnswers from "./stripe/published.json";
import xeroAnswers from "./xero/published.json";

/** Each party's published examples, through its adapter. `published.json` gives source and date. */

const clock = aClock();
const answering = (body: unknown, status = 200) => {
  const asked: Request[] = [];
  const fetch = async (request: Request) => {
    asked.push(request);
    return typeof body === "string" ? new Response(body, { status }) : Response.json(body, { status });
  };
  return { fetch, asked };
};
const access = { accessToken: "a", ledgerId: "l" };
const ALL = { page: null, since: null };

describe("MYOB", () => {
  const logged: string[] = [];
  const myob = (fetch: (request: Request) => Promise<Response>) =>
    createMyob({
      authorizeUrl: TEST_ENV.MYOB_AUTHORIZE_URL,
      tokenUrl: TEST_ENV.MYOB_TOKEN_URL,
      apiUrl: TEST_ENV.MYOB_API_URL,
      clientId: "c",
      clientSecret: "s",
      fetch,
      clock,
      log: { error: (event) => logged.push(event) },
    });
  const { refusals, suppliers, files, tokens } = myobAnswers;

  test.each<[keyof typeof refusals, object]>([
    ["the daily limit", { kind: "rate_limited", options: { retryAfterMs: 3_600_000 } }],
    ["the limit of a second", { kind: "rate_limited", options: { retryAfterMs: 1_000 } }],
    ["an inactive key", { kind: "unavailable", options: { code: "DeveloperInactive" } }],
    ["no access to the file", { name: "AccessLost", reason: "not_permitted" }],
    ["no access, in brief", { name: "AccessLost", reason: "not_permitted" }],
    ["a time-out of theirs", { kind: "unavailable" }],
  ])("%s is told apart, also as one problem by itself", async (name, expected) => {
    const { status, body } = refusals[name];
    const alone = Array.isArray(body) ? body[0] : body.Errors[0];
    for (const sent of [body, alone]) {
      await expect(myob(answering(sent, status).fetch).listContacts(access, ALL)).rejects.toMatchObject(expected);
    }
    expect(logged.splice(0).length > 0).toBe(name === "an inactive key");
  });

  test("a supplier is read, with fields nobody has heard of", async () => {
    const { contacts, next } = await myob(answering(withUnknownFields(suppliers as Json)).fetch).listContacts(
      access,
      ALL,
    );
    expect(next).toBeNull();
    expect(contacts).toMatchObject([
      { name: "Wattle Joinery", abn: "53004085616", account: { bsb: "062-000", accountNumber: "12345678" } },
    ]);
  });

  const [file] = files;
  const id = file?.Id ?? "";
  test.each([
    ["id and name come with the redirect", { businessId: id, businessName: "Wattle & Co" }, [], ["Wattle & Co"]],
    ["an id alone, of a key that lists", { businessId: id }, files, ["Wattle Holdings"]],
    ["an id alone, of a key that lists nothing", { businessId: id }, [], ["A company file without a name"]],
    ["an id alone, of a key that may not list", { businessId: id }, null, ["A company file without a name"]],
    ["an old key: every file it lists", {}, files, ["Wattle Holdings"]],
  ])("%s", async (_, query, listed, names) => {
    const asked: string[] = [];
    const fetch = async ({ url }: Request) => {
      asked.push(url);
      if (url === TEST_ENV.MYOB_TOKEN_URL) return Response.json(tokens);
      return listed ? Response.json(listed) : Response.json(refusals["no access to the file"].body, { status: 403 });
    };
    const back = { code: "c", codeVerifier: "v", returnUrl: "r", query: new URLSearchParams(query) };
    const { ledgers } = await myob(fetch).acceptConsent(back);
    expect(ledgers).toEqual(names.map((name) => ({ id, name, connectionId: null })));
    expect(asked.length).toBe("businessName" in query ? 1 : 2);
  });
});

describe("Xero", () => {
  const xero = (body: unknown) =>
    createXero({
      authorizeUrl: TEST_ENV.XERO_AUTHORIZE_URL,
      identityUrl: TEST_ENV.XERO_IDENTITY_URL,
      apiUrl: TEST_ENV.XERO_API_URL,
      clientId: "c",
      clientSecret: "s",
      fetch: answering(body).fetch,
      clock,
    });

  test("contacts are read, in a list and alone", async () => {
    for (const body of [xeroAnswers.contacts, xeroAnswers.contact, withUnknownFields(xeroAnswers.contacts as Json)]) {
      const { contacts, next } = await xero(body).listContacts(access, ALL);
      const ids = (body as typeof xeroAnswers.contacts).Contacts.map(({ ContactID }) => ContactID);
      expect(contacts.map(({ id }) => id)).toEqual(ids);
      expect(next).toBeNull();
    }
  });

  test("bills and payments are read", async () => {
    const bills = await xero(xeroAnswers.invoices).listBills(access, { page: null, since: 0, tag: null });
    expect(bills?.bills).toMatchObject([{ number: "INV-0001", status: "void", currency: "NZD" }]);
    const found = await xero(xeroAnswers.payments).listPayments?.(access, { page: null, since: 0 });
    expect(found?.payments[0]).toMatchObject({ amount: 4_600, billNumber: "INV-0002", isReconciled: false });
  });

  test("of a history only what was done to the contact itself is an edit", async () => {
    expect(await xero(xeroAnswers.history).listEdits?.(access, "c1")).toEqual([]);
    const [example] = xeroAnswers.history.HistoryRecords;
    const words = ["Created", "Edited", "Credit Applied", "Invoice Created", "Invoice Edited", "Approved", "Note", ""];
    const HistoryRecords = words.map((Changes) => ({ ...example, Changes, User: `who did ${Changes}` }));
    const edits = await xero({ ...xeroAnswers.history, HistoryRecords }).listEdits?.(access, "c1");
    expect(edits?.map(({ by }) => by)).toEqual(["who did Created", "who did Edited"]);
  });

  test("a webhook is read under the key that signed it, and under no other", async () => {
    const rawBody = JSON.stringify(xeroAnswers.webhook);
    const signature = createHmac("sha256", "key").update(rawBody).digest("base64");
    const ledgerId = xeroAnswers.webhook.events[0]?.tenantId;
    expect(await readXeroEvents(["key"], { rawBody, signature })).toEqual([{ ledgerId, isOfInterest: true }]);
    expect(await readXeroEvents(["other"], { rawBody, signature })).toBeUndefined();
  });
});

describe("Stripe", () => {
  const { resources, thinEvent } = stripeAnswers;
  test.each([
    ["customer", customerSchema, { id: resources.customer.id }],
    ["subscription", subscriptionSchema, { subscription: { id: resources.subscription.id, status: "active" } }],
    ["invoice", invoiceSchema, { invoice: { id: resources.invoice.id, status: "draft", amount: 1_000 } }],
    ["charge", chargeSchema, { charge: { id: resources.charge.id, amount: 100 } }],
    ["checkout.session", checkoutSchema, { checkout: { status: "open", subscriptionId: null } }],
    ["payment_intent", paymentSchema, { status: resources.payment_intent.status }],
  ] as const)("its own %s is read, with fields nobody has heard of", (name, schema, expected) => {
    const body = resources[name] as Json;
    expect(read<unknown>(schema, body)).toMatchObject(expected);
    expect(read<unknown>(schema, withUnknownFields(body))).toMatchObject(expected);
  });

  test("a thin event is one about no customer", async () => {
    const cards = createStripeCards({
      apiBase: TEST_ENV.STRIPE_API_BASE,
      secretKey: "sk_test_x",
      priceId: "p",
      taxRateId: "t",
      webhookSecrets: ["whsec_x"],
      fetch: answering({}).fetch,
      clock,
    });
    const rawBody = JSON.stringify(thinEvent);
    const timestamp = Math.floor(clock.now() / 1000);
    const { webhooks } = new Stripe("sk_test_x");
    const signature = webhooks.generateTestHeaderString({ payload: rawBody, secret: "whsec_x", timestamp });
    const { id, type } = thinEvent;
    expect(await cards.readEvent({ rawBody, signature })).toEqual({ id, type, customerId: null });
    const forged = webhooks.generateTestHeaderString({ payload: rawBody, secret: "whsec_y", timestamp });
    await expect(cards.readEvent({ rawBody, signature: forged })).rejects.toMatchObject({ reason: "bad_signature" });
  });
});

describe("the business register", () => {
  const abr = (body: string) =>
    createAbr({ baseUrl: "https://abr.example/json", guids: ["g"], fetch: answering(body).fetch, clock });

  test("a government, nobody, and no answer at all", async () => {
    expect(await abr(abrAnswers.government).findByAbn("51824753556")).toMatchObject({
      entityName: "AUSTRALIAN TAXATION OFFICE",
      isActive: true,
    });
    expect(await abr(abrAnswers.notFound).findByAbn("51824753556")).toBeNull();
    await expect(abr(abrAnswers.badGuid).findByAbn("51824753556")).rejects.toMatchObject({ kind: "unavailable" });
  });

  // That details are withheld is documented; their JSON form is not.
  test.each([
    ["empty", (_: string, value: unknown) => value],
    ["null", (_: string, value: unknown) => (value === "" ? null : value)],
    ["left out", (_: string, value: unknown) => (value === "" || value === null ? undefined : value)],
  ])(
    "an entity that is withheld is one without a name, a kind or an address, where these are %s",
    async (_, written) => {
      const answer = JSON.parse(abrAnswers.withheld.replace(/^callback\((.*)\)$/, "$1"));
      const entry = await abr(`callback(${JSON.stringify(answer, written)})`).findByAbn("32000000001");
      expect(entry).toEqual({
        abn: "32000000001",
        entityName: null,
        isActive: true,
        statusFrom: null,
        entityType: "",
        acn: null,
        gstFrom: null,
        businessNames: [],
        state: null,
        postcode: null,
      });
    },
  );
});

describe("breached passwords", () => {
  const { address, header, line, padding } = passwordAnswers;

  test("each environment asks the published address, with padding, and padding is no breach", async () => {
    const configured = [...readFileSync("wrangler.toml", "utf8").matchAll(/^BREACHED_PASSWORDS_URL = "([^"]*)"/gm)];
    expect(configured.length).toBeGreaterThan(1);
    for (const [, baseUrl = ""] of configured) {
      for (const [answer, isBreached] of [
        [`${padding}\r\n${line}`, true],
        [padding, false],
      ] as const) {
        const { fetch, asked } = answering(answer);
        const breached = createBreachedRange({ baseUrl, fetch, log: { info() {}, warn() {}, error() {} } });
        expect(await breached.isBreached(passwordAnswers.password)).toBe(isBreached);
        expect(asked[0]?.url).toBe(address);
        expect(asked[0]?.headers.get(header.name)).toBe(header.value);
      }
    }
  });
});

describe("messages", () => {
  test("Twilio's answer to a text message is read", async () => {
    const { fetch, asked } = answering(messages.twilioSent, 201);
    const sms = createTwilioSms({
      baseUrl: "https://api.twilio.com",
      accountSid: "AC1",
      authToken: "t",
      sender: { from: "+61400000000" },
      fetch,
      clock,
    });
    expect(await sms.send({ to: "+61491570156", body: "Hello" })).toEqual({
      providerMessageId: messages.twilioSent.sid,
    });
    expect(asked[0]?.url).toBe("https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json");
    const form = new URLSearchParams(await asked[0]?.text());
    // The only one that is required, and two that are known.
    expect([form.get("To"), form.get("From"), form.get("Body")]).toEqual(["+61491570156", "+61400000000", "Hello"]);
  });

  const { secret, id, timestamp, body, signature } = messages.standardWebhook;
  const headers = (signed: string) =>
    new Headers({ "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signed });
  const delivery = { secrets: [secret], rawBody: body, nowMs: timestamp * 1000 };

  test("the signature that Standard Webhooks publishes holds, among others too; any other does not", async () => {
    for (const signed of [signature, `v1,AAAA v1a,BBBB ${signature}`]) {
      const { webhookId, payload } = await readStandardWebhook({ ...delivery, headers: headers(signed) });
      expect([webhookId, payload]).toEqual([id, { test: 2432232314 }]);
    }
    const wrong = readStandardWebhook({ ...delivery, headers: headers("v1,dawfeoifkpqwoekfpqoekf") });
    await expect(wrong).rejects.toMatchObject({ reason: "bad_signature" });
  });

  test("an email that Resend suppresses stops its address", async () => {
    const rawBody = JSON.stringify(messages.resendSuppressed);
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    const signed = createHmac("sha256", key).update(`${id}.${timestamp}.${rawBody}`).digest("base64");
    const report = await readMailWebhook({ ...delivery, headers: headers(`v1,${signed}`), rawBody });
    expect(report).toMatchObject({ to: "kim@wattle.example", outcome: "bounced", detail: "On the suppression list" });
  });
});
